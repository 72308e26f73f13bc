import { runTask } from '#shared/platform/runtime/task.ts';
import { publishDataset as contract } from '#shared/publishing/background.ts';
import { publishDataset } from '#shared/publishing/wire/publish-dataset.ts';

export const handler = runTask(contract, { publishDataset }, (input, { publishDataset }) =>
  publishDataset(input),
);
