import { datasets } from '#shared/datasets/wire.ts';
import { deploymentRetirer } from '#shared/deployments/wire.ts';
import { evalCopies } from '#shared/evals/wire.ts';
import { eraseDataset as contract } from '#shared/lifecycle/background.ts';
import { eraseDataset } from '#shared/lifecycle/erase-dataset.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { verdicts } from '#shared/review/wire.ts';
import { runs } from '#shared/runs/wire.ts';
import { trainings } from '#shared/training/wire.ts';

const CONTENTS = [
  'datasets',
  'imports',
  'converted',
  'runs',
  'exports',
  'trainings',
  'reuse',
  'evals',
] as const;

export const handler = runTask(
  contract,
  {
    datasets: datasets('write'),
    runs: runs('write'),
    trainings: trainings('write'),
    verdicts: verdicts('write'),
    listCopies: evalCopies,
    retireDeployment: deploymentRetirer,
    objects: objects({ read: CONTENTS, delete: CONTENTS }),
  },
  ({ dataset_id }, ports, { now }) => eraseDataset(ports, dataset_id, now),
);
