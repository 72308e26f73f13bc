import { expect, test } from 'vitest';
import { answerTokensMax } from '#shared/training/decide/trainer-settings.ts';

const characters = (count: number): string => 'a'.repeat(count);

test.each([
  ['a short answer has 48', [10], [], 4096, 48],
  ['an answer has a quarter more than the longest reference', [800, 400], [], 4096, 250],
  ['a long answer has 512', [100_000], [], 65_536, 512],
  ['a short trace adds 512', [800], [40], 65_536, 250 + 512],
  ['a trace adds a quarter more than the longest', [800], [0, 8000], 65_536, 250 + 2500],
  ['a long trace adds 4,096', [100_000], [100_000], 65_536, 512 + 4096],
  ['a trace and its answer have half of the context at most', [800], [8000], 4096, 2048],
  ['rows without traces leave the limit of answers', [800], [0, 0], 4096, 250],
] as const)(
  'the limit of tokens of answers to held-out rows is known: %s',
  (_, answers, traces, context, limit) => {
    expect(answerTokensMax(answers.map(characters), traces.map(characters), context)).toBe(limit);
  },
);
