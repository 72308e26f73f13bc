import { expect, test } from 'vitest';
import { knownCheckRates } from '#shared/judging/decide/known-check-rates.ts';
import { verdictOf } from '#shared/judging/decide/row-verdict.ts';
import type { RowChecks, RowComparison } from '#shared/runs/schema/row-score.ts';

const sound: RowChecks = {
  changed: true,
  has_original: true,
  before_defect: null,
  after_defect: null,
  harm: null,
};
const judge = { accuracy: 0.9, false_acceptance: 0.05, n: 100 };
const named = (winner: RowComparison['winner']): RowComparison => ({
  winner,
  by: 'judge',
  characters: { before: 1, after: 1 },
});
const verdict = (
  checks: Partial<RowChecks>,
  winner?: RowComparison['winner'],
  by: typeof judge | null = judge,
) =>
  verdictOf(
    { row: 7, checks: { ...sound, ...checks }, comparison: winner === undefined ? undefined : named(winner) },
    knownCheckRates,
    by,
  );

test('the verdict on an answer against the original is the same where nothing changed, whatever else is known', () => {
  expect(verdict({ changed: false, before_defect: 'thin', after_defect: 'thin' })).toEqual({
    row: 7,
    verdict: 'same',
    error: 0,
  });
});

test('the verdict on an answer against the original is worse where a sound original was harmed or gained a defect, and no judge is heard', () => {
  expect(verdict({ harm: 'lost a number' }, 'after')).toEqual({ row: 7, verdict: 'worse', error: 0 });
  expect(verdict({ after_defect: 'cut_off' }, 'after')).toMatchObject({ verdict: 'worse', error: 0 });
});

test('the verdict on an answer against the original is better where a defect was repaired, with the measured error of that kind of edit', () => {
  const edit = { kind: 'rewritten', evidence: 'checked', words_kept: 0 } as const;
  const repaired = verdict({ before_defect: 'thin', edit });

  expect(repaired).toMatchObject({ verdict: 'better', isRepair: true });
  const { right, of } = knownCheckRates.edits.rewritten;
  // With half a hit and half a miss more.
  expect(repaired.error).toBeCloseTo(1 - (right + 0.5) / (of + 1), 10);
});

test('the verdict on an answer against the original takes the error of all edits where the kind is not known', () => {
  const { right, of } = Object.values(knownCheckRates.edits).reduce((sum, each) => ({
    right: sum.right + each.right,
    of: sum.of + each.of,
  }));

  expect(verdict({ before_defect: 'empty' }).error).toBeCloseTo(1 - (right + 0.5) / (of + 1), 10);
});

test('the verdict on an answer against the original is undecided where edits of that kind are wrong as often as right', () => {
  const rates = { ...knownCheckRates, edits: { ...knownCheckRates.edits, mended: { right: 3, of: 6 } } };
  const checks: RowChecks = {
    ...sound,
    before_defect: 'careless',
    edit: { kind: 'mended', evidence: 'checked', words_kept: 1 },
  };

  expect(verdictOf({ row: 1, checks }, rates, judge).verdict).toBe('undecided');
});

test('the verdict on an answer against the original is undecided where both are defective, and without an original', () => {
  expect(verdict({ before_defect: 'thin', after_defect: 'cut_off' }, 'after').verdict).toBe('undecided');
  expect(verdict({ has_original: false }, 'after').verdict).toBe('undecided');
});

test('the verdict on an answer against the original is the judge’s between two sound answers: the new one is named wrongly by false acceptance, the original by inaccuracy', () => {
  const after = verdict({}, 'after');
  const before = verdict({}, 'before');

  expect([after.verdict, before.verdict]).toEqual(['better', 'worse']);
  expect(after.error).toBeCloseTo((0.05 * 100 + 0.5) / 101, 10);
  expect(before.error).toBeCloseTo(1 - (0.9 * 100 + 0.5) / 101, 10);
});

test('the verdict on an answer against the original is undecided where the judge is, or was not asked', () => {
  expect(verdict({}, null).verdict).toBe('undecided');
  expect(verdict({}).verdict).toBe('undecided');
});

test('the verdict on an answer against the original believes a judge without known errors, and for neither side one that errs in half of the cases for one', () => {
  expect(verdict({}, 'after', null)).toEqual({ row: 7, verdict: 'better', error: 0 });
  const partial = { accuracy: 0.45, false_acceptance: 0.1, n: 100 };
  expect(verdict({}, 'after', partial).verdict).toBe('undecided');
  expect(verdict({}, 'before', partial).verdict).toBe('undecided');
});

test('an answer that was taken because the judge preferred it is better, as often as that judge is right', () => {
  const checks = {
    changed: true,
    has_original: true,
    before_defect: null,
    after_defect: null,
    harm: null,
    edit: { kind: 'rewritten', evidence: 'judged', words_kept: 0.5 },
  } as const;
  const judge = { accuracy: 0.9, false_acceptance: 0.1, n: 200 };

  expect(verdictOf({ row: 3, checks }, knownCheckRates, judge)).toMatchObject({ row: 3, verdict: 'better' });
});
