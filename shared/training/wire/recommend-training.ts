import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { recommendTraining as recommend } from '../recommend-training.ts';
import { trainers } from './trainers.ts';

type RecommendTraining = (
  ...asked: [caller: Parameters<typeof recommend>[1], request: Parameters<typeof recommend>[2]]
) => ReturnType<typeof recommend>;

export const recommendTraining = /* @__PURE__ */ need<RecommendTraining>(
  { table: 'read', bucket: { read: ['datasets', 'runs'] }, trainers: true },
  (use) => (caller, request) =>
    recommend(
      {
        datasets: createDatasetRepository(use(theTable)),
        runs: createRunRepository(use(theTable)),
        objects: use(theObjects),
        trainers: use(trainers),
      },
      caller,
      request,
    ),
);
