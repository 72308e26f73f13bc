import { createResponse as contract } from '#shared/contracts/responses.ts';
import { foldEvents, isLastEvent } from '#shared/domain/responses/fold-events.ts';
import { respond } from '#shared/runtime/deps/respond.ts';
import { serveStream } from '#shared/runtime/serve-stream.ts';

export const handler = serveStream(
  contract,
  { respond },
  ({ body }) => body.stream === true,
  async ({ input: { caller, body, signal }, isCommitted }, { respond }) => ({
    events: respond({ caller, request: body, signal, isCommitted }),
    isLast: isLastEvent,
    fold: body.stream === true ? null : foldEvents,
  }),
);
