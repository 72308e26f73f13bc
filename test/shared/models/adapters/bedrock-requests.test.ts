import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MODEL_PROBES } from '#bin/deploy/model-probes.ts';
import type { BedrockEndpoint as Bedrock } from '#shared/models/adapters/bedrock.ts';
import { toBedrockSchema } from '#shared/models/adapters/bedrock-schema.ts';
import type { TurnPart } from '#shared/models/decide/turn.ts';
import {
  answering,
  type BedrockEndpoint,
  connectBedrockEndpoint,
  event,
  refusing,
  streamingEvents,
} from '#test/helpers/bedrock-endpoint.ts';
import { filesOfLayer } from '#test/helpers/source/layer-files.ts';
import { newTurn } from '#test/helpers/turns.ts';

let server: BedrockEndpoint;
let bedrock: Bedrock;

beforeEach(async () => {
  ({ server, bedrock } = await connectBedrockEndpoint());
  server.reply(answering('{}'));
});

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  bedrock.close();
  await server.close();
});

const MODEL = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0';
const [probe] = MODEL_PROBES.filter(({ request }) => request.jsonSchema !== undefined);
if (probe === undefined) throw new Error('No probe has a schema.');
const sent = (n: number) => server.requests[n]?.body as { inferenceConfig: object; outputConfig?: object };

it.each(
  MODEL_PROBES.map(({ role, request }) => [role, request.jsonSchema?.name ?? 'text', request] as const),
)(
  'a request of the service of the role %s for %s is one that Bedrock takes',
  async (_role, _name, request) => {
    await expect(bedrock.model(MODEL).generate(request)).resolves.toMatchObject({ text: '{}' });
  },
);

it('a request of the service with a schema is among the probes, whichever prompt makes it', () => {
  const named = [...filesOfLayer('decide').values()]
    .flatMap((text) => [...text.matchAll(/jsonSchema: \{\s*name: '([a-z]+)'/g)])
    .map(([, name]) => name);

  expect(new Set(MODEL_PROBES.map(({ request }) => request.jsonSchema?.name ?? 'text'))).toEqual(
    new Set([...named, 'text']),
  );
});

it('a request of the service to a model that takes no temperature is sent again without it, once', async () => {
  server.refuse('temperature');
  const model = bedrock.model(MODEL);

  await model.generate(probe.request);
  await model.generate(probe.request);

  expect(server.requests).toHaveLength(3);
  expect(sent(1).inferenceConfig).not.toHaveProperty('temperature');
  expect(sent(2).inferenceConfig).not.toHaveProperty('temperature');
});

it('a request of the service to a model without structured outputs is sent again without its schema, once', async () => {
  server.refuse('outputConfig', 'temperature');
  await bedrock.model(MODEL).generate(probe.request);
  await bedrock.model(MODEL).generate(probe.request);

  expect(server.requests).toHaveLength(4);
  expect(sent(3)).not.toHaveProperty('outputConfig');
});

it('a request of the service tells once of each part that the model or Converse does not take', async () => {
  const told: unknown[] = [];
  await server.close();
  bedrock.close();
  ({ server, bedrock } = await connectBedrockEndpoint(20, { onLeftOut: (...part) => void told.push(part) }));
  server.reply(answering('{}'));
  server.refuse('outputConfig', 'temperature');
  const request = {
    ...probe.request,
    seed: 1,
    messages: [{ role: 'system' as const, content: 'Be brief.' }, ...probe.request.messages],
  };

  await bedrock.model('openai.gpt-oss-20b-1:0').generate(request);
  await bedrock.model('openai.gpt-oss-20b-1:0').generate(request);
  await bedrock.model(MODEL).generate(probe.request);

  const parts = (model: string) => told.filter((each) => String(each).startsWith(model)).length;
  expect(told).toHaveLength(new Set(told.map(String)).size);
  expect(told.map(String)).toEqual(
    expect.arrayContaining(
      ['schema', 'temperature', 'seed', 'prompt_cache'].map((part) => `openai.gpt-oss-20b-1:0,${part}`),
    ),
  );
  expect(told.map(String)).not.toContain(`${MODEL},prompt_cache`);
  expect(parts(MODEL)).toBeGreaterThanOrEqual(2);
});

it('a request of the service with a schema that a model refuses leaves the next one its schema', async () => {
  const model = bedrock.model(MODEL);
  server.reply((stream, body) => {
    server.reply(answering('{}'));
    refusing('output_config.format.schema: the schema is too complex')(stream, body);
  });

  await model.generate(probe.request);
  await model.generate(probe.request);

  expect(server.requests).toHaveLength(3);
  expect(sent(1)).not.toHaveProperty('outputConfig');
  expect(sent(2)).toEqual(sent(0));
});

it.each([
  '`temperature` is deprecated for this model.',
  "This model doesn't support the temperature field.",
  'temperature isn’t supported for this model.',
  '`temperature` and `top_p` cannot both be specified for this model.',
])(
  'a request of the service leaves the next one without what the model does not have: %s',
  async (refusal) => {
    const model = bedrock.model(MODEL);
    server.reply((stream, body) => {
      server.reply(answering('{}'));
      refusing(refusal)(stream, body);
    });

    await model.generate(probe.request);
    await model.generate(probe.request);

    expect(server.requests).toHaveLength(3);
    expect(sent(2)).toEqual(sent(1));
  },
);

it('a request of the service that fails without what the model refuses leaves the next one as it was', async () => {
  const model = bedrock.model(MODEL);
  server.reply((stream, body) => {
    server.reply(refusing('Something else is wrong.'));
    refusing('`temperature` is deprecated for this model.')(stream, body);
  });
  await expect(model.generate(probe.request)).rejects.toMatchObject({ kind: 'rejected' });
  server.reply(answering('{}'));

  await model.generate(probe.request);

  expect(sent(2)).toEqual(sent(0));
});

describe('an answer to a caller', () => {
  const answer = async (turn: Parameters<typeof newTurn>[0]): Promise<TurnPart[]> => {
    const parts: TurnPart[] = [];
    const events = bedrock.answering(MODEL).answer(newTurn(turn), new AbortController().signal);
    for await (const part of events) parts.push(part);
    return parts;
  };

  it('an answer to a caller names what the model does not take, and leaves nothing out in silence', async () => {
    server.refuse('temperature');

    await expect(answer({ temperature: 0.5 })).rejects.toMatchObject({
      kind: 'rejected',
      requestField: 'temperature',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('an answer to a caller is asked for once more where the connection was closed before its first word', async () => {
    server.reply((stream) => {
      server.reply(streamingEvents(event('messageStop', { stopReason: 'end_turn' })));
      stream.session?.destroy();
    });

    expect((await answer({})).at(-1)).toMatchObject({ type: 'end' });
    expect(server.requests).toHaveLength(2);
  });
});

it('a connection is kept between calls, and opened anew after nobody has used it for long', async () => {
  const model = bedrock.model(MODEL);
  await model.generate(probe.request);
  await model.generate(probe.request);
  expect(server.sessionsOpened).toBe(1);

  // The clock of a function that was frozen goes on, its timers do not.
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
  await model.generate(probe.request);
  vi.restoreAllMocks();

  expect(server.sessionsOpened).toBe(2);
});

it('a schema has no further properties in any object, and tells of those that it would take', () => {
  const told: string[] = [];
  const map = { type: 'object', additionalProperties: { type: 'string' } };
  const taken = toBedrockSchema({ properties: { a: { type: ['object', 'null'] }, b: map } }, (keyword) =>
    told.push(keyword),
  );

  expect(taken).toMatchObject({
    additionalProperties: false,
    properties: { a: { additionalProperties: false }, b: { additionalProperties: false } },
  });
  expect(told).toEqual(['additionalProperties']);
});

it('a schema keeps what Bedrock takes, and tells the rest in words', () => {
  expect(
    toBedrockSchema({
      type: 'object',
      properties: {
        grade: { type: 'integer', minimum: 1, maximum: 3 },
        size: { type: 'integer', minimum: 0 },
        names: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 4, minItems: 1 },
        day: { type: 'string', format: 'date', description: 'A day.', pattern: '^2' },
      },
      required: ['grade'],
    }),
  ).toEqual({
    type: 'object',
    properties: {
      grade: { type: 'integer', enum: [1, 2, 3] },
      size: { type: 'integer', description: 'minimum: 0' },
      names: {
        type: 'array',
        items: { type: 'string', description: 'minLength: 1' },
        description: 'maxItems: 4',
        minItems: 1,
      },
      day: { type: 'string', format: 'date', description: 'A day. pattern: "^2"' },
    },
    required: ['grade'],
    additionalProperties: false,
  });
});
