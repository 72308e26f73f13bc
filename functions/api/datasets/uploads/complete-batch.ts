import { completeBatch as contract } from '#shared/ingest/contracts.ts';
import { completeBatch } from '#shared/ingest/wire/complete-batch.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(contract, { completeBatch }, ({ caller, body, now }, { completeBatch }) =>
  completeBatch({ caller, request: body, now }),
);
