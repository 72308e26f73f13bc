import { datasets } from '#shared/datasets/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { freeUses } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { runs } from '#shared/runs/wire.ts';
import { createComparison as contract } from '#shared/training/contracts.ts';
import { createComparison } from '#shared/training/create-comparison.ts';
import { launchTrainingRun, trainers, trainings } from '#shared/training/wire.ts';

export const handler = serve(
  contract,
  {
    datasets: datasets('read'),
    runs: runs('read'),
    trainings: trainings('write'),
    objects: objects({ read: ['datasets', 'runs'] }),
    launchRun: launchTrainingRun,
    trainers,
    freeUses,
  },
  ({ caller, body, now }, ports) => createComparison(ports, { caller, request: body, now }),
);
