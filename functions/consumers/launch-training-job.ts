import { logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { launchTrainingJob as contract } from '#shared/training/background.ts';
import { launchTrainingJob } from '#shared/training/wire/training-jobs.ts';

export const handler = runTask(
  contract,
  { launchTrainingJob },
  async ({ Records }, { launchTrainingJob }) => {
    const batchItemFailures: { itemIdentifier: string }[] = [];
    for (const { messageId, body } of Records) {
      const launched = await launchTrainingJob(body);
      if (launched.outcome === 'refused') logger.error('training job refused', { ...launched });
      else logger.info('training job', { ...launched });
      if (launched.outcome === 'waits') batchItemFailures.push({ itemIdentifier: messageId });
    }
    return { batchItemFailures };
  },
);
