import { theClock } from '#shared/models/wire/clock.ts';
import { models } from '#shared/models/wire/models.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theRandom } from '#shared/platform/wire/random.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { IndexPlan } from '#shared/runs/schema/run-context.ts';
import { measureWorker } from '#shared/runs/wire/measure-worker.ts';
import { callsPerWorker } from '#shared/runs/wire/worker-ports.ts';
import { indexShard as index } from '../build-index.ts';

const embedding = /* @__PURE__ */ models(['embed'], callsPerWorker);

/** Computes the words and the vectors of a shard. */
export const indexShard = /* @__PURE__ */ need<(plan: IndexPlan) => ReturnType<typeof index>>(
  [embedding, { table: 'write', bucket: { read: ['datasets'], write: ['datasets'] } }],
  (use) => async (plan) => {
    const ports = {
      embedder: (await use(embedding)()).embedder(),
      callsMax: callsPerWorker(use),
      outageSecondsMax: use.env.modelOutageSeconds(),
      clock: use(theClock),
      random: use(theRandom),
      objects: use(theObjects),
      claims: createClaims(use(theTable)),
    };
    return measureWorker('index-shard', (watch) => index({ ...ports, watch }, plan));
  },
);
