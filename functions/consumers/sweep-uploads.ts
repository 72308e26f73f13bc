import { sweepUploads as contract } from '#shared/pipelines/background.ts';
import { sweepUploads } from '#shared/runtime/deps/sweep-uploads.ts';
import { logger } from '#shared/runtime/logger.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(contract, { sweepUploads }, async (_event, { sweepUploads }) => {
  const swept = await sweepUploads();
  if (swept.deleted > 0) logger.warn('uploads deleted', { deleted: swept.deleted });
  return swept;
});
