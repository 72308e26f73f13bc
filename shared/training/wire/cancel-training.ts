import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createSettleRun } from '#shared/runs/settle-run.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { theExecutions } from '#shared/runs/wire/executions.ts';
import { theLedger } from '#shared/runs/wire/ledger.ts';
import { cancelTraining as cancel } from '../cancel-training.ts';
import type { TrainingRun } from '../schema/training.ts';
import { theTrainings } from './trainings.ts';

type CancelTraining = (
  caller: { team_id: string },
  experimentId: string,
  now: number,
) => Promise<TrainingRun>;

export const cancelTraining = /* @__PURE__ */ need<CancelTraining>(
  { table: 'write', credits: 'write', stops: ['train'] },
  (use) => {
    const ports = {
      trainings: theTrainings(use),
      runs: createRunRepository(use(theTable)),
      settleRun: createSettleRun({ ledger: theLedger(use) }),
      executions: use(theExecutions),
      onStopFailed: (error: unknown) =>
        logger.warn('the execution of a cancelled training was not stopped', describeError(error)),
    };
    return (caller, experimentId, now) => cancel(ports, caller, experimentId, now);
  },
);
