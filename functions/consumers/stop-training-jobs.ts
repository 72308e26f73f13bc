import { runTask } from '#shared/platform/runtime/task.ts';
import { stopTrainingJobs as contract } from '#shared/training/background.ts';
import { stopTrainingJobs } from '#shared/training/follow-training-job.ts';
import { trainingJobStopper, trainings } from '#shared/training/wire.ts';

export const handler = runTask(
  contract,
  { trainings: trainings('read'), jobs: trainingJobStopper },
  ({ detail }, ports) => stopTrainingJobs(ports, detail.input),
);
