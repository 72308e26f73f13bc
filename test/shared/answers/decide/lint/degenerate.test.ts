import { expect, test } from 'vitest';
import { degeneracyOf } from '#shared/answers/decide/lint/degenerate.ts';

test.each([['What is rain?', 'What is rain? ']])(
  'an answer repeats its prompt if it is the same question: %s',
  (prompt, answer) => {
    expect(degeneracyOf(answer, prompt)).toBe('repeats the prompt');
  },
);

test.each([
  ['begins with the prompt', 'What is rain?', 'What is rain? It is water.'],
  ['is the beginning of the prompt', 'What is rain? It is water.', 'What is rain?'],
  ['differs in a word', 'What is rain?', 'What was rain?'],
  ['corrects nothing, since nothing is wrong', 'He has two dogs.', 'He has two dogs.'],
  ['is a grid of digits', 'Fill the grid.', '0 1 0\n'.repeat(30)],
  ['is the only word of the prompt', 'Rain', 'rain'],
  ['answers a prompt without words', '?', 'It is water.'],
])('an answer that %s does not repeat it', (_, prompt, answer) => {
  expect(degeneracyOf(answer, prompt)).toBeNull();
});
