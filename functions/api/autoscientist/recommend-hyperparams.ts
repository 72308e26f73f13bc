import { recommendHyperparams } from '#shared/contracts/training.ts';
import { recommendTraining } from '#shared/runtime/deps/recommend-training.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  recommendHyperparams,
  { recommendTraining },
  async ({ caller, body }, { recommendTraining }) => recommendTraining(caller, body),
);
