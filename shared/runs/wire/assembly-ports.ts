import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import type { Use } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { writeRows } from '#shared/tabular/adapters/write-rows.ts';
import { createRunRepository } from '../store/runs.ts';

/** The ports for writing a run's rows into the dataset that it creates. */
export function theAssemblyPorts(use: Use) {
  const table = use(theTable);
  return {
    datasets: createDatasetRepository(table),
    runs: createRunRepository(table),
    objects: use(theObjects),
    writeRows,
  };
}
