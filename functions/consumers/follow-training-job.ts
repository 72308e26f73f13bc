import { logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { followTrainingJob as contract } from '#shared/training/background.ts';
import { followTrainingJob } from '#shared/training/wire/training-jobs.ts';

export const handler = runTask(
  contract,
  { followTrainingJob },
  async ({ detail }, { followTrainingJob }, { now }) => {
    const outcome = await followTrainingJob(detail, now);
    const { TrainingJobName: name, TrainingJobStatus: status, SecondaryStatus: state } = detail;
    logger.info('training job heard of', { name, status, state, outcome });
    return { outcome };
  },
);
