import { expect, it } from 'vitest';
import { answerAtLength, lengthNotes } from '#shared/adaptation/decide/answer-at-length.ts';
import { lengthTargets } from '#shared/answers/decide/length.ts';
import { wordsOf } from '#shared/answers/decide/words.ts';
import { Length } from '#shared/answers/schema/length.ts';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import type { GenerateRequest } from '#shared/models/decide/port.ts';
import { askingInTests, lastText, replying } from '#test/helpers/replying-model.ts';

const REQUEST: GenerateRequest = {
  messages: [
    { role: 'system', content: 'You answer.' },
    { role: 'user', content: 'Why?' },
  ],
  maxOutputTokens: 400,
  temperature: 0,
  seed: 1,
};
const words = (count: number): string => `${Array.from({ length: count }, () => 'word').join(' ')}.`;

const answer = (model: ReturnType<typeof replying>, length: Length | null) =>
  answerAtLength(model.client, REQUEST, length, askingInTests(), newCallMeter());

/** Writes what it pleases at first, and as many words as it is told to once it is told. */
const obedient = (first: number) =>
  replying((request) => words(Number(/about (\d+) words/.exec(lastText(request))?.[1] ?? first)));

it.each(Length.options.flatMap((length) => [2, 600].map((first) => [length, first] as const)))(
  'an answer of a given length ends within the range of %s where the model first writes %i words',
  async (length, first) => {
    const model = obedient(first);

    const count = wordsOf(await answer(model, length)).length;

    expect(count).toBeGreaterThanOrEqual(lengthTargets[length].wordsMin);
    expect(count).toBeLessThanOrEqual(lengthTargets[length].wordsMax);
    expect(model.requests).toHaveLength(2);
  },
);

it('an answer of a given length is asked again with the words that it has and must have, after all that was said before', async () => {
  const model = obedient(90);

  await answer(model, 'concise');

  const { messages } = model.requests[1] as GenerateRequest;
  expect(messages.slice(0, 2)).toEqual(REQUEST.messages);
  expect(messages[2]).toEqual({ role: 'assistant', content: words(90) });
  expect(messages[3]?.content).toContain('has 90 words. It must have 26 to 70.');
  expect(messages[3]?.content).toContain('Leave out');
});

it('an answer of a given length is not asked again where it fits', async () => {
  const model = replying(words(40));

  expect(await answer(model, 'concise')).toBe(words(40));
  expect(model.requests).toHaveLength(1);
});

it('an answer of a given length is measured without its reasoning', () => {
  const reasoned = (count: number) => `<think>${words(200)}</think>\n${words(count)}`;

  expect(lengthNotes(reasoned(40), 'concise')).toEqual([]);
  expect(lengthNotes(reasoned(5), 'concise')[0]?.message).toContain('has 5 words');
});

it('an answer of a given length is as long as it is where no length is asked for', async () => {
  const model = replying(words(2));

  expect(await answer(model, null)).toBe(words(2));
  expect(model.requests).toHaveLength(1);
});

it('an answer of a given length is the nearest of three where the model never hits the range, and varies from try to try', async () => {
  const model = replying(words(10), words(80), words(600));

  expect(await answer(model, 'concise')).toBe(words(80));
  expect(model.requests).toHaveLength(3);
  expect(new Set(model.requests.map(({ seed }) => seed)).size).toBe(3);
});

it('an answer of a given length counts words also where no spaces part them', async () => {
  const model = replying('富士山は日本で最も高い山です。', words(40));

  await answer(model, 'concise');

  expect(lastText(model.requests[1])).toMatch(/has (8|9) words/);
});

it('an answer of a given length stays what it was where the model cannot be brought to answer again', async () => {
  expect(await answer(replying(words(10), ''), 'concise')).toBe(words(10));
});

it('the note on a missed length says how many words there are, and how many were asked for', () => {
  expect(lengthNotes(words(90), 'concise')).toEqual([
    { code: 'length_missed', message: 'The completion has 90 words; "concise" asks for 26 to 70' },
  ]);
});

it('the note on a missed length is not made where the length fits, none is asked for, or there is no completion', () => {
  expect(lengthNotes(words(40), 'concise')).toEqual([]);
  expect(lengthNotes(words(1), null)).toEqual([]);
  expect(lengthNotes(null, 'concise')).toEqual([]);
});
