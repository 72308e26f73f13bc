import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { writeRows } from '../../adapters/tabular/write-rows.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

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
