import { inferTopics as contract } from '#shared/pipelines/background.ts';
import { inferTopics } from '#shared/runtime/deps/infer-topics.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(contract, { inferTopics }, ({ prompt }, { inferTopics }) =>
  inferTopics(prompt),
);
