import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { createExecutions } from '../../adapters/stepfunctions/executions.ts';
import { cancelTraining as cancel } from '../../operations/cancel-training.ts';
import { createSettleRun } from '../../operations/settle-run.ts';
import type { TrainingRun } from '../../schema/training.ts';
import { env } from '../env.ts';
import { describeError, logger } from '../logger.ts';
import { need } from '../need.ts';
import { theLedger } from './ledger.ts';
import { theTable } from './table.ts';
import { theTrainings } from './trainings.ts';

type CancelTraining = (
  caller: { team_id: string },
  experimentId: string,
  now: number,
) => Promise<TrainingRun>;

export const cancelTraining = need<CancelTraining>(
  { table: 'write', credits: 'write', stops: ['train'] },
  () => {
    const ports = {
      trainings: theTrainings(),
      runs: createRunRepository(theTable()),
      settleRun: createSettleRun({ ledger: theLedger() }),
      executions: createExecutions((pipeline) => env.stateMachineArn(pipeline)),
      onStopFailed: (error: unknown) =>
        logger.warn('the execution of a cancelled training was not stopped', describeError(error)),
    };
    return (caller, experimentId, now) => cancel(ports, caller, experimentId, now);
  },
);
