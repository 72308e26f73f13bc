import { createIdempotencyRepository } from '#shared/access/store/idempotency.ts';
import type { Use } from '#shared/platform/runtime/need.ts';
import { newUuid } from '#shared/platform/wire/ids.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createLaunchRun, type LaunchRun } from '../launch-run.ts';
import { createSettleRun } from '../settle-run.ts';
import { createRunRepository } from '../store/runs.ts';
import { theExecutions } from './executions.ts';
import { theLedger } from './ledger.ts';

/** Launches runs. A need that uses it must declare the table, the run's object and the state machine. */
export function theLaunchRun(use: Use): LaunchRun {
  const table = use(theTable);
  const ledger = theLedger(use);
  return createLaunchRun({
    ledger,
    settleRun: createSettleRun({ ledger }),
    runs: createRunRepository(table),
    idempotency: createIdempotencyRepository(table),
    objects: { write: (...args) => use(theObjects).write(...args) },
    executions: use(theExecutions),
    newId: use(newUuid),
  });
}
