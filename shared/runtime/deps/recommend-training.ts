import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { recommendTraining as recommend } from '../../operations/recommend-training.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';
import { trainers } from './trainers.ts';

type RecommendTraining = (
  ...asked: [caller: Parameters<typeof recommend>[1], request: Parameters<typeof recommend>[2]]
) => ReturnType<typeof recommend>;

export const recommendTraining = need<RecommendTraining>(
  { table: 'read', bucket: { read: ['datasets', 'runs'] }, trainers: true },
  () => (caller, request) =>
    recommend(
      {
        datasets: createDatasetRepository(theTable()),
        runs: createRunRepository(theTable()),
        objects: theObjects(),
        trainers: trainers.get(),
      },
      caller,
      request,
    ),
);
