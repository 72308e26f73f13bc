import { serve } from '#shared/platform/runtime/serve.ts';
import { cancelComparison as contract } from '#shared/training/contracts.ts';
import { cancelComparison } from '#shared/training/wire/cancel-training.ts';
import { readComparison } from '#shared/training/wire/read-comparison.ts';

export const handler = serve(
  contract,
  { cancelComparison, readComparison },
  async ({ caller, params: { comparison_id }, now }, { cancelComparison, readComparison }) => {
    await cancelComparison(caller, comparison_id, now);
    return readComparison(caller, comparison_id);
  },
);
