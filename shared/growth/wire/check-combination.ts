import { createAccessRepository } from '#shared/access/store/access.ts';
import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need, type Use } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import {
  type CheckCombinationPorts,
  type CheckedCombination,
  checkCombination as check,
} from '../check-combination.ts';

export function thePortsOfCombinations(use: Use): CheckCombinationPorts {
  const table = use(theTable);
  return {
    access: createAccessRepository(table),
    datasets: createDatasetRepository(table),
    runs: createRunRepository(table),
    objects: use(theObjects),
  };
}

type CheckCombination = (
  caller: Parameters<typeof check>[1],
  datasetIds: readonly string[],
) => Promise<CheckedCombination>;

export const checkCombination = /* @__PURE__ */ need<CheckCombination>(
  { table: 'read', bucket: { read: ['datasets', 'runs'] } },
  (use) => (caller, datasetIds) => check(thePortsOfCombinations(use), caller, datasetIds),
);
