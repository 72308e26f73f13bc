import { createIdempotencyRepository } from '../../adapters/dynamodb/idempotency.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { createExecutions } from '../../adapters/stepfunctions/executions.ts';
import { createLaunchRun, type LaunchRun } from '../../operations/launch-run.ts';
import { createSettleRun } from '../../operations/settle-run.ts';
import { env } from '../env.ts';
import { newUuid } from './ids.ts';
import { theLedger } from './ledger.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

/** Launches runs. A need that uses it must declare the table, the run's object and the state machine. */
export function theLaunchRun(): LaunchRun {
  const table = theTable();
  const ledger = theLedger();
  return createLaunchRun({
    ledger,
    settleRun: createSettleRun({ ledger }),
    runs: createRunRepository(table),
    idempotency: createIdempotencyRepository(table),
    objects: { write: (...args) => theObjects().write(...args) },
    executions: createExecutions((pipeline) => env.stateMachineArn(pipeline)),
    newId: newUuid.get(),
  });
}
