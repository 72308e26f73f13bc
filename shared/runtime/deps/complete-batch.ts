import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { completeBatch as complete } from '../../operations/complete-batch.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { COLUMN_READER, theColumnReader } from './column-reader.ts';
import { theLaunchRun } from './launch-run.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

type CompleteBatch = (input: Parameters<typeof complete>[1]) => ReturnType<typeof complete>;

export const completeBatch = need<CompleteBatch>(
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
