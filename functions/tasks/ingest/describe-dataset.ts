import { describeDataset } from '#shared/datasets/describe-dataset.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { ingest } from '#shared/ingest/pipelines/ingest.ts';
import { models } from '#shared/models/wire-providers.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

export const handler = runTask(
  ingest.tasks['describe-dataset'],
  {
    datasets: datasets('write'),
    objects: objects({ read: ['datasets'] }),
    configured: models(['describe'], () => 1),
  },
  async (input, { configured, ...ports }, { now }) =>
    describeDataset({ ...ports, model: (await configured()).generator('describe') }, { ...input, now }),
);
