import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readGgufFile } from '#local/model/gguf-file.ts';
import { setUpModels } from '#local/model/setup.ts';
import { type ModelServer, startModelServer } from '#local/model/start.ts';
import { modelsDirectory } from '#local/paths.ts';
import { findFreePort, isPortFree } from '#local/ports.ts';
import { createProgress } from '#local/progress.ts';
import { Adapter } from '#trainer/embedded/adapter.ts';
import { renderGguf } from '#trainer/embedded/adapter-files.ts';
import { shapeOf } from '#trainer/embedded/load-weights.ts';
import { weightsOf } from '#trainer/embedded/models.ts';
import { projections } from '#trainer/embedded/network-shape.ts';
import { createRandom } from '#trainer/embedded/random.ts';

const model = 'smollm2-135m';
const embeddingModel = 'all-minilm-l6-v2-int8';
const logs = mkdtempSync(join(tmpdir(), 'tunesmith-model-server-'));
const adapters = join(logs, 'adapters');
let server: ModelServer;

beforeAll(async () => {
  await setUpModels([model, embeddingModel], createProgress());
  server = await startModelServer({
    models: [model, embeddingModel],
    port: await findFreePort(),
    logFile: join(logs, 'server.log'),
    settings: {
      TUNESMITH_MODEL_CONTEXT: '512',
      TUNESMITH_MODEL_SEQUENCES: '2',
      TUNESMITH_MODEL_QUEUE: '1',
      TUNESMITH_ADAPTERS_DIR: adapters,
    },
  });
});

afterAll(async () => {
  await server.stop();
  rmSync(logs, { recursive: true });
});

interface Completion {
  readonly choices: readonly [
    { readonly message: { readonly content: string }; readonly finish_reason: string },
  ];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly prompt_tokens_details: { readonly cached_tokens: number };
  };
}

const post = (path: string, body: object, signal?: AbortSignal) =>
  fetch(`${server.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });

const capital = [
  { role: 'system', content: 'You answer in one short sentence.' },
  { role: 'user', content: 'What is the capital of France?' },
];

async function complete(fields: object): Promise<Completion> {
  const response = await post('/chat/completions', { model, temperature: 0, max_tokens: 40, ...fields });
  expect(response.status).toBe(200);
  return (await response.json()) as Completion;
}

async function embed(...input: string[]): Promise<readonly (readonly number[])[]> {
  const response = await post('/embeddings', { model: embeddingModel, input });
  const body = (await response.json()) as { data: { embedding: number[] }[] };
  return body.data.map(({ embedding }) => embedding);
}

const dot = (left: readonly number[] = [], right: readonly number[] = []) =>
  left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);

it('a real model behind the API calls the tool that it has to, with arguments of its schema', async () => {
  const parameters = {
    type: 'object',
    properties: { city: { enum: ['Oslo', 'Paris'] }, days: { type: 'integer', minimum: 1, maximum: 3 } },
    required: ['city', 'days'],
  };
  const response = await post('/chat/completions', {
    model,
    temperature: 0,
    max_tokens: 60,
    messages: capital,
    tools: [{ type: 'function', function: { name: 'weather', parameters } }],
    tool_choice: 'required',
    stream: true,
  });
  const events = (await response.text()).split('\n\n').slice(0, -2);
  const choices = events.map((event) => JSON.parse(event.slice('data: '.length)).choices[0]);
  const calls = choices.flatMap(({ delta }) => delta.tool_calls ?? []);

  expect(calls[0]).toMatchObject({ function: { name: 'weather' } });
  expect(JSON.parse(calls[1].function.arguments)).toEqual({
    city: expect.stringMatching(/^(Oslo|Paris)$/),
    days: expect.toBeOneOf([1, 2, 3]),
  });
  expect(choices.at(-1).finish_reason).toBe('tool_calls');
});

it('a real model behind the API answers a question and stops by itself', async () => {
  const { choices, usage } = await complete({ messages: capital });

  expect(choices[0].message.content).toContain('Paris');
  expect(choices[0].finish_reason).toBe('stop');
  expect(usage.completion_tokens).toBeLessThan(40);
});

it('a real model behind the API reads the prefix of requests that come at once only one time', async () => {
  const prefix = 'Rule: name one fact of the town that the question is about, and nothing else. '.repeat(12);
  const ask = (town: string) =>
    complete({
      max_tokens: 4,
      messages: [
        { role: 'system', content: prefix },
        { role: 'user', content: `What do you know of ${town}?` },
      ],
    });

  const answers = await Promise.all(['Oslo', 'Bergen', 'Tromsø'].map(ask));

  const read = answers.map(({ usage }) => usage.prompt_tokens - usage.prompt_tokens_details.cached_tokens);
  expect(answers[0]?.usage.prompt_tokens).toBeGreaterThan(180);
  expect(read.filter((tokens) => tokens > 60)).toHaveLength(1);
});

it('answers from a saved state what it answers from a prompt that it read', async () => {
  const ask = (question: string) =>
    complete({
      messages: [
        { role: 'system', content: 'You are a guide of old towns. Answer in one sentence. '.repeat(12) },
        { role: 'user', content: question },
      ],
    });
  const first = await ask('Which river flows through Paris?');
  // Both sequences forget the prompt.
  const others = ['Count the days of a week.', 'Name the colours of a rainbow.'];
  await Promise.all(others.map((content) => complete({ messages: [{ role: 'user', content }] })));

  const again = await ask('Which river flows through Paris?');

  expect(again.usage.prompt_tokens_details.cached_tokens).toBe(again.usage.prompt_tokens - 1);
  expect(again.choices[0].message.content).toBe(first.choices[0].message.content);
});

it('a real model behind the API reads earlier turns', async () => {
  const { choices } = await complete({
    messages: [
      { role: 'user', content: 'My name is Zebulon.' },
      { role: 'assistant', content: 'Nice to meet you, Zebulon!' },
      { role: 'user', content: 'What is my name? Answer with my name.' },
    ],
  });

  expect(choices[0].message.content).toContain('Zebulon');
});

it("a real model behind the API puts messages into the model's own template", async () => {
  const tokensOf = async (content: string) =>
    (await complete({ messages: [{ role: 'user', content }], max_tokens: 1 })).usage.prompt_tokens;

  // <|im_start|>system … SmolLM …<|im_end|>, <|im_start|>user … <|im_end|>, <|im_start|>assistant: 31 tokens
  // around a message of one.
  expect(await tokensOf('Hi')).toBe(31);
});

it('a real model behind the API keeps the markers of turns in a message from being turns', async () => {
  const tokensOf = async (content: string) =>
    (await complete({ messages: [{ role: 'user', content }], max_tokens: 1 })).usage.prompt_tokens;

  // One control token if it were taken for the marker; as a text it is several.
  expect((await tokensOf('Hi<|im_end|>')) - (await tokensOf('Hi'))).toBeGreaterThan(3);
});

it('a real model behind the API says that it was cut off, and counts what it wrote', async () => {
  const { choices, usage } = await complete({ messages: capital, max_tokens: 3 });

  expect(choices[0].finish_reason).toBe('length');
  expect(usage.completion_tokens).toBe(3);
});

it('a real model behind the API ends at a stop string without showing it', async () => {
  const { choices } = await complete({ messages: capital, stop: ['Paris'] });

  expect(choices[0].message.content).not.toContain('Paris');
  expect(choices[0].finish_reason).toBe('stop');
});

it('a real model behind the API answers alike for the same seed', async () => {
  const story = { messages: [{ role: 'user', content: 'Tell a story.' }], temperature: 1, max_tokens: 24 };

  const texts = [];
  for (const seed of [1, 1, 2]) texts.push((await complete({ ...story, seed })).choices[0].message.content);

  expect(texts[1]).toBe(texts[0]);
  expect(texts[2]).not.toBe(texts[0]);
});

it('a real model behind the API streams exactly what it answers without streaming', async () => {
  const request = { model, messages: capital, temperature: 0, max_tokens: 40 };
  const whole = await complete(request);

  const response = await post('/chat/completions', {
    ...request,
    stream: true,
    stream_options: { include_usage: true },
  });
  const events = (await response.text()).split('\n\n').filter((event) => event.startsWith('data: {'));
  const chunks = events.map((event) => JSON.parse(event.slice('data: '.length)));

  expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(
    whole.choices[0].message.content,
  );
  expect(chunks.at(-1)?.usage).toEqual(whole.usage);
});

it.each([1, 2, 3])(
  'a real model behind the API writes JSON that satisfies the schema (seed %i)',
  async (seed) => {
    const { choices } = await complete({
      messages: [
        { role: 'user', content: 'Grade this answer: "The sky is green." Give a score and a reason.' },
      ],
      temperature: 1,
      seed,
      max_tokens: 160,
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'grade',
          schema: {
            type: 'object',
            properties: {
              score: { type: 'integer', minimum: 0, maximum: 10 },
              verdict: { enum: ['good', 'bad'] },
              reason: { type: 'string', maxLength: 60 },
              tags: { type: 'array', items: { type: 'string', maxLength: 8 }, maxItems: 2 },
            },
            required: ['score', 'verdict', 'reason', 'tags'],
            additionalProperties: false,
          },
        },
      },
    });

    const value: unknown = JSON.parse(choices[0].message.content);

    expect(value).toEqual({
      score: expect.any(Number),
      verdict: expect.stringMatching(/^(good|bad)$/),
      reason: expect.stringMatching(/^.{0,60}$/s),
      tags: expect.any(Array),
    });
    expect((value as { score: number }).score).toBeLessThanOrEqual(10);
  },
);

it('a real model behind the API writes an object when JSON is asked for without a schema', async () => {
  const { choices } = await complete({
    messages: [{ role: 'user', content: 'Write {"city": "Paris"} and nothing else.' }],
    max_tokens: 60,
    response_format: { type: 'json_object' },
  });

  expect(JSON.parse(choices[0].message.content)).toBeTypeOf('object');
});

it('a real model behind the API refuses what does not fit its context', async () => {
  const tooLong = await post('/chat/completions', {
    model,
    messages: [{ role: 'user', content: 'word '.repeat(600) }],
  });
  const tooMuch = await post('/chat/completions', { model, messages: capital, max_tokens: 600 });

  for (const response of [tooLong, tooMuch]) {
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'context_length_exceeded' } });
  }
});

it('a real model behind the API refuses with 429 and a time to come back what its queue does not hold', async () => {
  const messages = [{ role: 'user', content: 'Tell a long story.' }];

  const responses = await Promise.all(
    Array.from({ length: 5 }, () => post('/chat/completions', { model, messages, max_tokens: 60 })),
  );

  // Two sequences and one that waits.
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
  expect(responses.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('5');
});

it('a real model behind the API gives up what it generates for a client that has gone', async () => {
  // An array that has to be this long keeps the model from stopping by itself.
  const schema = { type: 'array', items: { enum: ['one', 'two'] }, minItems: 400 };
  const long = {
    model,
    messages: [{ role: 'user', content: 'Count.' }],
    max_tokens: 450,
    response_format: { type: 'json_schema', json_schema: { name: 'counted', schema } },
  };
  const statusOfShort = async () => (await post('/chat/completions', { ...long, max_tokens: 1 })).status;
  const leaving = new AbortController();
  let refused = 0;
  const left = Array.from({ length: 6 }, async () => {
    const { status } = await post('/chat/completions', long, leaving.signal);
    if (status === 429) refused += 1;
  });
  // Two of the six are in work and one waits, once the others are refused: before, a short one could take its place.
  await expect.poll(() => refused, { timeout: 10_000 }).toBe(3);
  expect(await statusOfShort()).toBe(429);

  leaving.abort();
  await Promise.allSettled(left);

  await expect.poll(statusOfShort, { timeout: 3_000 }).toBe(200);
});

it('a real model behind the API places sentences of one meaning closer than others, as vectors of length 1', async () => {
  const [question, same, other] = await embed(
    'How do I reset my password?',
    'I forgot my login credentials, what now?',
    'The recipe needs two eggs.',
  );

  expect(dot(question, same)).toBeGreaterThan(dot(question, other) + 0.3);
  expect(question?.length).toBe(384);
  expect(dot(question, question)).toBeCloseTo(1, 4);
});

it('a real model behind the API gives a text the same vector alone and among longer ones', async () => {
  const [alone] = await embed('A short text.');
  const [among] = await embed('A short text.', 'word '.repeat(400));

  expect(dot(alone, among)).toBeGreaterThan(0.99);
});

describe('adapters of a model', () => {
  /** Leaves an adapter of random factors, of the given strength, as a training leaves one. */
  async function putAdapter(name: string, strength: number): Promise<string> {
    const file = await readGgufFile(
      join(modelsDirectory(), weightsOf('HuggingFaceTB/SmolLM2-135M-Instruct')),
    );
    const adapter = new Adapter(shapeOf(file), { rank: 4, alpha: 8, modules: projections });
    const random = createRandom(2);
    for (const { a, b } of adapter.factors()) {
      for (const values of [a, b]) {
        for (const index of values.keys()) values[index] = strength * (random() - 0.5);
      }
    }
    mkdirSync(join(adapters, model), { recursive: true });
    writeFileSync(join(adapters, model, `${name}.gguf`), renderGguf(adapter));
    return `${model}:${name}`;
  }
  const textOf = async (id: string) =>
    (await complete({ model: id, messages: capital, max_tokens: 12 })).choices[0].message.content;

  it('adapters of a model answer beside their base while the server runs, each in its own way', async () => {
    const [plain, weak, strong] = [model, await putAdapter('weak', 0), await putAdapter('strong', 0.3)];
    const listed = (await (await fetch(`${server.baseUrl}/models`)).json()) as { data: { id: string }[] };

    expect(listed.data.map(({ id }) => id)).toEqual([model, embeddingModel, strong, weak]);
    const texts = [await textOf(plain), await textOf(weak), await textOf(strong)];
    expect(texts[1]).toBe(texts[0]);
    expect(texts[2]).not.toBe(texts[0]);
    // What the adapters left in the memory of prompts does not reach the base.
    expect(await textOf(plain)).toBe(texts[0]);
  });

  it('adapters of a model give way to each other, and come back', async () => {
    const ids = [];
    for (const name of ['one', 'two', 'three']) ids.push(await putAdapter(name, 0));
    const texts = [];
    for (const id of [...ids, ...ids]) texts.push(await textOf(id));

    expect(new Set(texts)).toEqual(new Set([await textOf(model)]));
  });

  it('adapters of a model are not found where there are none', async () => {
    for (const id of [`${model}:missing`, `${model}:../${model}/weak`, 'nothing:weak']) {
      const response = await post('/chat/completions', { model: id, messages: capital });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'model_not_found' } });
    }
  });
});

it('the process of the model server refuses a port that is taken', async () => {
  const port = Number(new URL(server.baseUrl).port);

  await expect(
    startModelServer({ models: [model], port, logFile: join(logs, 'second.log') }),
  ).rejects.toThrow(`TUNESMITH_MODEL_PORT=${port + 1}`);
});

it('the process of the model server says which command fetches weights that are missing, and leaves nothing behind', async () => {
  const port = await findFreePort();

  const starting = startModelServer({
    models: [model],
    port,
    logFile: join(logs, 'missing.log'),
    settings: { TUNESMITH_MODELS_DIR: logs },
  });

  await expect(starting).rejects.toThrow(`npx tsx local/model/setup.ts ${model}`);
  expect(await isPortFree(port)).toBe(true);
});
