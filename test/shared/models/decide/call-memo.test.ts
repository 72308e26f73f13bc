import { expect, test } from 'vitest';
import { mendAnswer } from '#shared/adaptation/decide/prompts/mend-answer.v1.ts';
import { createAdaptiveLimit } from '#shared/models/decide/adaptive-limit.ts';
import {
  type Asking,
  askEmbeddings,
  askModel,
  newCallMeter,
  UnusableAnswer,
} from '#shared/models/decide/ask-model.ts';
import {
  answersByKey,
  callKey,
  createRowMemo,
  RecordedCall,
  type RowMemo,
} from '#shared/models/decide/call-memo.ts';
import type {
  EmbeddingClient,
  GenerateRequest,
  Generation,
  ModelClient,
} from '#shared/models/decide/port.ts';
import { createVirtualClock } from '#test/helpers/virtual-clock.ts';

const REQUEST: GenerateRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Why?', images: ['data:image/png;base64,AAAA'] },
  ],
  maxOutputTokens: 10,
  temperature: 0,
  seed: 1,
  jsonSchema: { name: 'answer', schema: { type: 'object', properties: { a: { type: 'string' } } } },
};

function createModel(modelId = 'm') {
  const requests: GenerateRequest[] = [];
  const client: ModelClient = {
    modelId,
    generate: async (request) => {
      requests.push(request);
      return {
        text: `answer ${requests.length}`,
        finishReason: 'stop',
        usage: { input_tokens: 10, output_tokens: 2 },
      };
    },
  };
  return { client, requests };
}

function askingWith(memo: RowMemo): Asking {
  const clock = createVirtualClock();
  return {
    limit: createAdaptiveLimit({ concurrencyMax: 1, clock, random: () => 0.5 }),
    clock,
    random: () => 0.5,
    attemptsMax: 3,
    serverErrorsMax: 4,
    outageSecondsMax: 300,
    memo,
  };
}

const readText = ({ text }: Generation): string => text;

/** A memo of what another one recorded, as it is stored. */
const replayed = (memo: RowMemo): RowMemo =>
  createRowMemo(answersByKey(RecordedCall.array().parse(JSON.parse(JSON.stringify(memo.calls())))));

test('a call memo answers the same request without a call, a token or a permit', async () => {
  const { client, requests } = createModel();
  const memo = createRowMemo();
  await askModel(client, REQUEST, readText, askingWith(memo), newCallMeter());
  const again = replayed(memo);
  const meter = newCallMeter();
  const closed = {
    ...askingWith(again).limit,
    acquire: () => Promise.reject(new Error('A permit was asked for.')),
  };

  const text = await askModel(client, REQUEST, readText, { ...askingWith(again), limit: closed }, meter);

  expect(text).toBe('answer 1');
  expect(requests).toHaveLength(1);
  expect(meter).toEqual({ ...newCallMeter(), answered: 1 });
  expect([again.misses(), again.added()]).toEqual([0, 0]);
  expect(again.calls()).toEqual(memo.calls());
});

test.each<[string, Partial<GenerateRequest>]>([
  ['prompt', { messages: [{ role: 'user', content: 'Why not?' }] }],
  ['system prompt', { messages: [{ role: 'system', content: 'Be long.' }, ...REQUEST.messages.slice(1)] }],
  ['image', { messages: REQUEST.messages.map((each) => ({ ...each, images: ['https://a.test/b.png'] })) }],
  ['seed', { seed: 2 }],
  ['temperature', { temperature: 0.1 }],
  ['limit of tokens', { maxOutputTokens: 11 }],
  ['schema', { jsonSchema: { name: 'answer', schema: { type: 'object' } } }],
])('a call memo has no answer to a request with another %s', async (_, change) => {
  const { client, requests } = createModel();
  const memo = createRowMemo();
  await askModel(client, REQUEST, readText, askingWith(memo), newCallMeter());
  const again = replayed(memo);

  await askModel(client, { ...REQUEST, ...change }, readText, askingWith(again), newCallMeter());

  expect(requests).toHaveLength(2);
  expect([again.misses(), again.added()]).toEqual([1, 1]);
});

test('a call memo has no answer for another model', async () => {
  const memo = createRowMemo();
  await askModel(createModel().client, REQUEST, readText, askingWith(memo), newCallMeter());
  const other = createModel('another');

  await askModel(other.client, REQUEST, readText, askingWith(replayed(memo)), newCallMeter());

  expect(other.requests).toHaveLength(1);
});

test('a call memo has one key for a request, in whatever order its fields are', () => {
  const { messages, ...rest } = REQUEST;

  expect(callKey('generate', 'm', { ...rest, messages })).toBe(callKey('generate', 'm', REQUEST));
  expect(callKey('generate', 'm', REQUEST)).toMatch(/^[\w-]{22}$/);
  expect(callKey('embed', 'm', ['a'])).not.toBe(callKey('embed', 'm', ['b']));
});

test('a call memo keeps the keys under which earlier versions have recorded calls', () => {
  const properties = { 10: {}, 9: {}, b: { type: ['string', 'null'] }, B: {}, __a: {}, '': {}, é: {} };
  const odd: GenerateRequest = {
    messages: [{ role: 'user', content: 'A “quote”, a tab\t, é, 日本, 🙂 and half of one: \ud83d' }],
    maxOutputTokens: 10,
    temperature: 0.4,
    jsonSchema: { name: 'x', schema: { properties, required: ['b', 'B'], additionalProperties: false } },
  };

  expect(callKey('generate', 'm', REQUEST)).toBe('aCmv4nYVWpaqjwNPdxdL_Q');
  expect(callKey('generate', 'model-1', odd)).toBe('bwoEMel0Ob1_oa8e4yX4jw');
  expect(callKey('embed', 'm', ['a', 'é'])).toBe('72Ij0q6fMAiit3BdsJ5lmg');
  expect(callKey('embed', 'm', [])).toBe('DiL87t4uROIvtzPbk7fAgQ');
  // With the mark of its fence.
  expect(callKey('generate', 'instant', mendAnswer('water it sometimes', 129))).toBe(
    'eGLpr269yqlJxxPqF061Hg',
  );
});

test('a call memo hands out the answers to a repeated request in their order, and asks for the next one', async () => {
  const { client, requests } = createModel();
  const memo = createRowMemo();
  const ask = (asking: Asking) => askModel(client, REQUEST, readText, asking, newCallMeter());
  await ask(askingWith(memo));
  await ask(askingWith(memo));
  const again = replayed(memo);
  const asking = askingWith(again);

  expect([await ask(asking), await ask(asking), await ask(asking)]).toEqual([
    'answer 1',
    'answer 2',
    'answer 3',
  ]);

  expect(requests).toHaveLength(3);
  expect([again.misses(), again.added(), again.calls().length]).toEqual([1, 1, 3]);
});

test('a call memo replays unusable answers too, so that the attempts are the same', async () => {
  const { client, requests } = createModel();
  const memo = createRowMemo();
  const readThird = ({ text }: Generation): string => {
    if (text !== 'answer 3') throw new UnusableAnswer('not the third');
    return text;
  };
  await askModel(client, REQUEST, readThird, askingWith(memo), newCallMeter());

  const text = await askModel(client, REQUEST, readThird, askingWith(replayed(memo)), newCallMeter());

  expect(text).toBe('answer 3');
  expect(requests).toHaveLength(3);
});

test('a call memo keeps vectors to the last bit', async () => {
  const vectors = [Float32Array.of(0.1, -2.5e-8, 3), Float32Array.of(1 / 3)];
  let calls = 0;
  const client: EmbeddingClient = {
    modelId: 'e',
    embed: async () => {
      calls += 1;
      return vectors;
    },
  };
  const memo = createRowMemo();
  await askEmbeddings(client, ['a', 'b'], askingWith(memo), newCallMeter());
  const meter = newCallMeter();

  const again = await askEmbeddings(client, ['a', 'b'], askingWith(replayed(memo)), meter);

  expect(again).toEqual(vectors);
  expect([calls, meter.calls]).toEqual([1, 0]);
});
