import { eraseDataset as contract } from '#shared/pipelines/background.ts';
import { eraseDataset } from '#shared/runtime/deps/erase-dataset.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(contract, { eraseDataset }, ({ dataset_id }, { eraseDataset }, { now }) =>
  eraseDataset(dataset_id, now),
);
