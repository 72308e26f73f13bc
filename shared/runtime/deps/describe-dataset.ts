import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { describeDataset as describe } from '../../operations/describe-dataset.ts';
import { need } from '../need.ts';
import { models } from './models.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

type DescribeDataset = (input: Parameters<typeof describe>[1]) => ReturnType<typeof describe>;

const describers = models(['describe'], () => 1);

export const describeDataset = need<DescribeDataset>(
  { ...describers.uses, table: 'write', bucket: { read: ['datasets'] } },
  () => async (input) => {
    const ports = {
      datasets: createDatasetRepository(theTable()),
      objects: theObjects(),
      model: (await describers.get()()).generator('describe'),
    };
    return describe(ports, input);
  },
);
