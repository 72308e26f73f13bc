import { serve } from '#shared/platform/runtime/serve.ts';
import { recommendHyperparams } from '#shared/training/contracts.ts';
import { recommendTraining } from '#shared/training/wire/recommend-training.ts';

export const handler = serve(
  recommendHyperparams,
  { recommendTraining },
  async ({ caller, body }, { recommendTraining }) => recommendTraining(caller, body),
);
