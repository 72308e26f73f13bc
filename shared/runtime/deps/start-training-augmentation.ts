import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createIdempotencyRepository } from '../../adapters/dynamodb/idempotency.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { createExecutions } from '../../adapters/stepfunctions/executions.ts';
import type { TrainingRecord } from '../../domain/training/record.ts';
import { createSettleRun } from '../../operations/settle-run.ts';
import {
  startTrainingAugmentation as start,
  type TrainingAugmentation,
} from '../../operations/start-training-augmentation.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { theLedger } from './ledger.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';
import { theTrainings } from './trainings.ts';

type StartTrainingAugmentation = (training: TrainingRecord, now: number) => Promise<TrainingAugmentation>;

export const startTrainingAugmentation = need<StartTrainingAugmentation>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['runs'], write: ['runs'] },
    starts: ['augment'],
  },
  () => {
    const table = theTable();
    const ledger = theLedger();
    const ports = {
      ledger,
      settleRun: createSettleRun({ ledger }),
      datasets: createDatasetRepository(table),
      runs: createRunRepository(table),
      trainings: theTrainings(),
      idempotency: createIdempotencyRepository(table),
      objects: theObjects(),
      executions: createExecutions((pipeline) => env.stateMachineArn(pipeline)),
    };
    return (training, now) => start(ports, training, now);
  },
);
