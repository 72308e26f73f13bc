import { logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { lendCredentials as contract } from '#shared/training/background.ts';
import { lendCredentials } from '#shared/training/wire/lend-credentials.ts';

export const handler = runTask(contract, { lendCredentials }, async (input, { lendCredentials }) => {
  const credentials = await lendCredentials(input);
  logger.info('credentials of an attempt', { job_key: input.job_key, lent: credentials !== null });
  return { credentials };
});
