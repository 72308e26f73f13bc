import { getCustomEval } from '#shared/contracts/custom-evals.ts';
import { toCustomEval } from '#shared/domain/custom-evals/record.ts';
import { ServiceError } from '#shared/errors/service-error.ts';
import { customEvals } from '#shared/runtime/deps/custom-evals.ts';
import { datasets } from '#shared/runtime/deps/datasets.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  getCustomEval,
  { datasets: datasets('read'), customEvals },
  async ({ caller, params, now }, { datasets, customEvals }) => {
    const { dataset_id } = await datasets.require(caller, params.dataset_id);
    const found = await customEvals.find(dataset_id, params.custom_eval_id);
    if (found === null) {
      throw new ServiceError(
        'custom_eval_not_found',
        'The dataset has no custom evaluation with this id. List those that it has.',
      );
    }
    return toCustomEval(found, now);
  },
);
