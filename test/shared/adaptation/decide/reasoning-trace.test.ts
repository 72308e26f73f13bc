import { describe, expect, it } from 'vitest';
import { traceCompletion } from '#shared/adaptation/decide/reasoning-trace.ts';
import { readText, splitReasoning } from '#shared/answers/decide/read-text.ts';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import { ModelError } from '#shared/models/decide/port.ts';
import { askingInTests, lastText, replying } from '#test/helpers/replying-model.ts';

const COMPLETION = 'Go to bed at the same hour every day, and keep screens out of the bedroom.';
const STEPS =
  '1. Sleep follows habits.\n2. Light from screens delays it.\n3. So fix the hour and ban the light.';

const trace = (
  model: ReturnType<typeof replying>,
  completion = COMPLETION,
  seen: { image?: string; isBlind?: boolean } = {},
) =>
  traceCompletion(
    model.client,
    { request: 'How can I sleep better?', completion, image: null, isBlind: false, ...seen },
    askingInTests(),
    newCallMeter(),
  );

it('a reasoning trace is asked for the completion that the row delivers', async () => {
  const model = replying(STEPS);

  expect(await trace(model)).toEqual({ completion: COMPLETION, trace: STEPS, notes: [] });
  expect(lastText(model.requests[0])).toContain(`answer>\n${COMPLETION}\n</`);
});

it.each([
  ['is empty', ''],
  ['is the answer', COMPLETION],
  ['is the answer in other marks', `"${COMPLETION.toUpperCase()}"`],
  ['is a part of the answer', 'Keep screens out of the bedroom.'],
])('a reasoning trace that %s is asked for again', async (_, bad) => {
  const model = replying(bad, STEPS);

  expect((await trace(model)).trace).toBe(STEPS);
  expect(model.requests).toHaveLength(2);
});

it.each([
  ['calculates wrongly', '40', '1. A quarter of 160 is asked for.\n2. 160 / 4 = 50.'],
  ['leads to another number', '40', '1. A quarter of 160 is asked for.\n2. 120 / 4 = 30.'],
  ['leads to another verdict', 'No', '1. Cats are mammals.\n2. Tom may be a dog.\n3. So the answer is yes.'],
])('a reasoning trace that %s is asked for again', async (_, answer, bad) => {
  const good =
    answer === '40'
      ? '1. A quarter is asked for.\n2. 160 / 4 = 40.'
      : '1. Tom may be a dog, so it does not follow.';
  const model = replying(bad, good);

  expect((await trace(model, answer)).trace).toBe(good);
  expect(model.requests).toHaveLength(2);
});

it('a reasoning trace may stand in the marks of a reasoning model, or behind what such a model thinks', async () => {
  expect((await trace(replying(`<think>${STEPS}</think>`))).trace).toBe(STEPS);
  expect((await trace(replying(`<think>The user wants steps.</think>\n${STEPS}`))).trace).toBe(STEPS);
});

it('a reasoning trace is missed with a note where none can be had, and costs the row nothing else', async () => {
  for (const model of [replying(COMPLETION), replying(new ModelError('rejected', 'refused'))]) {
    expect(await trace(model)).toEqual({
      completion: COMPLETION,
      trace: null,
      notes: [{ code: 'reasoning_trace_missing', message: expect.stringContaining('no reasoning trace: ') }],
    });
  }
});

it('a reasoning trace is taken from a completion that brings its own, without asking', async () => {
  const model = replying(STEPS);

  expect(await trace(model, `<think>\n${STEPS}\n</think>\n${COMPLETION}`)).toEqual({
    completion: COMPLETION,
    trace: STEPS,
    notes: [],
  });
  expect(model.requests).toEqual([]);
});

it('a reasoning trace of an answer about an image is asked for with the image', async () => {
  const model = replying(STEPS);
  const image = 'https://images.test/a.png';

  expect((await trace(model, COMPLETION, { image })).trace).toBe(STEPS);
  expect(model.requests[0]?.messages.at(-1)?.images).toEqual([image]);
});

it('a reasoning trace of an answer about what no model is shown is missed without asking, but for one that the completion brings', async () => {
  const model = replying();

  expect(await trace(model, COMPLETION, { isBlind: true })).toMatchObject({
    completion: COMPLETION,
    trace: null,
    notes: [{ code: 'reasoning_trace_missing', message: expect.stringMatching(/no model is shown$/) }],
  });
  expect(await trace(model, `<think>${STEPS}</think>${COMPLETION}`, { isBlind: true })).toMatchObject({
    trace: STEPS,
  });
  expect(model.requests).toEqual([]);
});

describe('what a model wrote', () => {
  const written = (text: string) =>
    readText({ text, finishReason: 'stop', usage: { input_tokens: 0, output_tokens: 0 } });

  it.each([
    `<think>Hm, sleep.</think>${COMPLETION}`,
    `<THINKING>\nHm.\n</THINKING>\n\n${COMPLETION}`,
    `Hm, sleep. That is habits.\n</think>\n${COMPLETION}`,
    `<reasoning>Hm.</reasoning> ${COMPLETION} <scratchpad>Done.</scratchpad>`,
  ])('what a model wrote is taken without its reasoning: %s', (text) => {
    expect(written(text)).toBe(COMPLETION);
  });

  it('what a model wrote is nothing where the tokens ended within its reasoning', () => {
    expect(() => written('<think>Hm, sleep is a matter of')).toThrow('empty answer');
  });

  it('what a model wrote keeps marks that it only speaks of', () => {
    const text = 'Models write <think> before they answer.';

    expect(splitReasoning(text)).toEqual({ reasoning: '', answer: text });
  });
});
