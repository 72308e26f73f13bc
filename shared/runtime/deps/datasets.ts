import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import type { DatasetRepository } from '../../domain/datasets/repository.ts';
import { type Need, need } from '../need.ts';
import { theTable } from './table.ts';

export const datasets = (access: 'read' | 'write'): Need<DatasetRepository> =>
  need({ table: access }, () => createDatasetRepository(theTable()));
