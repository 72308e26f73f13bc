import { eraseDataset as contract } from '#shared/lifecycle/background.ts';
import { eraseDataset } from '#shared/lifecycle/wire/erase-dataset.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(contract, { eraseDataset }, ({ dataset_id }, { eraseDataset }, { now }) =>
  eraseDataset(dataset_id, now),
);
