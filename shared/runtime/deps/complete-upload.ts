import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { type CompleteUploadInput, completeUpload as complete } from '../../operations/complete-upload.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { COLUMN_READER, theColumnReader } from './column-reader.ts';
import { theLaunchRun } from './launch-run.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

type CompleteUpload = (input: CompleteUploadInput) => ReturnType<typeof complete>;

export const completeUpload = need<CompleteUpload>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['uploads'], write: ['datasets'] },
    starts: ['ingest'],
    invokes: [COLUMN_READER],
  },
  () => {
    const ports = {
      datasets: createDatasetRepository(theTable()),
      objects: theObjects(),
      launchRun: theLaunchRun(),
      readColumns: theColumnReader(),
      uploadBytesMax: env.uploadBytesMax(),
    };
    return (input) => complete(ports, input);
  },
);
