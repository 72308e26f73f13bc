import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import type { DatasetRecord } from '../../domain/datasets/record.ts';
import { readReport as read } from '../../operations/read-report.ts';
import type { RunReport } from '../../schema/report.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

type ReadReport = (
  dataset: DatasetRecord,
  page: { cursor?: string | undefined; limit?: number | undefined },
  signingKey: string,
) => Promise<RunReport>;

export const readReport = need<ReadReport>({ table: 'read', bucket: { read: ['runs'] } }, () => {
  const ports = { runs: createRunRepository(theTable()), objects: theObjects() };
  return (dataset, page, signingKey) => read(ports, dataset, page, signingKey);
});
