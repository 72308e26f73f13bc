import { serve } from '#shared/platform/runtime/serve.ts';
import { createTraining as contract } from '#shared/training/contracts.ts';
import { createTraining } from '#shared/training/create-training.ts';
import { trainingLaunch } from '#shared/training/wire.ts';

export const handler = serve(contract, trainingLaunch, ({ caller, body, now }, ports) =>
  createTraining(ports, { caller, request: body, now }),
);
