import { inferTopics } from '#shared/growth/wire/infer-topics.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { inferTopics as contract } from '#shared/service/pipelines/background.ts';

export const handler = runTask(contract, { inferTopics }, ({ prompt }, { inferTopics }) =>
  inferTopics(prompt),
);
