import { expect, test } from 'vitest';
import { createTunesmith } from '../../../clients/typescript/src/index.ts';
import type { Answer } from '../../../console/src/playground/answer.ts';
import { ask } from '../../../console/src/playground/stream.ts';

const REQUEST = { model: 'model-1', input: 'Hello', stream: true as const };

const event = (data: object): string => `event: any\ndata: ${JSON.stringify(data)}\n\n`;
const STARTED = event({ type: 'response.created', response: { id: 'resp_1' } });
const MESSAGE = event({
  type: 'response.output_item.added',
  output_index: 0,
  item: { type: 'message', content: [] },
});
const DELTA = event({
  type: 'response.output_text.delta',
  output_index: 0,
  content_index: 0,
  delta: 'Grüße 👋',
});
const RESPONSE = {
  id: 'resp_1',
  status: 'completed',
  output: [{ type: 'message', content: [{ type: 'output_text', text: 'Grüße 👋', annotations: [] }] }],
  usage: { input_tokens: 3, output_tokens: 4 },
};
const COMPLETED = event({ type: 'response.completed', response: RESPONSE });
const ANSWER: Answer = {
  id: 'resp_1',
  status: 'completed',
  items: [{ kind: 'message', texts: [{ text: 'Grüße 👋', citations: [] }] }],
  usage: { input: 3, output: 4 },
  problem: null,
};

/** Asks a service that answers so. */
function asked(answer: () => Response | Promise<Response>, signal = new AbortController().signal) {
  const shown: Answer[] = [];
  const client = createTunesmith({
    baseUrl: 'https://api.example',
    apiKey: 'key',
    fetch: async () => answer(),
  });
  return { shown, answer: ask(client, REQUEST, signal, (each) => shown.push(each)) };
}

const streamed = (...chunks: Uint8Array[]): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    }),
    { headers: { 'content-type': 'text/event-stream; charset=utf-8' } },
  );
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a stream is read whole, wherever its bytes are cut', async () => {
  const all = bytes(`${STARTED}: keep-alive\n\n${MESSAGE}${DELTA}${COMPLETED}data: [DONE]\n\n`);

  for (const size of [1, 7, all.length]) {
    const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
      all.slice(index * size, (index + 1) * size),
    );
    await expect(asked(() => streamed(...chunks)).answer).resolves.toEqual(ANSWER);
  }
});

test('an answer is shown while it grows', async () => {
  const { shown, answer } = asked(() => streamed(bytes(`${STARTED}${MESSAGE}${DELTA}`), bytes(COMPLETED)));
  await answer;

  expect(shown[0]).toMatchObject({ id: 'resp_1', status: 'streaming' });
});

test('an answer that comes whole is read too, after the spaces that keep the connection', async () => {
  const whole = asked(
    () => new Response(`   ${JSON.stringify(RESPONSE)}`, { headers: { 'content-type': 'application/json' } }),
  );

  await expect(whole.answer).resolves.toEqual(ANSWER);
});

test('a refused request is an error with the words of the service', async () => {
  const refused = asked(() =>
    Response.json(
      {
        statusCode: 402,
        code: 'credits_insufficient',
        message: 'Too few credits.',
        details: [],
        request_id: 'r-1',
      },
      { status: 402 },
    ),
  );

  await expect(refused.answer).rejects.toMatchObject({
    status: 402,
    code: 'credits_insufficient',
    message: 'Too few credits.',
    requestId: 'r-1',
  });
});

test('a stream that breaks off is an error, and what came stays shown', async () => {
  const broken = asked(() => streamed(bytes(`${STARTED}${MESSAGE}${DELTA}`)));

  await expect(broken.answer).rejects.toMatchObject({ code: 'unreachable' });
  expect(broken.shown.at(-1)?.items).toEqual(ANSWER.items);
});

test('a stream that is no JSON is an error', async () => {
  await expect(asked(() => streamed(bytes('data: <html>\n\n'))).answer).rejects.toMatchObject({
    code: 'unreachable',
  });
});

test('a stopped answer keeps what came', async () => {
  const control = new AbortController();
  const endless = new ReadableStream<Uint8Array>({
    start(stream) {
      stream.enqueue(bytes(`${STARTED}${MESSAGE}${DELTA}`));
      control.signal.addEventListener('abort', () => stream.error(control.signal.reason));
    },
  });
  const { answer } = asked(
    () => new Response(endless, { headers: { 'content-type': 'text/event-stream' } }),
    control.signal,
  );
  setTimeout(() => control.abort(), 20);

  await expect(answer).resolves.toMatchObject({ status: 'stopped', items: ANSWER.items });
});
