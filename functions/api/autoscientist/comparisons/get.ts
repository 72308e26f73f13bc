import { serve } from '#shared/platform/runtime/serve.ts';
import { getComparison } from '#shared/training/contracts.ts';
import { readComparison } from '#shared/training/wire/read-comparison.ts';

export const handler = serve(
  getComparison,
  { readComparison },
  async ({ caller, params }, { readComparison }) => readComparison(caller, params.comparison_id),
);
