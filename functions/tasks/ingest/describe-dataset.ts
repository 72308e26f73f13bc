import { ingest } from '#shared/pipelines/ingest.ts';
import { describeDataset } from '#shared/runtime/deps/describe-dataset.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  ingest.tasks['describe-dataset'],
  { describeDataset },
  (input, { describeDataset }, { now }) => describeDataset({ ...input, now }),
);
