import { logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { followTrainingJob as contract } from '#shared/training/background.ts';
import { followTrainingJob } from '#shared/training/follow-training-job.ts';
import { taskTokens, trainingJobStopper, trainings } from '#shared/training/wire.ts';

export const handler = runTask(
  contract,
  {
    trainings: trainings('write'),
    objects: objects({ read: ['trainings'] }),
    tokens: taskTokens,
    jobs: trainingJobStopper,
  },
  async ({ detail }, ports, { now }) => {
    const outcome = await followTrainingJob(ports, detail, now);
    const { TrainingJobName: name, TrainingJobStatus: status, SecondaryStatus: state } = detail;
    logger.info('training job heard of', { name, status, state, outcome });
    return { outcome };
  },
);
