import { createClaims } from '#shared/access/store/claims.ts';
import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { exportRows } from '#shared/tabular/adapters/export-rows.ts';
import { type BuildExportPorts, buildExport as build, buildExportsOfRun } from '../build-export.ts';
import { measureExport } from './measure-export.ts';

const uses = { table: 'write', bucket: { read: ['datasets', 'runs'], write: ['exports'] } } as const;

function ports(): BuildExportPorts {
  const table = theTable();
  return {
    datasets: createDatasetRepository(table),
    runs: createRunRepository(table),
    objects: theObjects(),
    claims: createClaims(table),
    exportRows,
  };
}

type Input<T extends (ports: BuildExportPorts, input: never) => unknown> = Parameters<T>[1];

export const buildExport = /* @__PURE__ */ need<(input: Input<typeof build>) => Promise<{ key: string }>>(
  uses,
  () => (input) => measureExport(input.format, () => build(ports(), input)),
);

export const assembleExports = /* @__PURE__ */ need<
  (input: Input<typeof buildExportsOfRun>) => Promise<void>
>(uses, () => (input) => buildExportsOfRun(ports(), input));
