import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { createVersionRepository } from '#shared/datasets/store/versions.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theInvokers } from '#shared/platform/wire/invoker.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { buildDiff as build, type DiffOf } from '../build-diff.ts';
import { readDiff as read } from '../read-diff.ts';
import type { Diff, DiffQuery } from '../schema/diff.ts';

const BUILDER = 'tasks/exports/build-diff';

type ReadDiff = (dataset: DatasetRecord, query: DiffQuery, now: number) => Promise<Diff>;

export const readDiff = /* @__PURE__ */ need<ReadDiff>(
  { table: 'write', bucket: { read: ['datasets', 'exports', 'runs'] }, invokes: [BUILDER] },
  (use) => {
    const table = use(theTable);
    const ports = {
      versions: createVersionRepository(table),
      runs: createRunRepository(table),
      objects: use(theObjects),
      claims: createClaims(table),
      startDiff: use(theInvokers)(BUILDER).start,
    };
    return (dataset, query, now) => read(ports, dataset, query, now);
  },
);

export const buildDiff = /* @__PURE__ */ need<(of: DiffOf) => Promise<{ rows: number }>>(
  {
    table: 'write',
    bucket: { read: ['datasets', 'exports', 'runs'], write: ['exports'], delete: ['exports'] },
  },
  (use) => {
    const table = use(theTable);
    const ports = {
      datasets: createDatasetRepository(table),
      versions: createVersionRepository(table),
      runs: createRunRepository(table),
      objects: use(theObjects),
      claims: createClaims(table),
    };
    return (of) => build(ports, of);
  },
);
