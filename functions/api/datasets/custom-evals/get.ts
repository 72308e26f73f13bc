import { datasets } from '#shared/datasets/wire.ts';
import { getCustomEval } from '#shared/judging/contracts.ts';
import { toCustomEval } from '#shared/judging/decide/custom-evals/record.ts';
import { customEvals } from '#shared/judging/wire.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  getCustomEval,
  { datasets: datasets('read'), customEvals: customEvals('read') },
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
