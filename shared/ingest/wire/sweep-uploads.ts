import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { bucketPrefixes } from '#shared/platform/runtime/uses.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createSweepUploads, type SweepUploads } from '../sweep-uploads.ts';

export const sweepUploads = /* @__PURE__ */ need<SweepUploads>(
  { table: 'read', bucket: { read: ['uploads'], delete: ['uploads'] } },
  (use) => () =>
    createSweepUploads({
      objects: use(theObjects),
      datasets: createDatasetRepository(use(theTable)),
      prefix: bucketPrefixes.uploads,
      waitingBytesMax: use.env.uploadsWaitingBytesMax(),
      fileBytesMax: use.env.uploadBytesMax(),
    })(),
);
