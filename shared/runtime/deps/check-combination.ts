import { createAccessRepository } from '../../adapters/dynamodb/access.ts';
import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import {
  type CheckCombinationPorts,
  type CheckedCombination,
  checkCombination as check,
} from '../../operations/check-combination.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

export function thePortsOfCombinations(): CheckCombinationPorts {
  const table = theTable();
  return {
    access: createAccessRepository(table),
    datasets: createDatasetRepository(table),
    runs: createRunRepository(table),
    objects: theObjects(),
  };
}

type CheckCombination = (
  caller: Parameters<typeof check>[1],
  datasetIds: readonly string[],
) => Promise<CheckedCombination>;

export const checkCombination = need<CheckCombination>(
  { table: 'read', bucket: { read: ['datasets', 'runs'] } },
  () => (caller, datasetIds) => check(thePortsOfCombinations(), caller, datasetIds),
);
