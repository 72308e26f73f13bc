import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createSweepUploads, type SweepUploads } from '../../operations/sweep-uploads.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { bucketPrefixes } from '../uses.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

export const sweepUploads = need<SweepUploads>(
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
