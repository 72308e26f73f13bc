import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need, type Use } from '#shared/platform/runtime/need.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { exportRows } from '#shared/tabular/adapters/export-rows.ts';
import { type BuildExportPorts, buildExport as build, buildExportsOfRun } from '../build-export.ts';
import { measureExport } from './measure-export.ts';

const uses = { table: 'write', bucket: { read: ['datasets', 'runs'], write: ['exports'] } } as const;

function ports(use: Use): BuildExportPorts {
  const table = use(theTable);
  return {
    datasets: createDatasetRepository(table),
    runs: createRunRepository(table),
    objects: use(theObjects),
    claims: createClaims(table),
    exportRows,
  };
}

type Input<T extends (ports: BuildExportPorts, input: never) => unknown> = Parameters<T>[1];

export const buildExport = /* @__PURE__ */ need<(input: Input<typeof build>) => Promise<{ key: string }>>(
  { ...uses, bucket: { ...uses.bucket, delete: ['exports'] } },
  (use) => (input) => measureExport(input.format, () => build(ports(use), input)),
);

export const assembleExports = /* @__PURE__ */ need<
  (input: Input<typeof buildExportsOfRun>) => Promise<void>
>(uses, (use) => (input) => buildExportsOfRun(ports(use), input));
