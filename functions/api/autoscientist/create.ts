import { serve } from '#shared/platform/runtime/serve.ts';
import { createTraining as contract } from '#shared/training/contracts.ts';
import { createTraining } from '#shared/training/wire/create-training.ts';

export const handler = serve(
  contract,
  { createTraining },
  async ({ caller, body, now }, { createTraining }) => createTraining({ caller, request: body, now }),
);
