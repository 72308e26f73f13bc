import type { Schemas, TunesmithClient } from './client.ts';
import { dataOf, errorOfNetwork, TunesmithError } from './errors.ts';
import type { ResponseEvent } from './response-events.ts';
import { serverSentEvents } from './server-sent.ts';

export interface StreamOptions {
  /** Ends the stream with the signal's reason. What the model has written until then is billed. */
  readonly signal?: AbortSignal;
}

const LAST_EVENTS: readonly string[] = ['response.completed', 'response.incomplete', 'response.failed'];

/**
 * Asks a model and yields the events of its answer as they come. The last one is `response.completed`,
 * `response.incomplete` or `response.failed` and has the whole response. Is not repeated on its own: an answer costs.
 * @throws {TunesmithError} if the service refuses the request, or the connection is lost before the last event
 */
export async function* streamResponse(
  client: TunesmithClient,
  request: Omit<Schemas['CreateResponseRequest'], 'stream'>,
  { signal }: StreamOptions = {},
): AsyncGenerator<ResponseEvent, void, undefined> {
  const asked = client.POST('/api/v1/responses', {
    // The fetch library maps the type of the body over itself, and the compiler cannot see that both are one.
    body: { ...request, stream: true } as never,
    parseAs: 'stream',
    ...(signal === undefined ? {} : { signal }),
  });
  await dataOf(asked);
  const { response } = await asked;
  if (response.body === null) throw lost(null);
  let isEnded = false;
  try {
    for await (const event of eventsOf(response.body)) {
      isEnded = LAST_EVENTS.includes(event.type);
      yield event;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw lost(cause);
  }
  if (!isEnded) throw lost(null);
}

const lost = (cause: unknown): TunesmithError => {
  const { status, code, requestId, details, retryAfterSeconds } = errorOfNetwork(cause);
  return new TunesmithError(
    'The connection was lost before the answer ended. What was written until then is billed. Ask again.',
    { status, code, requestId, details, retryAfterSeconds },
    { cause },
  );
};

/** The events of a stream, whose data is JSON, until `[DONE]`. */
async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<ResponseEvent> {
  for await (const { data } of serverSentEvents(stream)) {
    if (data === '[DONE]') return;
    yield JSON.parse(data) as ResponseEvent;
  }
}
