import { serve } from '#shared/platform/runtime/serve.ts';
import { createComparison as contract } from '#shared/training/contracts.ts';
import { createComparison } from '#shared/training/wire/create-comparison.ts';

export const handler = serve(
  contract,
  { createComparison },
  async ({ caller, body, now }, { createComparison }) => createComparison({ caller, request: body, now }),
);
