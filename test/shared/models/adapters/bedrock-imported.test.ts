import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BedrockEndpoint as Bedrock } from '#shared/models/adapters/bedrock.ts';
import { createBedrockConnection } from '#shared/models/adapters/bedrock-connection.ts';
import { answerByImport } from '#shared/models/adapters/bedrock-imported.ts';
import type { TurnPart, TurnRequest } from '#shared/models/decide/turn.ts';
import {
  type BedrockEndpoint,
  type ConverseReply,
  connectBedrockEndpoint,
  event,
  exception,
  streamingEvents,
} from '#test/helpers/bedrock-endpoint.ts';
import { newTurn, userSays } from '#test/helpers/turns.ts';

const ARN = 'arn:aws:bedrock:eu-central-1:111122223333:imported-model/r4c4kewx2s0n';

let server: BedrockEndpoint;
let bedrock: Bedrock;

beforeEach(async () => {
  ({ server, bedrock } = await connectBedrockEndpoint());
});

afterEach(async () => {
  vi.unstubAllEnvs();
  bedrock.close();
  await server.close();
});

const chunk = (value: object): Buffer =>
  event('chunk', { bytes: Buffer.from(JSON.stringify(value)).toString('base64') });
const says = (content: string, more: object = {}) =>
  chunk({ choices: [{ index: 0, delta: { content }, ...more }] });
const METRICS = {
  'amazon-bedrock-invocationMetrics': { inputTokenCount: 12, outputTokenCount: 2, invocationLatency: 9 },
};

async function answer(
  request: Partial<TurnRequest> = {},
  { base = 'meta-llama/Llama-3.2-3B-Instruct', signal = new AbortController().signal } = {},
): Promise<TurnPart[]> {
  const parts: TurnPart[] = [];
  const asked = newTurn({ items: [userSays('Hello?')], ...request });
  for await (const part of bedrock.imported(ARN, base).answer(asked, signal)) parts.push(part);
  return parts;
}

const refuse =
  (status: number, type: string, message: string): ConverseReply =>
  (stream) => {
    stream.respond({ ':status': status, 'content-type': 'application/json', 'x-amzn-errortype': type });
    stream.end(JSON.stringify({ message }));
  };

describe('an imported model of Amazon Bedrock', () => {
  it('an imported model of Amazon Bedrock is asked for a chat completion by its ARN, and streams its answer', async () => {
    server.reply(
      streamingEvents(
        says('Good'),
        says(' day.'),
        says('', { finish_reason: 'stop' }),
        chunk({ choices: [], ...METRICS }),
      ),
    );

    const parts = await answer({
      instructions: 'Be brief.',
      maxOutputTokens: 50,
      temperature: 0.2,
      topP: 0.9,
    });

    expect(parts).toEqual([
      { type: 'text', delta: 'Good' },
      { type: 'text', delta: ' day.' },
      {
        type: 'end',
        reason: 'stop',
        usage: { inputTokens: 12, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 2, reasoningTokens: 0 },
      },
    ]);
    expect(server.requests.map(({ path }) => path)).toEqual([
      `/model/${encodeURIComponent(ARN)}/invoke-with-response-stream`,
    ]);
    expect(server.requests[0]?.body).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello?' },
      ],
      max_tokens: 50,
      temperature: 0.2,
      top_p: 0.9,
    });
  });

  it('an imported model of Amazon Bedrock keeps the usage that the model itself tells', async () => {
    server.reply(
      streamingEvents(
        says('Hi.', { finish_reason: 'stop' }),
        chunk({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 }, ...METRICS }),
      ),
    );

    expect((await answer()).at(-1)).toMatchObject({ usage: { inputTokens: 7, outputTokens: 3 } });
  });

  it('an imported model of Amazon Bedrock is sent the schema that the answer has to have', async () => {
    server.reply(streamingEvents(says('{}', { finish_reason: 'stop' })));

    await answer({
      format: {
        type: 'json_schema',
        name: 'thing',
        description: null,
        schema: { type: 'object' },
        strict: true,
      },
    });

    expect(server.requests[0]?.body.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'thing', schema: { type: 'object' }, strict: true },
    });
  });

  it('an imported model of Amazon Bedrock that was removed from its hardware is asked again until it is restored', async () => {
    let calls = 0;
    server.reply((stream, request) => {
      calls += 1;
      const reply =
        calls < 3
          ? refuse(
              429,
              'ModelNotReadyException',
              'Model is not ready for inference. Wait and try your request again.',
            )
          : streamingEvents(says('Back.', { finish_reason: 'stop' }));
      return reply(stream, request);
    });
    const connection = createBedrockConnection({
      region: 'eu-central-1',
      timeoutSeconds: 20,
      connectionsMax: 1,
    });
    const model = answerByImport(connection.stream, ARN, 'meta-llama/Llama-3.2-3B-Instruct', 10);

    const parts: TurnPart[] = [];
    const { signal } = new AbortController();
    for await (const part of model.answer(newTurn({ items: [userSays('Hello?')] }), signal)) parts.push(part);
    connection.close();

    expect(parts[0]).toEqual({ type: 'text', delta: 'Back.' });
    expect(calls).toBe(3);
  });

  it('an imported model of Amazon Bedrock is not waited for by a caller who has left', async () => {
    const ending = new AbortController();
    server.reply((stream, request) => {
      // When the refusal has come, and the next call has not begun.
      setTimeout(() => ending.abort(new Error('left')), 500);
      return refuse(429, 'ModelNotReadyException', 'Model is not ready for inference.')(stream, request);
    });

    // Such a call has read nothing, and is not billed.
    await expect(answer({}, { signal: ending.signal })).rejects.toMatchObject({
      isStarting: true,
      retryAfterSeconds: 60,
      toldCaller: expect.stringContaining('being started'),
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['ThrottlingException', 429, 'throttled'],
    ['AccessDeniedException', 403, 'misconfigured'],
    ['ResourceNotFoundException', 404, 'misconfigured'],
  ])('an imported model of Amazon Bedrock that answers %s is not asked again', async (type, status, kind) => {
    server.reply(refuse(status, type, 'Refused.'));

    await expect(answer()).rejects.toMatchObject({ kind });
    expect(server.requests).toHaveLength(1);
  });

  it('an imported model of Amazon Bedrock whose stream breaks off fails the answer, and is not asked again', async () => {
    server.reply(streamingEvents(says('Half'), exception('modelStreamErrorException', 'The model failed.')));

    await expect(answer()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(server.requests).toHaveLength(1);
  });

  const tools = [{ name: 'weather', description: null, parameters: { type: 'object' }, strict: null }];

  it('an imported model of Amazon Bedrock other than GPT-OSS refuses tools by name before it is asked', async () => {
    await expect(answer({ tools })).rejects.toMatchObject({ kind: 'rejected', requestField: 'tools' });
    expect(server.requests).toEqual([]);
  });

  it('an imported model of Amazon Bedrock of GPT-OSS is offered tools', async () => {
    server.reply(streamingEvents(says('Sunny.', { finish_reason: 'stop' })));

    await answer({ tools }, { base: 'openai/gpt-oss-20b' });

    expect(server.requests[0]?.body.tools).toHaveLength(1);
  });
});
