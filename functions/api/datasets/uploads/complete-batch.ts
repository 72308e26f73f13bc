import { completeBatch } from '#shared/ingest/complete-batch.ts';
import { completeBatch as contract } from '#shared/ingest/contracts.ts';
import { uploadCompletion } from '#shared/ingest/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(contract, uploadCompletion(), ({ caller, body, now }, ports) =>
  completeBatch(ports, { caller, request: body, now }),
);
