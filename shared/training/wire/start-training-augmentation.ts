import { createIdempotencyRepository } from '#shared/access/store/idempotency.ts';
import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createSettleRun } from '#shared/runs/settle-run.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { theExecutions } from '#shared/runs/wire/executions.ts';
import { theLedger } from '#shared/runs/wire/ledger.ts';
import type { TrainingRecord } from '../decide/record.ts';
import {
  startTrainingAugmentation as start,
  type TrainingAugmentation,
} from '../start-training-augmentation.ts';
import { theTrainings } from './trainings.ts';

type StartTrainingAugmentation = (training: TrainingRecord, now: number) => Promise<TrainingAugmentation>;

export const startTrainingAugmentation = /* @__PURE__ */ need<StartTrainingAugmentation>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['runs'], write: ['runs'] },
    starts: ['augment'],
  },
  (use) => {
    const table = use(theTable);
    const ledger = theLedger(use);
    const ports = {
      ledger,
      settleRun: createSettleRun({ ledger }),
      datasets: createDatasetRepository(table),
      runs: createRunRepository(table),
      trainings: theTrainings(use),
      idempotency: createIdempotencyRepository(table),
      objects: use(theObjects),
      executions: use(theExecutions),
    };
    return (training, now) => start(ports, training, now);
  },
);
