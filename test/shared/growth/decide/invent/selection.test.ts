import { expect, test } from 'vitest';
import { briefOf } from '#shared/growth/decide/invent/brief.ts';
import { roundSize, Selection } from '#shared/growth/decide/invent/selection.ts';
import type { CandidateResult } from '#shared/runs/schema/run-result.ts';

const result = (row: number, enhanced_prompt: string): CandidateResult => ({
  row,
  outcome: 'made',
  cells: { enhanced_prompt, enhanced_completion: 'An answer.' },
  score: 8,
  subdomain: 'art.illustration',
  tokens: { input: 1, output: 1 },
  calls: 1,
});

test('a selection takes no more than was asked for, and what comes later is surplus', () => {
  const selection = new Selection(2);

  expect(['one', 'two', 'three'].map((text, n) => selection.take(n, result(n, text)).kind)).toEqual([
    'accepted',
    'accepted',
    'surplus',
  ]);
});

test('a selection names the row that a request repeats', () => {
  const selection = new Selection(9);
  selection.take(0, result(0, 'What is the height of the highest mountain?'));

  expect(selection.take(1, result(1, 'What is the height of the highest mountain?'))).toMatchObject({
    kind: 'rejected',
    reason: { code: 'duplicate_exact', similar_to_row: 0 },
  });
  expect(selection.take(2, result(2, 'what is the height of the highest mountain…'))).toMatchObject({
    kind: 'rejected',
    reason: { code: 'duplicate_near', similar_to_row: 0 },
  });
});

test('a candidate without a result has failed', () => {
  expect(new Selection(1).take(0, undefined)).toMatchObject({ reason: { code: 'run_interrupted' } });
});

test.each([
  ['the first round is a little larger than what is missing', 100, 330, null, 111],
  ['one after which half was taken is twice as large', 50, 200, { candidates: 110, accepted: 55 }, 111],
  ['one that went badly is not followed by everything', 100, 9999, { candidates: 110, accepted: 0 }, 1100],
  ['a few rows are worth a few candidates more', 1, 200, { candidates: 100, accepted: 99 }, 8],
  ['what is left is the most', 100, 30, null, 30],
])('a round takes as many candidates as are likely to be enough: %s', (_, missing, left, last, size) => {
  expect(roundSize(missing, left, last)).toBe(size);
});

test('subdomains take turns, and a brief is the same whenever it is asked for', () => {
  const subdomains = ['art.illustration', 'medical.nutrition', 'legal.contracts'];
  const briefs = Array.from({ length: 300 }, (_, n) => briefOf('run', n, subdomains));

  expect(briefs.slice(0, 4).map(({ subdomain }) => subdomain)).toEqual([...subdomains, subdomains[0]]);
  expect(briefs).toEqual(Array.from({ length: 300 }, (_, n) => briefOf('run', n, subdomains)));
  expect(new Set(briefs.map((brief) => JSON.stringify(brief))).size).toBeGreaterThan(270);
  expect(briefs[0]?.topic).toBe('Visual arts: Illustration');
});
