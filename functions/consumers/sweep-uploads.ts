import { sweepUploads as contract } from '#shared/ingest/background.ts';
import { sweepUploads } from '#shared/ingest/wire/sweep-uploads.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(contract, { sweepUploads }, async (_event, { sweepUploads }) => {
  const swept = await sweepUploads();
  if (swept.deleted > 0) logger.warn('uploads deleted', { deleted: swept.deleted });
  return swept;
});
