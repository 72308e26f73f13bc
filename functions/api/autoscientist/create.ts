import { createTraining as contract } from '#shared/contracts/training.ts';
import { createTraining } from '#shared/runtime/deps/create-training.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  contract,
  { createTraining },
  async ({ caller, body, now }, { createTraining }) => createTraining({ caller, request: body, now }),
);
