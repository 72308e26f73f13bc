import { logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { lendCredentials as contract } from '#shared/training/background.ts';
import { lendCredentials } from '#shared/training/lend-credentials.ts';
import { credentialLender, trainings } from '#shared/training/wire.ts';

export const handler = runTask(
  contract,
  { trainings: trainings('read'), objects: objects({ read: ['trainings'] }), lender: credentialLender },
  async (input, ports) => {
    const credentials = await lendCredentials(ports, input);
    logger.info('credentials of an attempt', { job_key: input.job_key, lent: credentials !== null });
    return { credentials };
  },
);
