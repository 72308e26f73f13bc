import { expect, test } from 'vitest';
import { checkRatesOf, type MeasuredRow, missingForRates, rateRefusal } from '#lab/effect/rates.ts';
import type { LabResult } from '#lab/effect/result.ts';
import type { LabRow } from '#lab/effect/row.ts';
import { CheckRates } from '#shared/judging/decide/known-check-rates.ts';
import type { AnswerEdit } from '#shared/runs/schema/run-result.ts';

const edited = (kind: AnswerEdit['kind']): AnswerEdit => ({ kind, evidence: 'checked', words_kept: 1 });

function rowOf(row: Partial<MeasuredRow>): MeasuredRow {
  return {
    original: 'an answer',
    outcome: 'kept',
    edit: null,
    before_ok: true,
    after_ok: true,
    defect: null,
    ...row,
  };
}

test('rates count what the checks see of answers that are known to be right or wrong', () => {
  const rates = checkRatesOf('a-model', [
    rowOf({}),
    rowOf({ defect: 'careless' }),
    rowOf({ before_ok: false, defect: 'cut_off', outcome: 'changed', edit: edited('completed') }),
    rowOf({
      before_ok: false,
      defect: 'careless',
      outcome: 'changed',
      edit: edited('mended'),
      after_ok: false,
    }),
    rowOf({ before_ok: false, after_ok: false }),
    // Nobody misses an empty answer; what is written in its place counts.
    rowOf({ original: ' ', before_ok: false, defect: 'empty', outcome: 'changed', edit: edited('written') }),
    // Measured before the checks were asked.
    { original: 'an answer', outcome: 'failed', before_ok: false, after_ok: false },
  ]);

  expect(rates).toMatchObject({
    measured: { model_id: 'a-model', rows: 7 },
    sensitivity: { hits: 2, of: 3 },
    specificity: { hits: 1, of: 2 },
    edits: {
      completed: { right: 1, of: 1 },
      mended: { right: 0, of: 1 },
      written: { right: 1, of: 1 },
      corrected: { right: 0, of: 0 },
    },
  });
  expect(CheckRates.parse(rates)).toEqual(rates);
});

test('rates are of the half development and of a model that does not know its rows', () => {
  expect(rateRefusal({ half: 'development', model: 'a-model' })).toBeNull();
  expect(rateRefusal({ half: 'held-out', model: 'a-model' })).toContain('held-out');
  expect(rateRefusal({ half: 'development', model: 'scripted-confidently-wrong' })).toContain(
    'knows the rows',
  );
});

test('rates are of all rows of the half, and of rows whose edits are known', () => {
  const rows = [{ id: 'number-1' }, { id: 'number-2' }] as LabRow[];
  const result = (edit?: LabResult['edit']) => ({ ...(edit === undefined ? {} : { edit }) }) as LabResult;
  const missing = (results: readonly (readonly [string, LabResult])[]) =>
    missingForRates(rows, new Map(results));

  expect(missing([['number-1', result(null)]])).toContain('1 of 2 rows');
  expect(
    missing([
      ['number-1', result(null)],
      ['number-2', result()],
    ]),
  ).toContain('how their rows were edited');
  expect(
    missing([
      ['number-1', result(null)],
      ['number-2', result(edited('mended'))],
    ]),
  ).toBeNull();
});
