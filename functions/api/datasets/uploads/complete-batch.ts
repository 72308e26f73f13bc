import { completeBatch as contract } from '#shared/contracts/uploads.ts';
import { completeBatch } from '#shared/runtime/deps/complete-batch.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(contract, { completeBatch }, ({ caller, body, now }, { completeBatch }) =>
  completeBatch({ caller, request: body, now }),
);
