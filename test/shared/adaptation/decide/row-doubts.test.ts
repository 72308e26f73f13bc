import { expect, it } from 'vitest';
import { knownRows, withDoubt } from '#shared/adaptation/decide/row-doubts.ts';
import type { Doubt } from '#shared/runs/schema/doubt.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';

const doubt: Doubt = {
  probability: 0.94,
  reasons: [{ witness: 'execution', kind: 'example_failed', message: 'The example “f(1)” yields “1”.' }],
  proposal: 'another',
};
const found = {
  share_wrong: 0.1,
  silent: 0.05,
  looked_at: { program: 0, execution: 0, neighbours: 9 },
  missing: [],
  not_looked_at: 0,
  not_listed: 0,
  rows: [{ row: 4, ...doubt }],
  asked: [4, 6],
};
const cells = { enhanced_completion: 'an answer' };
const kept = { outcome: 'kept' as const, cells };
const changed = (kind: NonNullable<RunResult['edit']>['kind']) => ({
  outcome: 'changed' as const,
  edit: { kind, evidence: 'checked' as const, words_kept: 0.5 },
  cells,
});

it('a row is known by what was found of it, and by whether it is asked about', () => {
  const known = knownRows(found, true);

  expect(known(4)).toEqual({ doubt, isAsked: true });
  expect(known(5)).toEqual({ doubt: null, isAsked: false });
  expect(known(6)).toEqual({ doubt: null, isAsked: true });
});

it('a model is asked about all rows without a bound, and about none where nobody could choose within one', () => {
  expect(knownRows({ ...found, asked: null }, false)(5).isAsked).toBe(true);
  expect(knownRows(null, false)(5)).toEqual({ doubt: null, isAsked: true });
  expect(knownRows(null, true)(5).isAsked).toBe(false);
});

it('a doubtful row has a note with what was seen, and cells of its own where there are columns', () => {
  const message = 'The answer is wrong with a probability of about 94 %: The example “f(1)” yields “1”.';

  expect(withDoubt(kept, doubt, false)).toEqual({
    ...kept,
    doubt,
    notes: [{ code: 'doubtful_answer', message }],
  });
  expect(withDoubt({ ...kept, notes: [{ code: 'a', message: 'b' }] }, doubt, true)).toMatchObject({
    notes: [{ code: 'a' }, { code: 'doubtful_answer' }],
    cells: { ...cells, doubt: '0.94', doubt_reasons: 'The example “f(1)” yields “1”.' },
  });
});

it('a doubtful row is not called good', () => {
  const reason = { code: 'already_good', message: 'No defect was found in the row' };
  const other = { code: 'no_better_answer', message: 'No better answer was found' };

  expect(withDoubt({ ...kept, reason }, doubt, false).reason?.code).toBe('doubtful_answer');
  expect(withDoubt({ ...kept, reason }, { ...doubt, probability: 0.49 }, false).reason).toEqual(reason);
  expect(withDoubt({ ...kept, reason: other }, doubt, false).reason).toEqual(other);
});

it('a row that is rather right than wrong has a doubt and no note', () => {
  const doubted = withDoubt(kept, { ...doubt, probability: 0.49 }, false);

  expect(doubted.doubt?.probability).toBe(0.49);
  expect(doubted).not.toHaveProperty('notes');
});

it.each(['mended', 'completed', 'translated', 'reformatted'] as const)(
  'a row whose answer was %s is doubted as before',
  (kind) => {
    expect(withDoubt(changed(kind), doubt, false).doubt).toEqual(doubt);
  },
);

it.each([
  ['corrected', changed('corrected')],
  ['rewritten', changed('rewritten')],
  ['written', changed('written')],
  ['dropped', { outcome: 'dropped' as const }],
])('a row that was %s is doubted no longer', (_, result) => {
  expect(withDoubt(result, doubt, true)).toEqual(result);
});
