import { logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { launchTrainingJob as contract } from '#shared/training/background.ts';
import { launchTrainingJob } from '#shared/training/launch-training-job.ts';
import { TrainerMessage } from '#shared/training/schema/training-job.ts';
import { taskTokens, trainingJobs, trainings } from '#shared/training/wire.ts';

export const handler = runTask(
  contract,
  {
    trainings: trainings('write'),
    objects: objects({ read: ['trainings'] }),
    tokens: taskTokens,
    jobs: trainingJobs,
  },
  async ({ Records }, ports) => {
    const batchItemFailures: { itemIdentifier: string }[] = [];
    for (const { messageId, body } of Records) {
      const launched = await launchTrainingJob(ports, TrainerMessage.parse(JSON.parse(body)));
      if (launched.outcome === 'refused') logger.error('training job refused', { ...launched });
      else logger.info('training job', { ...launched });
      if (launched.outcome === 'waits') batchItemFailures.push({ itemIdentifier: messageId });
    }
    return { batchItemFailures };
  },
);
