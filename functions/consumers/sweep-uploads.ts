import { datasets } from '#shared/datasets/wire.ts';
import { sweepUploads as contract } from '#shared/ingest/background.ts';
import { createSweepUploads } from '#shared/ingest/sweep-uploads.ts';
import { uploadBytesMax, uploadsWaitingBytesMax } from '#shared/ingest/wire.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { bucketPrefixes } from '#shared/platform/runtime/uses.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

export const handler = runTask(
  contract,
  {
    objects: objects({ read: ['uploads'], delete: ['uploads'] }),
    datasets: datasets('read'),
    waitingBytesMax: uploadsWaitingBytesMax,
    fileBytesMax: uploadBytesMax,
  },
  async (_event, ports) => {
    const swept = await createSweepUploads({ ...ports, prefix: bucketPrefixes.uploads })();
    if (swept.deleted > 0) logger.warn('uploads deleted', { deleted: swept.deleted });
    return swept;
  },
);
