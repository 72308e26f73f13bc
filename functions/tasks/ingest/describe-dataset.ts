import { describeDataset } from '#shared/datasets/wire/describe-dataset.ts';
import { ingest } from '#shared/ingest/pipelines/ingest.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  ingest.tasks['describe-dataset'],
  { describeDataset },
  (input, { describeDataset }, { now }) => describeDataset({ ...input, now }),
);
