import { expect, test } from 'vitest';
import { applyEdit, learnEdit, needlesOf } from '#shared/review/decide/learn-edit.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';

/** What an edit that was learned of one text makes of another; null if it is not made. */
const carried = (before: string, after: string, other: string): string | null => {
  const edit = learnEdit(before, after);
  return edit === null ? null : (applyEdit(edit, other)?.text ?? null);
};

test('a label that was exchanged is exchanged where it is the whole text, and nowhere else', () => {
  expect(learnEdit('refund', 'billing question')).toEqual({
    kind: 'label',
    from: 'refund',
    to: 'billing question',
  });
  expect(carried('refund', 'billing', ' refund\n')).toBe(' billing\n');
  expect(carried('refund', 'billing', 'refund request')).toBeNull();
  expect(carried('refund', 'billing', 'billing')).toBeNull();
  expect(carried('a', '$& $1', 'a')).toBe('$& $1');
});

test.each([
  [
    'boilerplate',
    'As an AI language model, I say yes.',
    'I say yes.',
    'As an AI language model, I eat.',
    'I eat.',
  ],
  ['debris at the end', 'It is red.<|im_end|>', 'It is red.', 'It is blue.<|im_end|>', 'It is blue.'],
  [
    'a template',
    'Dear customer, thanks. Best, Bob',
    'Hello, thanks. Best, Bob',
    'Dear customer, no.',
    'Hello, no.',
  ],
  [
    'a word with those around it',
    'Its cold in here.',
    "It's cold in here.",
    'Its cold outside.',
    "It's cold outside.",
  ],
  [
    'encoding damage',
    'The cafÃ© is open.',
    'The café is open.',
    'See the cafÃ© is nice.',
    'See the café is nice.',
  ],
])('an edit of %s is made where the same text occurs', (_, before, after, other, expected) => {
  expect(carried(before, after, other)).toBe(expected);
});

test('a text is changed wherever it has the piece', () => {
  expect(
    carried('Use the Foobarizer Pro now.', 'Use the Widget now.', 'The Foobarizer Pro: a Foobarizer Pro.'),
  ).toBe('The Widget: a Widget.');
});

test('several pieces are changed each on its own, and the more of them are there, the more alike a text is', () => {
  const edit = learnEdit(
    'Certainly, my friend! Water boils at 100 degrees. I hope this helps you!',
    'Water boils at 100 degrees.',
  );
  if (edit === null) throw new Error('Nothing was learned.');

  const both = applyEdit(edit, 'Certainly, my friend! It is red. I hope this helps you!');
  const one = applyEdit(edit, 'It is red. I hope this helps you!');

  expect([both?.text.trim(), one?.text.trim()]).toEqual(['It is red.', 'It is red.']);
  expect(both?.similarity).toBeGreaterThan(one?.similarity ?? 1);
});

test('a short piece is changed only between the words that were around it', () => {
  expect(
    carried('He was born in 1968 in Rome.', 'He was born in 1969 in Rome.', 'In 1968 he died.'),
  ).toBeNull();
  expect(carried('There the cat sat down.', 'There the dog sat down.', 'Concatenate the cat sat.')).toBe(
    'Concatenate the dog sat.',
  );
  expect(carried('There is a cat at home.', 'There is a dog at home.', 'In a category at sea.')).toBeNull();
});

test.each([
  ['another amount', '42', '43'],
  ['text that was added alone', 'It is red.', 'It is red. Very red.'],
  ['a sentence in the place of the whole', "I don't know.", 'Paris is the capital.'],
  ['the same text', 'x y z', 'x y z'],
  ['much that is about the row', 'It is old stuff here.', `It is ${'very special '.repeat(10)}here.`],
])('nothing is learned of %s', (_, before, after) => {
  expect(learnEdit(before, after)).toBeNull();
});

test('every text that is changed has one of the pieces that are searched for', () => {
  const edit = learnEdit('Its cold. As an AI language model, yes.', "It's cold. Yes.");
  if (edit === null) throw new Error('Nothing was learned.');
  const texts = ['Its cold. No.', 'As an AI language model, yes.'];

  for (const text of texts) {
    expect(applyEdit(edit, text) === null || needlesOf(edit).some((needle) => text.includes(needle))).toBe(
      true,
    );
  }
});

test('long texts are compared in a second, however much they differ', () => {
  const words = (seed: number) => Array.from({ length: 20_000 }, (_, n) => `w${(n * seed) % 7919}`).join(' ');
  const elapsed = startStopwatch();

  learnEdit(words(3), words(5));
  const edit = learnEdit(`a x ${'b '.repeat(50_000)}`, `a y ${'b '.repeat(50_000)}`);
  if (edit !== null) applyEdit(edit, 'a x b '.repeat(16_000));

  expect(elapsed()).toBeLessThan(1500);
});
