import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { createVersionRepository } from '#shared/datasets/store/versions.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { findRead as find, type NamedRead } from '../find-read.ts';

type FindRead = (dataset: DatasetRecord, read: NamedRead) => Promise<RunRecord | null | undefined>;

export const findRead = /* @__PURE__ */ need<FindRead>({ table: 'read' }, (use) => {
  const table = use(theTable);
  const ports = { versions: createVersionRepository(table), runs: createRunRepository(table) };
  return (dataset, read) => find(ports, dataset, read);
});
