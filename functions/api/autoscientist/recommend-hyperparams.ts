import { datasets } from '#shared/datasets/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { runs } from '#shared/runs/wire.ts';
import { recommendHyperparams } from '#shared/training/contracts.ts';
import { recommendTraining } from '#shared/training/recommend-training.ts';
import { trainers } from '#shared/training/wire.ts';

export const handler = serve(
  recommendHyperparams,
  {
    datasets: datasets('read'),
    runs: runs('read'),
    objects: objects({ read: ['datasets', 'runs'] }),
    trainers,
  },
  ({ caller, body }, ports) => recommendTraining(ports, caller, body),
);
