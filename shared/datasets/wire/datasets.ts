import { type Need, need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { DatasetRepository } from '../decide/repository.ts';
import { createDatasetRepository } from '../store/datasets.ts';

export const datasets = (access: 'read' | 'write'): Need<DatasetRepository> =>
  need({ table: access }, (use) => createDatasetRepository(use(theTable)));
