import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { readColumns } from '../../adapters/tabular/read-columns.ts';
import { type CompleteUploadInput, completeUpload as complete } from '../../operations/complete-upload.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { theLaunchRun } from './launch-run.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

type CompleteUpload = (input: CompleteUploadInput) => ReturnType<typeof complete>;

export const completeUpload = need<CompleteUpload>(
  { table: 'write', bucket: { read: ['uploads'], write: ['datasets'] }, starts: ['ingest'] },
  () => {
    const ports = {
      datasets: createDatasetRepository(theTable()),
      objects: theObjects(),
      launchRun: theLaunchRun(),
      readColumns,
      uploadBytesMax: env.uploadBytesMax(),
    };
    return (input) => complete(ports, input);
  },
);
