import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { ingestFile } from '../../adapters/tabular/ingest-file.ts';
import { ingestDataset } from '../../operations/ingest-dataset.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

type ConvertFile = (input: Parameters<typeof ingestDataset>[1]) => ReturnType<typeof ingestDataset>;

export const convertFile = need<ConvertFile>(
  {
    table: 'write',
    bucket: { read: ['uploads', 'imports', 'datasets'], write: ['datasets'], delete: ['uploads'] },
  },
  () => {
    const ports = {
      datasets: createDatasetRepository(theTable()),
      objects: theObjects(),
      readFile: ingestFile,
      fileBytesMax: env.uploadBytesMax(),
    };
    return (input) => ingestDataset(ports, input);
  },
);
