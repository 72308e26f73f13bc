import { expect, it } from 'vitest';
import { chooseSequence } from '#local/model/choose-sequence.ts';

const tokens = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);
const remembering = (...contextTokens: number[]) => ({ contextTokens });

it('choosing a sequence takes the one that remembers most of the prompt', () => {
  const judge = remembering(...tokens(40), 900);
  const rewrite = remembering(...tokens(20), 901);

  expect(chooseSequence([rewrite, judge], [...tokens(50), 902])).toBe(judge);
});

it('choosing a sequence spares what others remember where only the template is shared, and takes the longest free', () => {
  const unused = remembering();
  const judge = remembering(...tokens(4), ...tokens(100, 500));

  expect(chooseSequence([unused, judge], [...tokens(4), ...tokens(100, 700)])).toBe(unused);
});

it('choosing a sequence takes none where none is free', () => {
  expect(chooseSequence([], tokens(3))).toBeUndefined();
});
