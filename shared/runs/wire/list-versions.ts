import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { VersionsPage, VersionsQuery } from '#shared/datasets/schema/version.ts';
import { createVersionRepository } from '#shared/datasets/store/versions.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { listVersions as list } from '../list-versions.ts';
import { createRunRepository } from '../store/runs.ts';

type ListVersions = (dataset: DatasetRecord, query: VersionsQuery) => Promise<VersionsPage>;

export const listVersions = /* @__PURE__ */ need<ListVersions>({ table: 'read' }, (use) => {
  const table = use(theTable);
  const ports = { versions: createVersionRepository(table), runs: createRunRepository(table) };
  return (dataset, { limit, before }) =>
    list(ports, dataset, { ...(limit === undefined ? {} : { limit }), before: before ?? null });
});
