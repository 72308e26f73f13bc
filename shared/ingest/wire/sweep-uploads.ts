import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { env } from '#shared/platform/runtime/env.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { bucketPrefixes } from '#shared/platform/runtime/uses.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createSweepUploads, type SweepUploads } from '../sweep-uploads.ts';

export const sweepUploads = /* @__PURE__ */ need<SweepUploads>(
  { table: 'read', bucket: { read: ['uploads'], delete: ['uploads'] } },
  () => () =>
    createSweepUploads({
      objects: theObjects(),
      datasets: createDatasetRepository(theTable()),
      prefix: bucketPrefixes.uploads,
      waitingBytesMax: env.uploadsWaitingBytesMax(),
      fileBytesMax: env.uploadBytesMax(),
    })(),
);
