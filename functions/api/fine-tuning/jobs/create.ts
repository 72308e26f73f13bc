import { vouchers } from '#shared/access/wire.ts';
import { datasets, versions } from '#shared/datasets/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { createFineTuningJob as contract } from '#shared/openai/contracts/fine-tuning.ts';
import { createFineTuningJob } from '#shared/openai/create-fine-tuning-job.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { runs } from '#shared/runs/wire.ts';
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
    clock,
  },
  ({ caller, body, now }, ports) => createFineTuningJob(ports, { caller, request: body, now }),
);
