import { createIdempotencyRepository } from '#shared/access/store/idempotency.ts';
import { env } from '#shared/platform/runtime/env.ts';
import { newUuid } from '#shared/platform/wire/ids.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createExecutions } from '../adapters/executions.ts';
import { createLaunchRun, type LaunchRun } from '../launch-run.ts';
import { createSettleRun } from '../settle-run.ts';
import { createRunRepository } from '../store/runs.ts';
import { theLedger } from './ledger.ts';

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
