import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import type { RunRecord } from '../../domain/runs/record.ts';
import { settleGrowth as settle } from '../../operations/settle-growth.ts';
import { createSettleRun } from '../../operations/settle-run.ts';
import type { ErrorData } from '../../schema/common.ts';
import type { RunContext } from '../../schema/run-context.ts';
import { need } from '../need.ts';
import { theLedger } from './ledger.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

type SettleGrowth = (context: RunContext, error: ErrorData | null, now: number) => Promise<RunRecord>;

/** Ends a run that creates a dataset and bills the delivered rows. */
export const settleGrowth = need<SettleGrowth>(
  { table: 'write', credits: 'write', bucket: { read: ['runs'] } },
  () => {
    const table = theTable();
    const ports = {
      datasets: createDatasetRepository(table),
      runs: createRunRepository(table),
      objects: theObjects(),
      settleRun: createSettleRun({ ledger: theLedger() }),
    };
    return (context, error, now) => settle(ports, context, error, now);
  },
);
