import { lendCredentials as contract } from '#shared/pipelines/background.ts';
import { lendCredentials } from '#shared/runtime/deps/lend-credentials.ts';
import { logger } from '#shared/runtime/logger.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(contract, { lendCredentials }, async (input, { lendCredentials }) => {
  const credentials = await lendCredentials(input);
  logger.info('credentials of an attempt', { job_key: input.job_key, lent: credentials !== null });
  return { credentials };
});
