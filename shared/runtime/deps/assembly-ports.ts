import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { writeRows } from '../../adapters/tabular/write-rows.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

/** What puts the rows of a run into the dataset that it makes. */
export function theAssemblyPorts() {
  const table = theTable();
  return {
    datasets: createDatasetRepository(table),
    runs: createRunRepository(table),
    objects: theObjects(),
    writeRows,
  };
}
