import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { createSpeedStore } from '../../adapters/dynamodb/speeds.ts';
import type { RunRecord } from '../../domain/runs/record.ts';
import type { StoredReport } from '../../domain/runs/report.ts';
import {
  assembleRun as assemble,
  type FinishRunPorts,
  finishRun as finish,
} from '../../operations/finish-run.ts';
import { createSettleRun, type SettleRun } from '../../operations/settle-run.ts';
import type { ErrorData } from '../../schema/common.ts';
import type { RunContext } from '../../schema/run-context.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { theLedger } from './ledger.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';
import { theTrainings } from './trainings.ts';

const uses = { table: 'write', credits: 'write', bucket: { read: ['runs'], write: ['runs'] } } as const;

export function thePortsOfEndings(): FinishRunPorts {
  const table = theTable();
  return {
    datasets: createDatasetRepository(table),
    runs: createRunRepository(table),
    trainings: theTrainings(),
    objects: theObjects(),
    settleRun: createSettleRun({ ledger: theLedger() }),
  };
}

/** Ends a run without rows to deliver or bill. */
export const settleRun = need<SettleRun>({ table: 'write', credits: 'write' }, () =>
  createSettleRun({ ledger: theLedger() }),
);

/** Counts the delivered rows of a run; every row must have a result. */
export const assembleRun = need<(context: RunContext, now: number) => Promise<StoredReport>>(
  uses,
  () => (context, now) => assemble(thePortsOfEndings(), context, { mustBeComplete: true, now }),
);

/** Ends an adaptation and bills the delivered rows. */
export const finishRun = need<
  (context: RunContext, error: ErrorData | null, now: number) => Promise<RunRecord>
>(uses, () => (context, error, now) => {
  const measuring = {
    speeds: createSpeedStore(theTable()),
    modelConcurrency: env.modelConcurrency(),
    evaluationSampleRows: env.evaluationSampleRows(),
  };
  return finish({ ...thePortsOfEndings(), measuring }, context, error, now);
});
