import { inferTopics as contract } from '#shared/growth/background.ts';
import { inferTopics } from '#shared/growth/infer-topics.ts';
import { clock } from '#shared/models/wire.ts';
import { models } from '#shared/models/wire-providers.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { random } from '#shared/platform/wire.ts';

const CONNECTIONS_MAX = 4;

export const handler = runTask(
  contract,
  { configured: models(['rewrite', 'embed'], () => CONNECTIONS_MAX), clock, random },
  async ({ prompt }, { configured, ...ports }) => {
    const { generator, embedder } = await configured();
    return inferTopics({ ...ports, models: { model: generator('rewrite'), embedder: embedder() } }, prompt);
  },
);
