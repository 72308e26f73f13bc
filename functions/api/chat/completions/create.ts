import { createChatCompletion as contract } from '#shared/openai/contracts/chat.ts';
import {
  foldChat,
  inWordsOfChat,
  isLastChunk,
  toChunks,
  toResponseRequest,
} from '#shared/openai/decide/chat.ts';
import { serveStream } from '#shared/platform/runtime/serve-stream.ts';
import { isLastEvent } from '#shared/responses/decide/fold-events.ts';
import { responder } from '#shared/responses/wire-responder.ts';

export const handler = serveStream(
  contract,
  { respond: responder },
  ({ body }) => body.stream === true,
  async ({ input: { caller, body, signal }, isCommitted }, { respond }) => {
    const events = inWordsOfChat(respond({ caller, ...toResponseRequest(body), signal, isCommitted }));
    if (body.stream !== true) return { events, isLast: isLastEvent, fold: foldChat };
    const includesUsage = body.stream_options?.include_usage === true;
    return {
      events: toChunks(events, { includesUsage, isCommitted }),
      isLast: isLastChunk(includesUsage),
      fold: null,
    };
  },
);
