import { expect, test } from 'vitest';
import { auditOrder } from '#shared/review/decide/audit-order.ts';
import { chooseRows, drawnAs } from '#shared/review/decide/choose-rows.ts';
import { gradeRows } from '#shared/review/decide/grade-rows.ts';
import { partsOf } from '#shared/review/decide/row-parts.ts';
import { doubtsOf, LABELS, opinion, reviewed } from '#test/helpers/reviewed.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';

test.each([1, 2, 3, 4, 5, 17, 64, 1000, 4097])('the order of %i rows has each of them once', (rows) => {
  const order = auditOrder(rows, 'seed');

  const drawn = Array.from({ length: rows }, (_, place) => order.rowAt(place));

  expect(drawn.toSorted((a, b) => a - b)).toEqual(Array.from({ length: rows }, (_, row) => row));
});

test('the order is the same for a dataset, another for another one, and spread over all rows', () => {
  const first = (seed: string) =>
    Array.from({ length: 400 }, (_, place) => auditOrder(100_000, seed).rowAt(place));
  const mean = first('a').reduce((sum, row) => sum + row, 0) / 400;

  expect(first('a')).toEqual(first('a'));
  expect(first('a')).not.toEqual(first('b'));
  // Four standard errors.
  expect(Math.abs(mean - 50_000)).toBeLessThan(5800);
});

test('every third row is drawn at random, whatever the size of the pages is', () => {
  const all = reviewed({ doubts: doubtsOf(Array.from({ length: 60 }, (_, row) => [row, 0.9 - row / 100])) });
  const seen: string[] = [];
  let { opinions } = all;
  while (seen.length < 30) {
    const [next] = chooseRows({ ...all, opinions }, 1).rows;
    if (next === undefined) throw new Error('Nothing is left.');
    seen.push(next.drawn_as);
    opinions = [...opinions, opinion(next.row, { drawn_as: next.drawn_as })];
  }

  expect(seen).toEqual(chooseRows(all, 30).rows.map(({ drawn_as }) => drawn_as));
  expect(seen.filter((each) => each === 'audit')).toHaveLength(10);
});

test('doubts that are next to nothing make no row doubtful', () => {
  const { rows, worthALook } = chooseRows(reviewed({ doubts: doubtsOf([[5, 0.09]]) }), 3);

  expect(rows.every(({ drawn_as }) => drawn_as === 'audit')).toBe(true);
  expect(worthALook).toBe(30);
});

test('a row whose verdicts are all stale is looked at again, and others with a verdict are not', () => {
  const doubts = doubtsOf([
    [5, 0.9],
    [6, 0.8],
  ]);
  const opinions = [opinion(5, { says: 'stale', values: [] }), opinion(6, { says: 'disputed' })];

  expect(chooseRows(reviewed({ doubts, opinions }), 1).rows).toEqual([{ row: 5, drawn_as: 'doubtful' }]);
});

test('a row is drawn if it is among those that come next, and chosen if its reviewer went there', () => {
  const all = reviewed({ rows: 100_000, doubts: doubtsOf([[5, 0.9]]) });
  const next = chooseRows(all, 50).rows.filter(({ drawn_as }) => drawn_as === 'audit');
  const why = drawnAs(all);
  const last = auditOrder(100_000, 'a dataset').rowAt(99_999);

  expect(next.map(({ row }) => why(row, 'audit'))).toEqual(next.map(() => 'audit'));
  expect(next.map(({ row }) => why(row, undefined))).toEqual(next.map(() => 'chosen'));
  expect([why(5, undefined), why(last, 'audit')]).toEqual(['doubtful', 'chosen']);
});

test('a row that somebody has looked at is looked at for the same reason by others', () => {
  const all = reviewed({
    doubts: doubtsOf([[5, 0.9]]),
    opinions: [
      opinion(5, { drawn_as: 'audit' }),
      opinion(6, { drawn_as: 'chosen' }),
      opinion(7, { says: 'stale' }),
    ],
  });
  const why = drawnAs({ ...all, rows: 10 });

  // The first was drawn before anyone doubted it.
  expect([5, 6, 7].map((row) => why(row, 'audit'))).toEqual(['audit', 'chosen', 'audit']);
});

test('100,000 rows with 10,000 doubts and 5,000 verdicts are ranked and graded in half a second', () => {
  const doubts = doubtsOf(Array.from({ length: 10_000 }, (_, n) => [n * 10, (n % 90) / 100]));
  const opinions = Array.from({ length: 5000 }, (_, n) => opinion(n * 20, { drawn_as: 'doubtful' }));
  const all = reviewed({ rows: 100_000, doubts, opinions });
  const elapsed = startStopwatch();

  expect(chooseRows(all, 50).rows).toHaveLength(50);
  expect(gradeRows(all)?.score).toBeGreaterThan(5);

  expect(elapsed()).toBeLessThan(500);
});

test('a row whose doubt verdicts have refuted is not looked at, and not drawn at random either', () => {
  const refuted = reviewed({
    rows: 40,
    doubts: [
      { row: 3, by: LABELS, stated: 0.8, probability: 0.05 },
      { row: 7, by: LABELS, stated: 0.4, probability: 0.9 },
    ],
  });

  const { rows } = chooseRows(refuted, 39);

  expect(rows[0]).toEqual({ row: 7, drawn_as: 'doubtful' });
  expect(rows.map(({ row }) => row)).not.toContain(3);
  expect(rows).toHaveLength(39);
});

const drawnFrom = (rows: number | undefined, version = 1) => ({
  version,
  recorded_at: '2026-03-01T12:00:00.000Z',
  ...(rows === undefined ? {} : { rows }),
});

test('rows that were appended since the draws are drawn first, as many as their share', () => {
  const opinions = Array.from({ length: 40 }, (_, row) => opinion(row, { from: drawnFrom(300) }));
  const all = reviewed({ rows: 400, opinions });

  const { rows, worthALook } = chooseRows(all, 12);

  expect(worthALook).toBe(8);
  expect(rows.map(({ row }) => row >= 300)).toEqual([
    ...new Array(8).fill(true),
    ...rows.slice(8).map(({ row }) => row >= 300),
  ]);
  expect(rows.map(({ row }) => drawnAs(all)(row, 'audit'))).toEqual(new Array(12).fill('audit'));
  expect(chooseRows({ ...all, rows: 300 }, 0).worthALook).toBe(0);
});

test('rows that were drawn and have changed since are drawn again first', () => {
  const drawn = Array.from({ length: 60 }, (_, row) =>
    opinion(row, row % 3 === 0 ? { says: 'stale', values: [] } : {}),
  );
  const all = reviewed({ opinions: drawn });

  const { rows, worthALook } = chooseRows(all, 20);

  expect(worthALook).toBe(20);
  expect(rows.map(({ row }) => row)).toEqual(
    drawn.filter(({ says }) => says === 'stale').map(({ row }) => row),
  );
});

test('rows are parted where something was drawn before others came', () => {
  const audit = (row: number, rows: number | undefined, version = 1) =>
    opinion(row, { from: drawnFrom(rows, version) });
  const chosen = opinion(5, { drawn_as: 'chosen', from: drawnFrom(20) });

  expect(partsOf(100, [audit(3, 100), audit(7, 100), chosen]).count).toBe(1);
  const three = partsOf(100, [audit(3, 40), audit(60, 80), audit(1, 40)]);
  expect([0, 39, 40, 79, 80, 99].map((row) => three.of(row))).toEqual([0, 0, 1, 1, 2, 2]);
  // Without a count there were as many rows as its verdicts show.
  const old = partsOf(100, [audit(30, undefined), audit(49, undefined), audit(20, undefined, 2)]);
  expect([20, 21, 49, 50].map((row) => old.of(row))).toEqual([0, 1, 1, 2]);
});
