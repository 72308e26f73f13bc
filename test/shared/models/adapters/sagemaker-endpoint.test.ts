import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectSageMaker, type SageMakerEndpoints } from '#shared/models/adapters/sagemaker-endpoint.ts';
import type { TurnPart, TurnRequest } from '#shared/models/decide/turn.ts';
import { rawFrame } from '#test/helpers/bedrock-endpoint.ts';
import { newTurn, userSays } from '#test/helpers/turns.ts';

const NAME = 'tunesmith-dev-1';
type Reply = (response: ServerResponse) => void;

let server: Server;
let endpoints: SageMakerEndpoints;
let requests: { path: string; component: unknown; body: Record<string, unknown> }[];
let replies: Reply[];

beforeEach(async () => {
  requests = [];
  replies = [];
  server = createServer((request: IncomingMessage, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.once('end', () => {
      requests.push({
        path: request.url ?? '',
        component: request.headers['x-amzn-sagemaker-inference-component'],
        body: JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>,
      });
      const reply = replies.length > 1 ? replies.shift() : replies[0];
      reply?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv(
    'AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME',
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  endpoints = connectSageMaker({
    region: 'eu-west-1',
    timeoutSeconds: 20,
    connectionsMax: 2,
    pauseMilliseconds: 10,
  });
});

afterEach(async () => {
  vi.unstubAllEnvs();
  endpoints.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const part = (bytes: Buffer): Buffer =>
  rawFrame(
    {
      ':message-type': 'event',
      ':event-type': 'PayloadPart',
      ':content-type': 'application/octet-stream',
    },
    bytes,
  );
const exception = (type: string, body: object): Buffer =>
  rawFrame(
    { ':message-type': 'exception', ':exception-type': type, ':content-type': 'application/json' },
    Buffer.from(JSON.stringify(body)),
  );

const streaming =
  (...frames: readonly Buffer[]): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
    response.end(Buffer.concat(frames));
  };

const events = (...values: readonly object[]): string =>
  [...values.map((value) => JSON.stringify(value)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
const says = (content: string, more: object = {}) => ({
  choices: [{ index: 0, delta: { content }, ...more }],
});
const USAGE = { choices: [], usage: { prompt_tokens: 12, completion_tokens: 2 } };

const refusing =
  (status: number, type: string, body: object): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': type });
    response.end(JSON.stringify(body));
  };
/** What SageMaker answers for a model of which no copy runs, in its words. */
const NO_CAPACITY = refusing(400, 'ValidationError', {
  Message:
    'Inference Component has no capacity to process this request. ApplicationAutoScaling may be in-progress (if configured) or try to increase the capacity by invoking UpdateInferenceComponentRuntimeConfig API.',
});

async function answer(
  request: Partial<TurnRequest> = {},
  { reasons = false, signal = new AbortController().signal } = {},
): Promise<TurnPart[]> {
  const parts: TurnPart[] = [];
  const asked = newTurn({ items: [userSays('Hello?')], ...request });
  const model = endpoints.answering(NAME, 'Qwen/Qwen3.5-9B', reasons);
  for await (const each of model.answer(asked, signal)) parts.push(each);
  return parts;
}

describe('an endpoint of SageMaker that answers', () => {
  it('an endpoint of SageMaker that answers is asked for a chat completion, and streams it, wherever the bytes are cut', async () => {
    const bytes = Buffer.from(
      events(says('Grüß'), says(' Gott.'), says('', { finish_reason: 'stop' }), USAGE),
    );
    replies = [streaming(...Array.from(bytes, (byte) => part(Buffer.of(byte))))];

    const parts = await answer({ instructions: 'Be brief.', maxOutputTokens: 50, temperature: 0.2 });

    expect(parts).toEqual([
      { type: 'text', delta: 'Grüß' },
      { type: 'text', delta: ' Gott.' },
      {
        type: 'end',
        reason: 'stop',
        usage: { inputTokens: 12, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 2, reasoningTokens: 0 },
      },
    ]);
    expect(requests).toEqual([
      {
        path: `/endpoints/${NAME}/invocations-response-stream`,
        component: NAME,
        body: {
          model: NAME,
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'Hello?' },
          ],
          stream: true,
          stream_options: { include_usage: true },
          max_tokens: 50,
          temperature: 0.2,
          chat_template_kwargs: { enable_thinking: false },
        },
      },
    ]);
  });

  it('an endpoint of SageMaker that answers has a model reason that was trained so', async () => {
    replies = [streaming(part(Buffer.from(events(says('Yes.', { finish_reason: 'stop' })))))];

    await answer({}, { reasons: true });

    expect(requests[0]?.body.chat_template_kwargs).toEqual({ enable_thinking: true });
  });

  it.each([
    ['of which no copy runs', NO_CAPACITY],
    [
      'whose copy is not ready',
      refusing(429, 'ModelNotReadyException', {
        Message:
          "Either a serverless endpoint variant's resources are still being provisioned, or a multi-model endpoint is still downloading or loading the target model. Wait and try your request again.",
      }),
    ],
  ])('an endpoint of SageMaker that answers %s is asked again until it does', async (_, refused) => {
    replies = [
      refused,
      refused,
      streaming(part(Buffer.from(events(says('Back.', { finish_reason: 'stop' }))))),
    ];

    expect((await answer())[0]).toEqual({ type: 'text', delta: 'Back.' });
    expect(requests).toHaveLength(3);
  });

  it('an endpoint of SageMaker that is being started is not waited for by a caller who has left, and has read nothing', async () => {
    const ending = new AbortController();
    replies = [
      (response) => {
        NO_CAPACITY(response);
        setTimeout(() => ending.abort(new Error('left')), 5);
      },
    ];

    await expect(answer({}, { signal: ending.signal })).rejects.toMatchObject({
      isStarting: true,
      retryAfterSeconds: 60,
    });
  });

  it('an endpoint of SageMaker that answers nothing for five minutes is unavailable, and says that it is being started', async () => {
    replies = [NO_CAPACITY];
    const start = Date.now();
    const now = vi.spyOn(Date, 'now');
    now.mockImplementation(() => start + requests.length * 150_001);

    await expect(answer()).rejects.toMatchObject({
      kind: 'unavailable',
      retryAfterSeconds: 60,
      message: expect.stringContaining('is being started'),
      toldCaller: expect.stringMatching(/a quarter of an hour .* again in a minute/),
    });
    now.mockRestore();
    expect(requests.length).toBeLessThan(4);
  });

  it.each([
    [
      'refuses a request that is too long',
      424,
      'ModelError',
      {
        Message: 'Received client error (400) from primary with message "…"',
        OriginalStatusCode: 400,
        OriginalMessage:
          "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens in the messages.",
      },
      'too_long',
    ],
    [
      'refuses a field',
      424,
      'ModelError',
      { Message: 'm', OriginalStatusCode: 400, OriginalMessage: 'temperature must be non-negative' },
      'rejected',
    ],
    [
      'fails',
      424,
      'ModelError',
      { Message: 'm', OriginalStatusCode: 500, OriginalMessage: 'x' },
      'unavailable',
    ],
    [
      'is out of reach',
      503,
      'ServiceUnavailable',
      { Message: 'The service is unavailable. Try your call again.' },
      'unavailable',
    ],
    [
      'has an internal failure',
      500,
      'InternalFailure',
      { Message: 'An internal failure occurred.' },
      'unavailable',
    ],
    [
      'is not there',
      400,
      'ValidationError',
      { Message: `Endpoint ${NAME} of account 111122223333 not found.` },
      'misconfigured',
    ],
    [
      'may not be asked',
      403,
      'AccessDeniedException',
      { Message: 'User is not authorized' },
      'misconfigured',
    ],
    ['throttles', 400, 'ThrottlingException', { Message: 'Rate exceeded' }, 'throttled'],
  ])(
    'an endpoint of SageMaker that answers and %s is not asked again',
    async (_, status, type, body, kind) => {
      replies = [refusing(status, type, body)];

      const error = (await answer().catch((caught: unknown) => caught)) as Error;
      expect(error).toMatchObject({ kind });
      expect(error.message).not.toMatch(/messages|111122223333/);
      expect(requests).toHaveLength(1);
    },
  );

  it('an endpoint of SageMaker that answers names the field that its container refuses', async () => {
    replies = [
      refusing(424, 'ModelError', {
        Message: 'm',
        OriginalStatusCode: 400,
        OriginalMessage: 'temperature must be non-negative',
      }),
    ];

    await expect(answer()).rejects.toMatchObject({ requestField: 'temperature' });
  });

  it.each(['ModelStreamError', 'InternalStreamFailure'])(
    'an endpoint of SageMaker that answers and breaks off by %s fails the answer',
    async (type) => {
      replies = [
        streaming(
          part(Buffer.from(`data: ${JSON.stringify(says('Half'))}\n\n`)),
          exception(type, { Message: 'The connection was reset.', ErrorCode: 'StreamBroken' }),
        ),
      ];

      await expect(answer()).rejects.toMatchObject({ kind: 'unavailable' });
      expect(requests).toHaveLength(1);
    },
  );

  it('an endpoint of SageMaker that answers something else is garbage', async () => {
    replies = [streaming(part(Buffer.from('data: nothing\n\n')))];

    await expect(answer()).rejects.toMatchObject({ kind: 'garbage' });
  });

  it('an endpoint of SageMaker that answers refuses tools by name before it is asked', async () => {
    const tools = [{ name: 'weather', description: null, parameters: { type: 'object' }, strict: null }];

    await expect(answer({ tools })).rejects.toMatchObject({ kind: 'rejected', requestField: 'tools' });
    expect(requests).toEqual([]);
  });
});
