import { serve } from '#shared/platform/runtime/serve.ts';
import { applyVerdicts } from '#shared/review/contracts/apply.ts';
import { launchReview } from '#shared/review/launch-review.ts';
import { reviewReads } from '#shared/review/wire.ts';
import { launchRun } from '#shared/runs/wire.ts';

export const handler = serve(
  applyVerdicts,
  { ...reviewReads, launchRun: launchRun(['review'], { write: ['runs'] }) },
  async ({ caller, params, body, signal, now }, { datasets, ...ports }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    return launchReview(ports, { caller, dataset, request: body, signal, now });
  },
);
