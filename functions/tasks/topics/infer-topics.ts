import { inferTopics as contract } from '#shared/growth/background.ts';
import { inferTopics } from '#shared/growth/wire/infer-topics.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(contract, { inferTopics }, ({ prompt }, { inferTopics }) =>
  inferTopics(prompt),
);
