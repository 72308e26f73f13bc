import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { writeRows } from '#shared/tabular/adapters/write-rows.ts';
import { createRunRepository } from '../store/runs.ts';

/** The ports for writing a run's rows into the dataset that it creates. */
export function theAssemblyPorts() {
  const table = theTable();
  return {
    datasets: createDatasetRepository(table),
    runs: createRunRepository(table),
    objects: theObjects(),
    writeRows,
  };
}
