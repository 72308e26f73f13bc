import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { readReport as read } from '../read-report.ts';
import type { RunReport } from '../schema/report.ts';
import { createRunRepository } from '../store/runs.ts';

type ReadReport = (
  dataset: DatasetRecord,
  page: { cursor?: string | undefined; limit?: number | undefined },
  signingKey: string,
) => Promise<RunReport>;

export const readReport = /* @__PURE__ */ need<ReadReport>(
  { table: 'read', bucket: { read: ['runs'] } },
  (use) => {
    const ports = { runs: createRunRepository(use(theTable)), objects: use(theObjects) };
    return (dataset, page, signingKey) => read(ports, dataset, page, signingKey);
  },
);
