import { createCustomEval as contract } from '#shared/adaptation/contracts/custom-evals.ts';
import { createCustomEval } from '#shared/adaptation/wire/create-custom-eval.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  contract,
  { createCustomEval },
  async ({ caller, params, body, now }, { createCustomEval }) =>
    createCustomEval({ caller, datasetId: params.dataset_id, request: body, now }),
);
