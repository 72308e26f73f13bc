import { stopTrainingJobs as contract } from '#shared/pipelines/background.ts';
import { stopTrainingJobs } from '#shared/runtime/deps/training-jobs.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(contract, { stopTrainingJobs }, ({ detail }, { stopTrainingJobs }) =>
  stopTrainingJobs(detail.input),
);
