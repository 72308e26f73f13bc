import { createTunesmith, type ResponseEvent, streamResponse } from 'tunesmith';
import { expect, expectTypeOf, test } from 'vitest';
import type { ResponseEvent as SentEvent } from '#shared/responses/schema/response.ts';
import { fakeService, problem, SERVICE_URL } from '#test/helpers/fake-service.ts';

const POST = 'POST /api/v1/responses';

function ask(respond: () => Response, signal?: AbortSignal) {
  const service = fakeService({ [POST]: respond });
  const client = createTunesmith({
    baseUrl: SERVICE_URL,
    apiKey: 'k',
    fetch: (request: Request) => service.fetch(request),
  });
  const events = streamResponse(client, { model: 'm', input: 'Hi' }, signal === undefined ? {} : { signal });
  return { service, events };
}

/** Server-sent events, cut into pieces that do not respect their bounds. */
function sent(text: string): Response {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
      controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

const event = (data: object) => `event: x\ndata: ${JSON.stringify(data)}\n\n`;
const delta = (text: string) => event({ type: 'response.output_text.delta', delta: text });
const done = event({ type: 'response.completed', response: { id: 'resp_1' } });

async function textOf(events: AsyncIterable<ResponseEvent>): Promise<string> {
  let text = '';
  for await (const each of events)
    text += each.type === 'response.output_text.delta' ? each.delta : `[${each.type}]`;
  return text;
}

test('a streamed answer is asked for as a stream, and comes event by event', async () => {
  const { service, events } = ask(() =>
    sent(`: ping\n\n${delta('Grüß ')}${delta('dich ✓')}${done}data: [DONE]\n\n`),
  );

  expect(await textOf(events)).toBe('Grüß dich ✓[response.completed]');
  expect(service.bodiesOf(POST)).toEqual([{ model: 'm', input: 'Hi', stream: true }]);
});

test('a streamed answer that breaks off is an error, not a short answer', async () => {
  await expect(textOf(ask(() => sent(delta('Hel'))).events)).rejects.toMatchObject({
    status: 0,
    code: 'unreachable',
    message: expect.stringContaining('before the answer ended'),
  });
});

test('a streamed answer that is refused is the error of the service, and is asked for once', async () => {
  const { service, events } = ask(() => problem(503, 'model_unavailable', { 'retry-after': '0' }));

  await expect(textOf(events)).rejects.toMatchObject({ code: 'model_unavailable' });
  expect(service.received).toHaveLength(1);
});

test('a streamed answer is cancelled when its reader has enough', async () => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode(delta('on '))),
    cancel: () => {
      isCancelled = true;
    },
  });
  for await (const each of ask(() => new Response(body)).events) {
    expect(each.type).toBe('response.output_text.delta');
    break;
  }

  expect(isCancelled).toBe(true);
});

test('a streamed answer has the events that the service sends', () => {
  expectTypeOf<SentEvent['type']>().toEqualTypeOf<ResponseEvent['type']>();
  expectTypeOf<SentEvent>().toExtend<ResponseEvent>();
});
