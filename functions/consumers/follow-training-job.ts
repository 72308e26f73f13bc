import { followTrainingJob as contract } from '#shared/pipelines/background.ts';
import { followTrainingJob } from '#shared/runtime/deps/training-jobs.ts';
import { logger } from '#shared/runtime/logger.ts';
import { runTask } from '#shared/runtime/task.ts';

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
