import { serveStream } from '#shared/platform/runtime/serve-stream.ts';
import { createResponse as contract } from '#shared/responses/contracts/responses.ts';
import { foldEvents, isLastEvent } from '#shared/responses/decide/fold-events.ts';
import { responder } from '#shared/responses/wire-responder.ts';

export const handler = serveStream(
  contract,
  { respond: responder },
  ({ body }) => body.stream === true,
  async ({ input: { caller, body, signal }, isCommitted }, { respond }) => ({
    events: respond({ caller, request: body, signal, isCommitted }),
    isLast: isLastEvent,
    fold: body.stream === true ? null : foldEvents,
  }),
);
