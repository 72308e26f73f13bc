import { clock } from '#shared/models/wire.ts';
import { createFineTuningJob as contract } from '#shared/openai/contracts/fine-tuning.ts';
import { createFineTuningJob } from '#shared/openai/create-fine-tuning-job.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { trainingLaunch } from '#shared/training/wire.ts';

export const handler = serve(contract, { ...trainingLaunch, clock }, ({ caller, body, now }, ports) =>
  createFineTuningJob(ports, { caller, request: body, now }),
);
