import { dataOf, serverSentEvents, type TunesmithClient, TunesmithError } from 'tunesmith';
import { type Answer, afterEvent, answerOf, NO_ANSWER, stopped } from './answer.ts';
import type { ResponseRequest } from './request.ts';

/** How often a growing answer is shown again: its Markdown is read anew each time. */
const SHOW_EVERY_MS = 80;

/**
 * Asks a model, and tells the answer as it grows. A service that does not stream sends it whole.
 * @returns the answer at its end; the one so far, if the signal ended it
 * @throws {TunesmithError} if the service refuses the request, or the connection is lost
 */
export async function ask(
  client: TunesmithClient,
  body: ResponseRequest,
  signal: AbortSignal,
  onAnswer: (answer: Answer) => void,
): Promise<Answer> {
  let answer = NO_ANSWER;
  try {
    const asked = client.POST('/api/v1/responses', { body, signal, parseAs: 'stream' });
    await dataOf(asked);
    const { response } = await asked;
    const { body: stream } = response;
    if (stream === null) throw lost(null);
    if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
      answer = answerOf(await new Response(stream).json());
      return answer;
    }
    let shownAt = 0;
    for await (const event of eventsOf(stream)) {
      answer = afterEvent(answer, event);
      const now = performance.now();
      if (now - shownAt < SHOW_EVERY_MS) continue;
      shownAt = now;
      onAnswer(answer);
    }
    // A stream that ends in the middle has no last event.
    if (answer.status === 'waiting' || answer.status === 'streaming') throw lost(null);
    return answer;
  } catch (error) {
    if (signal.aborted) return stopped(answer);
    onAnswer(answer);
    throw error instanceof TunesmithError ? error : lost(error);
  }
}

const lost = (cause: unknown): TunesmithError =>
  new TunesmithError(
    'The connection was lost before the answer ended. What was written until then is billed. Ask again.',
    { status: 0, code: 'unreachable', requestId: null, details: [], retryAfterSeconds: null },
    { cause },
  );

/** The events of a stream as JSON, until `[DONE]`. */
async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  for await (const { data } of serverSentEvents(stream)) {
    if (data === '[DONE]') return;
    yield JSON.parse(data);
  }
}
