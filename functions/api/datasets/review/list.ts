import { startLook } from '#shared/exports/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { listReview } from '#shared/review/contracts/review.ts';
import { readReview } from '#shared/review/read-review.ts';
import { reviewReads } from '#shared/review/wire.ts';

export const handler = serve(
  listReview,
  { ...reviewReads, startLook },
  async ({ caller, params, query, signal, now }, { datasets, ...ports }) =>
    readReview(ports, await datasets.require(caller, params.dataset_id), query, { signal, now }),
);
