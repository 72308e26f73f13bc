import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CheckRates, EditKind, knownCheckRates } from '#shared/judging/decide/known-check-rates.ts';
import { type CheckedRow, estimateQuality } from '#shared/judging/decide/quality-estimate.ts';
import { jeffreysRate, roganGladen } from '#shared/judging/decide/rogan-gladen.ts';
import type { RowChecks } from '#shared/runs/schema/row-score.ts';

const checksOf = (checks: Partial<RowChecks>): RowChecks => ({
  changed: false,
  has_original: true,
  before_defect: null,
  after_defect: null,
  harm: null,
  ...checks,
});
const rowOf = (checks: Partial<RowChecks>, winner?: 'before' | 'after' | null): CheckedRow => ({
  checks: checksOf(checks),
  ...(winner === undefined
    ? {}
    : { comparison: { winner, by: 'judge', characters: { before: 10, after: 10 } } }),
});
const times = (count: number, row: CheckedRow): CheckedRow[] => Array.from({ length: count }, () => row);

const sound = rowOf({});
const careless = rowOf({ before_defect: 'careless', after_defect: 'careless' });
const mended = rowOf({
  changed: true,
  before_defect: 'careless',
  edit: { kind: 'mended', evidence: 'checked', words_kept: 0.9 },
});
const harmed = rowOf({
  changed: true,
  harm: 'is no bare number',
  after_defect: 'form_broken',
  edit: { kind: 'rewritten', evidence: 'checked', words_kept: 0 },
});
const rewritten: Partial<RowChecks> = {
  changed: true,
  edit: { kind: 'rewritten', evidence: 'checked', words_kept: 0.5 },
};

/** Rates that were measured on so many rows that they are certain. */
function certainRates(sensitivity: number, specificity: number, precision: number): CheckRates {
  const of = 10_000_000;
  return {
    measured: { model_id: 'a-model', rows: of },
    sensitivity: { hits: sensitivity * of, of },
    specificity: { hits: specificity * of, of },
    edits: Object.fromEntries(
      EditKind.options.map((kind) => [kind, { right: precision * of, of }]),
    ) as CheckRates['edits'],
  };
}

const estimate = (
  rows: readonly CheckedRow[],
  rates: CheckRates = knownCheckRates,
  judge: Parameters<typeof estimateQuality>[2] = null,
) => {
  const found = estimateQuality(rows, rates, judge);
  if (found === null) throw new Error('Nothing was estimated.');
  return found;
};
const widthOf = (interval: readonly [number, number] | undefined): number =>
  interval === undefined ? Number.NaN : interval[1] - interval[0];

it('the correction of a fallible test is that of Rogan and Gladen', () => {
  // 10 % test positive; of the ill 90 % do, of the well 5 %: (0.1 − 0.05) / 0.85.
  expect(roganGladen(0.1, 0.9, 0.95)).toBeCloseTo(0.058_82, 5);
  expect(roganGladen(0.5, 0.5, 0.5)).toBeNull();
});

it('the correction of a fallible test gives the share of right answers before, with the variance of the sample and of the rates', () => {
  const rows = [...times(300, careless), ...times(700, sound)];
  const rates = { ...certainRates(0.9, 0.95, 1), sensitivity: { hits: 90, of: 100 } };

  const { before } = estimate(rows, rates);

  const [rate, f, d] = [jeffreysRate(90, 100), 302 / 1004, 0.9 - 0.5 / 101 + 0.45 / 101 + 0.95 - 1];
  const wrong = (0.3 + 0.95 - 1) / (rate.value + 0.95 - 1);
  expect(before?.value).toBeCloseTo(10 * (1 - wrong), 4);
  // f(1 − f) / (n d²) + q² · Var(sensitivity) / d²
  const q = (f + 0.95 - 1) / (rate.value + 0.95 - 1);
  const variance = (f * (1 - f)) / (1000 * d ** 2) + (q ** 2 * rate.variance) / d ** 2;
  expect(widthOf(before?.interval95)).toBeCloseTo(2 * 10 * 1.96 * Math.sqrt(variance), 2);
});

it('an estimate shows harm: sound answers that lost their form make the dataset worse', () => {
  const { before, after, difference, rows } = estimate([...times(11, harmed), mended, ...times(88, sound)]);

  expect(after.value).toBeLessThan(before?.value ?? 0);
  expect(difference?.interval95[1]).toBeLessThan(0);
  expect(rows.gotWorse?.share).toBeCloseTo(0.11, 2);
  expect(rows.gotBetter?.rows).toBeLessThan(1.01);
});

it('an estimate shows harm where a judge prefers the originals, and where edits are right less often than originals', () => {
  const judged = estimate([...times(10, rowOf(rewritten, 'before')), ...times(10, sound)]);
  const unjudged = estimate([...times(10, rowOf(rewritten)), ...times(10, sound)]);

  expect(judged.difference?.value).toBeCloseTo(-5, 5);
  expect(unjudged.difference?.value).toBeLessThan(0);
});

it('an estimate gives a changed row the precision of its kind of edit, not what its checks say', () => {
  const { after, byEdit, difference } = estimate(times(10, mended), certainRates(0.9, 1, 0.8));

  expect(after.value).toBeCloseTo(8, 3);
  expect(difference?.value).toBeCloseTo(8, 2);
  expect(byEdit).toEqual({ mended: { rows: 10, precision: expect.closeTo(0.8, 5) } });
});

it('an estimate gives an empty answer nothing before, and the precision of written ones after', () => {
  const written = rowOf({
    changed: true,
    before_defect: 'empty',
    edit: { kind: 'written', evidence: 'checked', words_kept: 0 },
  });

  const { before, after } = estimate([...times(5, written), ...times(5, sound)], certainRates(0.9, 1, 0.6));

  expect(before?.value).toBeCloseTo(5, 4);
  expect(after.value).toBeCloseTo(8, 4);
});

it('an estimate has no before where no answers are read', () => {
  const { before, after, difference, rows } = estimate(
    times(
      4,
      rowOf({
        changed: true,
        has_original: false,
        edit: { kind: 'written', evidence: 'checked', words_kept: 0 },
      }),
    ),
  );

  expect([before, difference, rows.gotWorse]).toEqual([null, null, null]);
  expect(after.value).toBeCloseTo(
    (10 * (knownCheckRates.edits.written.right + 0.5)) / (knownCheckRates.edits.written.of + 1),
    5,
  );
});

it('an estimate is wider where less was measured, and where fewer rows were seen', () => {
  const few = { ...knownCheckRates, edits: { ...knownCheckRates.edits, mended: { right: 5, of: 5 } } };
  const many = { ...knownCheckRates, edits: { ...knownCheckRates.edits, mended: { right: 500, of: 500 } } };
  const rows = [...times(30, mended), ...times(70, sound)];

  expect(widthOf(estimate(rows, few).after.interval95)).toBeGreaterThan(
    widthOf(estimate(rows, many).after.interval95),
  );
  expect(widthOf(estimate([...times(3, mended), ...times(7, sound)]).difference?.interval95)).toBeGreaterThan(
    widthOf(estimate(rows).difference?.interval95),
  );
});

it('an estimate is not certain of rows that all look alike', () => {
  expect(widthOf(estimate(times(5, sound)).before?.interval95)).toBeGreaterThan(1);
  expect(estimate(times(5, sound)).rows.gotWorse?.interval95[1]).toBeGreaterThan(0.3);
});

it('an estimate believes a judge less where it is known to err', () => {
  const rows = [...times(8, rowOf(rewritten, 'after')), ...times(2, rowOf(rewritten, 'before'))];

  const [plain, corrected] = [
    estimate(rows),
    estimate(rows, knownCheckRates, { accuracy: 0.9, false_acceptance: 0.3, n: 10_000_000 }),
  ];

  expect(plain.judged).toEqual({ pairs: 10, winRate: 0.8, winRateCorrected: null });
  // (0.8 − 0.3) / (0.9 − 0.3)
  expect(corrected.judged.winRateCorrected).toBeCloseTo(5 / 6, 5);
  expect(corrected.rows.gotBetter?.rows).toBeCloseTo(10 * (5 / 6), 4);
});

it('an estimate does not decide by a judge that is no better than chance', () => {
  const rows = times(10, rowOf(rewritten, 'before'));

  expect(estimate(rows, knownCheckRates, { accuracy: 0.5, false_acceptance: 0.5, n: 20 }).after).toEqual(
    estimate(times(10, rowOf(rewritten))).after,
  );
});

const defects = fc.constantFrom('empty', 'careless', 'form_broken', 'cut_off', null);
const anyRow: fc.Arbitrary<CheckedRow> = fc
  .record({
    changed: fc.boolean(),
    before_defect: defects,
    after_defect: defects,
    harm: fc.constantFrom(null, 'is no bare number'),
    kind: fc.constantFrom(...EditKind.options, undefined),
    winner: fc.constantFrom(undefined, null, 'before' as const, 'after' as const),
  })
  .map(({ kind, winner, ...checks }) =>
    rowOf(
      {
        ...checks,
        ...(kind === undefined ? {} : { edit: { kind, evidence: 'checked' as const, words_kept: 0.5 } }),
      },
      winner,
    ),
  );
const anyJudge = fc.option(
  fc.record({
    accuracy: fc.double({ min: 0, max: 1, noNaN: true }),
    false_acceptance: fc.double({ min: 0, max: 1, noNaN: true }),
    n: fc.integer({ min: 0, max: 100 }),
  }),
);

it('any estimate stays on its scale, between its bounds, and its rows add up', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { minLength: 1, maxLength: 60 }), anyJudge, (rows, judge) => {
      const found = estimate(rows, knownCheckRates, judge);
      for (const score of [found.before, found.after]) {
        if (score === null) continue;
        const [low, high] = score.interval95;
        expect(score.value).toBeGreaterThanOrEqual(-1e-9);
        expect(score.value).toBeLessThanOrEqual(10 + 1e-9);
        expect(low).toBeLessThanOrEqual(score.value + 1e-9);
        expect(high).toBeGreaterThanOrEqual(score.value - 1e-9);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(10);
      }
      const { unchanged, changed, gotBetter, gotWorse, undecided } = found.rows;
      expect(unchanged.rows + changed.rows).toBeCloseTo(rows.length, 6);
      expect((gotBetter?.rows ?? 0) + (gotWorse?.rows ?? 0) + (undecided?.rows ?? 0)).toBeCloseTo(
        changed.rows,
        6,
      );
    }),
  );
});

it('any estimate is the same on both sides where no row changed, and the difference is exactly 0', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { minLength: 1, maxLength: 60 }), (rows) => {
      const unchanged = rows.map(({ checks }) => rowOf({ ...checks, changed: false }));
      const { before, after, difference } = estimate(unchanged);
      expect(after).toEqual(before);
      expect(difference).toEqual({ value: 0, interval95: [0, 0] });
    }),
  );
});

it('any estimate of nothing there is none', () => {
  expect(estimateQuality([], knownCheckRates, null)).toBeNull();
});

it('corrected answers that lose what their originals state raise the score by what verification is worth', () => {
  const corrected = rowOf({
    changed: true,
    harm: 'lost what the original states: 18',
    edit: { kind: 'corrected', evidence: 'consistent', words_kept: 0.5 },
  });

  const { before, after, rows } = estimate([...times(40, sound), ...times(60, corrected)]);

  expect(before?.value).toBeLessThan(5);
  expect(after?.value).toBeGreaterThan(8.5);
  expect(rows.gotBetter?.share).toBeGreaterThan(0.5);
  const [low, high] = after?.interval95 ?? [0, 0];
  expect(low).toBeLessThan(9.2);
  expect(high).toBeGreaterThan(9);
});

it('the measured rates are as their schema says', () => {
  expect(CheckRates.parse(knownCheckRates)).toEqual(knownCheckRates);
});
