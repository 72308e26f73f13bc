import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { createVoucherRepository } from '../../adapters/dynamodb/vouchers.ts';
import { createTraining as create } from '../../operations/create-training.ts';
import type { TrainingRun } from '../../schema/training.ts';
import { need } from '../need.ts';
import { theLaunchRun } from './launch-run.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';
import { trainers } from './trainers.ts';
import { theTrainings } from './trainings.ts';

type CreateTraining = (input: Parameters<typeof create>[1]) => Promise<TrainingRun>;

export const createTraining = need<CreateTraining>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['datasets', 'runs'] },
    starts: ['train'],
    trainers: true,
  },
  () => {
    const table = theTable();
    const ports = {
      datasets: createDatasetRepository(table),
      runs: createRunRepository(table),
      trainings: theTrainings(),
      vouchers: createVoucherRepository(table),
      objects: theObjects(),
      launchRun: theLaunchRun(),
      trainers: trainers.get(),
    };
    return (input) => create(ports, input);
  },
);
