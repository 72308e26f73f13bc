import { vouchers } from '#shared/access/wire.ts';
import { datasets, versions } from '#shared/datasets/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { runs } from '#shared/runs/wire.ts';
import { createTraining as contract } from '#shared/training/contracts.ts';
import { createTraining } from '#shared/training/create-training.ts';
import { launchTrainingRun, trainers, trainings } from '#shared/training/wire.ts';

export const handler = serve(
  contract,
  {
    datasets: datasets('read'),
    runs: runs('read'),
    versions: versions('read'),
    trainings: trainings('write'),
    vouchers,
    objects: objects({ read: ['datasets', 'runs'] }),
    launchRun: launchTrainingRun,
    trainers,
  },
  ({ caller, body, now }, ports) => createTraining(ports, { caller, request: body, now }),
);
