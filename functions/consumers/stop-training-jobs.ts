import { runTask } from '#shared/platform/runtime/task.ts';
import { stopTrainingJobs as contract } from '#shared/training/background.ts';
import { stopTrainingJobs } from '#shared/training/wire/training-jobs.ts';

export const handler = runTask(contract, { stopTrainingJobs }, ({ detail }, { stopTrainingJobs }) =>
  stopTrainingJobs(detail.input),
);
