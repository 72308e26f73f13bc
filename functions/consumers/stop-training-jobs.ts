import { stopTrainingJobs as contract } from '#shared/service/pipelines/background.ts';
import { stopTrainingJobs } from '#shared/training/wire/training-jobs.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(contract, { stopTrainingJobs }, ({ detail }, { stopTrainingJobs }) =>
  stopTrainingJobs(detail.input),
);
