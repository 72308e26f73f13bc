import { serve } from '#shared/platform/runtime/serve.ts';
import { listVerdicts as contract } from '#shared/review/contracts/review.ts';
import { listVerdicts } from '#shared/review/list-verdicts.ts';
import { reviewReads } from '#shared/review/wire.ts';

export const handler = serve(
  contract,
  reviewReads,
  async ({ caller, params, query, signal }, { datasets, ...ports }) =>
    listVerdicts(ports, await datasets.require(caller, params.dataset_id), query, signal),
);
