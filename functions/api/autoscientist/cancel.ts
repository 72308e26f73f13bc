import { cancelTraining as contract } from '#shared/contracts/training.ts';
import { cancelTraining } from '#shared/runtime/deps/cancel-training.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  contract,
  { cancelTraining },
  async ({ caller, params, now }, { cancelTraining }) => cancelTraining(caller, params.experiment_id, now),
);
