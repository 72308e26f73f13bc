import { expect, it } from 'vitest';
import { createAdaptiveLimit } from '#shared/models/decide/adaptive-limit.ts';
import { type Asking, askModel, newCallMeter, UnusableAnswer } from '#shared/models/decide/ask-model.ts';
import {
  type GenerateRequest,
  type Generation,
  type ModelClient,
  ModelError,
  type ModelFailureKind,
} from '#shared/models/decide/port.ts';
import { createVirtualClock } from '#test/helpers/virtual-clock.ts';

const REQUEST: GenerateRequest = { messages: [], maxOutputTokens: 10, temperature: 0, seed: 1 };

type Step = string | ModelFailureKind | Generation;

const KINDS = [
  'throttled',
  'unavailable',
  'timeout',
  'garbage',
  'too_long',
  'rejected',
  'exhausted',
  'misconfigured',
];

/** A model that does what the steps say, the last one for ever. */
function modelOf(steps: readonly Step[]): ModelClient & { readonly requests: GenerateRequest[] } {
  const requests: GenerateRequest[] = [];
  return {
    modelId: 'm',
    requests,
    async generate(request) {
      const step = steps[Math.min(requests.length, steps.length - 1)] as Step;
      requests.push(request);
      if (typeof step === 'object') {
        return step;
      }
      if (KINDS.includes(step)) {
        throw new ModelError(step as ModelFailureKind, `it is ${step}`);
      }
      return { text: step, finishReason: 'stop', usage: { input_tokens: 10, output_tokens: 2 } };
    },
  };
}

function newAsking() {
  const clock = createVirtualClock();
  const limit = createAdaptiveLimit({ concurrencyMax: 4, clock, random: () => 0.5 });
  const asking: Asking = {
    limit,
    clock,
    random: () => 0.5,
    attemptsMax: 3,
    serverErrorsMax: 4,
    outageSecondsMax: 300,
  };
  return { clock, limit, asking };
}

const readText = ({ text }: Generation): string => {
  if (text === '') {
    throw new UnusableAnswer('nothing was said');
  }
  return text;
};

it('asking a model never gives up a question for being throttled', async () => {
  const { clock, asking } = newAsking();
  const model = modelOf([...new Array<Step>(40).fill('throttled'), 'at last']);
  const meter = newCallMeter();

  expect(await clock.run(askModel(model, REQUEST, readText, asking, meter))).toBe('at last');
  expect(meter).toMatchObject({ calls: 41, input_tokens: 10, output_tokens: 2 });
});

it('asking a model waits out an outage without spending an attempt', async () => {
  const { clock, asking } = newAsking();
  const model = modelOf([...new Array<Step>(8).fill('unavailable'), 'back']);

  expect(await clock.run(askModel(model, REQUEST, readText, asking, newCallMeter()))).toBe('back');
});

it.each<[Step, string, number]>([
  ['', 'answer_unusable', 3],
  ['garbage', 'model_garbage', 3],
  ['too_long', 'row_too_long', 1],
  ['rejected', 'model_rejected', 1],
])(
  'asking a model fails a question that is answered with %j as %s after %d calls',
  async (step, code, calls) => {
    const { clock, asking } = newAsking();
    const model = modelOf([step]);

    await expect(clock.run(askModel(model, REQUEST, readText, asking, newCallMeter()))).rejects.toMatchObject(
      { name: 'AskFailure', code },
    );
    expect(model.requests).toHaveLength(calls);
  },
);

it.each<[Step, string, number]>([
  ['unavailable', 'model_failing', 4],
  ['timeout', 'model_timeout', 3],
])(
  'asking a model counts %s against the question while the model answers others',
  async (step, code, calls) => {
    const { clock, limit, asking } = newAsking();
    const failing = modelOf([step]);
    const busy: ModelClient = {
      modelId: 'm',
      async generate(request, signal) {
        limit.release(await limit.acquire(signal), { kind: 'answered' });
        return failing.generate(request, signal);
      },
    };

    await expect(clock.run(askModel(busy, REQUEST, readText, asking, newCallMeter()))).rejects.toMatchObject({
      code,
    });
    expect(failing.requests).toHaveLength(calls);
  },
);

it('asking a model calls it an outage when the model has been silent for long', async () => {
  const { clock, asking } = newAsking();
  const startedAtMs = clock.now();

  await expect(
    clock.run(askModel(modelOf(['unavailable']), REQUEST, readText, asking, newCallMeter())),
  ).rejects.toMatchObject({ name: 'ModelOutage' });
  expect(clock.now() - startedAtMs).toBeGreaterThanOrEqual(300_000);
  expect(clock.now() - startedAtMs).toBeLessThan(400_000);
});

it('asking a model calls a misconfigured model an outage at once', async () => {
  const { clock, asking } = newAsking();

  await expect(
    clock.run(askModel(modelOf(['misconfigured']), REQUEST, readText, asking, newCallMeter())),
  ).rejects.toMatchObject({ name: 'ModelOutage', message: 'it is misconfigured' });
});

it('asking a model calls a used-up quota an outage at once, with what the caller can do', async () => {
  const { clock, asking } = newAsking();
  const model = modelOf(['exhausted']);

  await expect(clock.run(askModel(model, REQUEST, readText, asking, newCallMeter()))).rejects.toMatchObject({
    name: 'ModelOutage',
    code: 'model_quota_exhausted',
    message: expect.stringMatching(/Start again with the other rows/),
  });
  expect(model.requests).toHaveLength(1);
});

it('asking a model asks differently after an unusable answer, and alike after a failed call', async () => {
  const { clock, asking } = newAsking();
  const model = modelOf(['throttled', '', 'fine']);

  await clock.run(askModel(model, REQUEST, readText, asking, newCallMeter()));

  expect(model.requests.map(({ seed }) => seed)).toEqual([1, 1, 2]);
  expect(model.requests.map(({ temperature }) => temperature)).toEqual([0, 0, 0.4]);
});

it('asking a model takes a filtered answer for a failure of the row', async () => {
  const { clock, asking } = newAsking();
  const filtered: Generation = {
    text: 'x',
    finishReason: 'filtered',
    usage: { input_tokens: 1, output_tokens: 1 },
  };

  await expect(
    clock.run(askModel(modelOf([filtered]), REQUEST, readText, asking, newCallMeter())),
  ).rejects.toMatchObject({ code: 'answer_filtered' });
});

it('asking a model counts the tokens of answers that it could not use', async () => {
  const { clock, asking } = newAsking();
  const meter = newCallMeter();

  await clock.run(askModel(modelOf(['', 'fine']), REQUEST, readText, asking, meter));

  expect(meter).toMatchObject({ calls: 2, input_tokens: 20, output_tokens: 4 });
});

it('asking a model counts what its calls lasted, failed ones too, and not the waits between them', async () => {
  const { clock, asking } = newAsking();
  const meter = newCallMeter();
  let calls = 0;
  const slow: ModelClient = {
    modelId: 'm',
    generate: async () => {
      calls += 1;
      await clock.sleep(2000);
      if (calls === 1) throw new ModelError('throttled', 'Slow down', { retryAfterSeconds: 30 });
      return { text: 'fine', finishReason: 'stop', usage: { input_tokens: 1, output_tokens: 1 } };
    },
  };

  await clock.run(askModel(slow, REQUEST, readText, asking, meter));

  expect(meter).toMatchObject({ calls: 2, seconds: 4 });
});
