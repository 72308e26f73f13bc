import { serve } from '#shared/platform/runtime/serve.ts';
import { findAlikeRows } from '#shared/review/contracts/review.ts';
import { findAlike } from '#shared/review/find-alike.ts';
import { reviewReads } from '#shared/review/wire.ts';

export const handler = serve(
  findAlikeRows,
  reviewReads,
  async ({ caller, params, query, signal }, { datasets, ...ports }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    return findAlike(ports, { caller, dataset, row: Number(params.row), query, signal });
  },
);
