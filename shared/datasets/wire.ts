import { need } from '#shared/platform/runtime/need.ts';
import { type Access, theTable } from '#shared/platform/wire.ts';
import { createDatasetRepository } from './store/datasets.ts';
import { createVersionRepository } from './store/versions.ts';

export const datasets = (access: Access) =>
  need({ table: access }, (use) => createDatasetRepository(use(theTable)));

export const versions = (access: Access) =>
  need({ table: access }, (use) => createVersionRepository(use(theTable)));
