import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NO_PROFILE } from '#shared/answers/decide/answer-profile.ts';
import { readForm } from '#shared/answers/decide/read-form.ts';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import { askBlind, type BlindRow, blindKindOf } from '#shared/witnesses/decide/blind-answers.ts';
import { askingInTests, replying } from '#test/helpers/replying-model.ts';

const rowOf = (prompt: string, answer: string): BlindRow => ({
  ...{ request: prompt, prompt, answer },
  form: readForm({ request: prompt, answer, profile: NO_PROFILE }),
});

async function ask(row: BlindRow, ...replies: string[]) {
  const model = replying(...replies);
  const opinion = await askBlind(model.client, row, askingInTests(), newCallMeter());
  return { opinion, calls: model.requests.length, shown: JSON.stringify(model.requests) };
}

it.each([
  ['label', 'Output true or false. 17 is a prime number.', 'true'],
  ['number', 'How many legs have three spiders? Reply with the number only.', '24'],
  ['string', 'Anna lives in Bonn, Ben in Kiel.\n\nWhere does Ben live? One word.', 'Kiel'],
  ['result', 'A box has 12 eggs. How many eggs are in 4 boxes?', '4 x 12 = 48\n#### 48'],
  ['result', 'What is 12 + 30?', '42'],
  ['data', 'Reply with JSON only, with the key "town": Ben lives in Kiel.', '{"town":"Kiel"}'],
  ['prose', 'Who wrote "Emma"?', 'It was written by Jane Austen.'],
  [null, 'How can I sleep better?', 'Go to bed at the same time each day.'],
  [null, 'Why is the sky blue?', 'Air scatters blue light more than red.'],
  [null, 'Suggest a name for a cat. One word.', 'Mimi'],
  [null, 'Write a poem about the sea.', 'The sea is wide.'],
  [null, 'Name a fruit. One word.', 'Mango'],
  [null, 'Rate this film from 1 to 5. Digits only.', '2'],
  [null, 'Create a JSON object with a fictional person. JSON only.', '{"name":"Ada"}'],
  [null, 'Is the shop open today?', 'Yes, until eight.'],
])('a row is answered blind as %s: %s', (kind, prompt, answer) => {
  expect(blindKindOf(rowOf(prompt, answer))).toBe(kind);
});

it('two answers that agree end the asking, and neither is shown what the row says', async () => {
  const row = rowOf('A box has 12 eggs. How many eggs are in 4 boxes?', 'That makes 4 x 12 = 47.\n47');

  const { opinion, calls, shown } = await ask(row, '4 x 12 = 48\nAnswer: 48');

  expect(opinion).toEqual({ kind: 'result', votes: 2, agreed: '48', differs: true });
  expect(calls).toBe(2);
  expect(shown).not.toContain('47');
});

it('a third answer decides between two, and three that differ decide nothing', async () => {
  const row = rowOf('How many legs have three spiders? Reply with the number only.', '24');

  expect((await ask(row, '18', '24', '24')).opinion).toMatchObject({ agreed: '24', differs: false });
  expect((await ask(row, '18', '24', '30')).opinion).toMatchObject({ agreed: null, differs: false });
});

it('an answer that is written otherwise is no other answer', async () => {
  const label = rowOf('Output true or false. 17 is a prime number.', 'True');
  expect((await ask(label, '{"answer":"true"}')).opinion?.differs).toBe(false);
  const data = rowOf('Reply with JSON only: Ben, 7.', '{"name": "Ben", "age": 7}');
  expect((await ask(data, '{"age":7,"name":"Ben"}')).opinion?.differs).toBe(false);
  expect((await ask(data, '```json\n{"age":7,"name":"Ben"}\n```')).opinion).toMatchObject({ differs: false });
  expect((await ask(data, '```json\n{"age":8,"name":"Ben"}\n```')).opinion?.differs).toBe(true);
  const list = rowOf('Which colours are on the flag of Poland? Reply with a JSON list.', '["white","red"]');
  expect((await ask(list, '["red", "white"]')).opinion?.differs).toBe(false);
});

it.each([
  ['-5', '5', true],
  ['3,14', '3.14', false],
  ['1,200', '1200', false],
  ['14:30', '2:30', true],
  ['3/4', '0.75', false],
  ['$18.00', '18', false],
])('the result %s differs from %s: %s', async (own, vote, differs) => {
  const row = rowOf('How much is it? Show your steps and end with the number.', `It is\n${own}`);

  expect((await ask(row, `Answer: ${vote}`)).opinion).toMatchObject({ kind: 'result', differs });
});

it('prose is compared by the model, and what it cannot compare counts as the same', async () => {
  const row = rowOf('Who wrote "Emma"?', 'It was written by Emily Brontë.');
  const vote = 'Jane Austen wrote "Emma".';

  expect((await ask(row, vote, vote, '{"same":false}')).opinion).toMatchObject({
    kind: 'prose',
    differs: true,
  });
  expect((await ask(row, vote, vote, '{"same":true}')).opinion?.differs).toBe(false);
  expect((await ask(row, vote, vote, 'I agree with you')).opinion?.differs).toBe(false);
});

it('a model that answers with none of the labels has no opinion', async () => {
  const row = rowOf('Output true or false. 17 is a prime number.', 'true');

  expect((await ask(row, '{"answer":"fine"}')).opinion).toBeNull();
});

it('no text of a row makes the reading of its kind throw, however deep it is nested', () => {
  const hostile = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.constantFrom('['.repeat(50_000), '{"a":'.repeat(5000), '1'.repeat(100_000), '= '.repeat(50_000)),
  );
  fc.assert(
    fc.property(hostile, hostile, (prompt, answer) => {
      const kind = blindKindOf(rowOf(prompt, answer));
      expect(kind === null || typeof kind === 'string').toBe(true);
    }),
    { numRuns: 60 },
  );
});
