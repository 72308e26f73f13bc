import { theClock } from '#shared/models/wire/clock.ts';
import { models } from '#shared/models/wire/models.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theRandom } from '#shared/platform/wire/random.ts';
import type { Inference } from '#shared/runs/schema/invention.ts';
import { inferTopics as infer } from '../infer-topics.ts';

const CONNECTIONS_MAX = 4;
const inferring = /* @__PURE__ */ models(['rewrite', 'embed'], () => CONNECTIONS_MAX);

/** Infers the topics of a dataset to invent. */
export const inferTopics = /* @__PURE__ */ need<(prompt: string) => Promise<Inference>>(
  [inferring],
  (use) => async (prompt) => {
    const configured = await use(inferring)();
    const own = { model: configured.generator('rewrite'), embedder: configured.embedder() };
    return infer({ models: own, clock: use(theClock), random: use(theRandom) }, prompt);
  },
);
