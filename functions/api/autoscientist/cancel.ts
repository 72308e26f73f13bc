import { serve } from '#shared/platform/runtime/serve.ts';
import { cancelTraining as contract } from '#shared/training/contracts.ts';
import { cancelTraining } from '#shared/training/wire/cancel-training.ts';

export const handler = serve(
  contract,
  { cancelTraining },
  async ({ caller, params, now }, { cancelTraining }) => cancelTraining(caller, params.experiment_id, now),
);
