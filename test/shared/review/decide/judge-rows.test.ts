import { expect, test } from 'vitest';
import { countOpinions, judgeRow, judgeRows, statusOf } from '#shared/review/decide/judge-rows.ts';
import type { VerdictRecord } from '#shared/review/decide/verdict.ts';

const verdict = (
  row: number,
  said: VerdictRecord['verdict'],
  fields: Partial<VerdictRecord> = {},
): VerdictRecord => ({
  dataset_id: 'd',
  row,
  reviewer: 'ada',
  verdict: said,
  content_hash: 'seen',
  ...(said === 'mended' ? { mended_hash: 'mended', text_id: 't' } : {}),
  seen_in: 'run',
  version: 2,
  drawn_as: 'audit',
  user_id: 'u',
  recorded_at: '2026-03-01T12:00:00.000Z',
  ...fields,
});

test.each([
  ['right', 'seen', 'current'],
  ['right', 'other', 'stale'],
  ['right', null, 'stale'],
  ['wrong', null, 'applied'],
  ['mended', 'seen', 'current'],
  ['mended', 'mended', 'applied'],
  ['mended', 'other', 'stale'],
  ['mended', null, 'stale'],
] as const)('the verdict %s on a row that has %s by now is %s', (said, current, expected) => {
  expect(statusOf(verdict(1, said), current)).toBe(expected);
});

test.each([
  ['two who call it right', ['right', 'right'], 'right'],
  ['one who calls it right and one who calls it wrong', ['right', 'wrong'], 'disputed'],
  ['one who calls it wrong and one who mends it', ['wrong', 'mended'], 'mended'],
  ['one who calls it right and one who mends it', ['right', 'mended'], 'disputed'],
  ['two who mend it in the same way', ['mended', 'mended'], 'mended'],
] as const)('a row with %s is %s', (_, said, expected) => {
  const opinion = judgeRow(
    said.map((each, n) => verdict(1, each, { reviewer: `r${n}` })),
    'seen',
  );

  expect(opinion.says).toBe(expected);
  expect(opinion.values).toEqual(said.map((each) => (each === 'right' ? 1 : 0)));
});

test('a row that two people mend in different ways is disputed', () => {
  const two = [verdict(1, 'mended'), verdict(1, 'mended', { reviewer: 'ben', mended_hash: 'otherwise' })];

  expect(judgeRow(two, 'seen').says).toBe('disputed');
  // The text of one of them has been applied: he says that the row is right, and the other has seen another one.
  expect(judgeRow(two, 'mended')).toMatchObject({ says: 'right', values: [1] });
});

test('verdicts on what a row no longer has do not count beside one on what it has', () => {
  const two = [verdict(1, 'wrong'), verdict(1, 'right', { reviewer: 'ben', content_hash: 'now' })];

  expect(judgeRow(two, 'now')).toMatchObject({ says: 'right', values: [1] });
  expect(judgeRow(two, 'other')).toMatchObject({ says: 'stale', values: [] });
});

test('rows are judged each by its own verdicts, and counted; a row that was dropped as wrong is none any more', () => {
  const opinions = judgeRows(
    [
      verdict(1, 'right'),
      verdict(1, 'wrong', { reviewer: 'ben' }),
      verdict(4, 'mended'),
      verdict(9, 'wrong'),
    ],
    (row) => (row === 9 ? null : 'seen'),
  );

  expect(opinions.map(({ row, says }) => [row, says])).toEqual([
    [1, 'disputed'],
    [4, 'mended'],
    [9, 'dropped'],
  ]);
  expect(countOpinions(opinions)).toEqual({ right: 0, wrong: 0, mended: 1, disputed: 1, stale: 0 });
});

test('what was said of a row when it was drawn stays when a review mends or drops it, and follows adaptations', () => {
  const two = [verdict(1, 'mended'), verdict(1, 'wrong', { reviewer: 'ben' })];
  const adapted = { isReviewed: false };

  expect(judgeRow(two, 'seen')).toMatchObject({ values: [0, 0], said: [0, 0] });
  expect(judgeRow(two, 'mended')).toMatchObject({ says: 'right', values: [1], said: [0, 0] });
  expect(judgeRow(two, null)).toMatchObject({ says: 'dropped', values: [], said: [0] });
  expect(judgeRow(two, 'mended', adapted)).toMatchObject({ values: [1], said: [1] });
  expect(judgeRow(two, null, adapted)).toMatchObject({ says: 'dropped', said: [] });
  expect(judgeRow(two, 'other')).toMatchObject({ says: 'stale', said: [] });
});

test('a row that was wrong when it was drawn stays so for the others when its reviewer calls its new text right', () => {
  const again = verdict(1, 'right', { content_hash: 'mended', was_wrong: true });

  expect(judgeRow([again], 'mended')).toMatchObject({ says: 'right', values: [1], said: [0] });
});

test('a row was looked at when its first reviewer did', () => {
  const two = [
    verdict(1, 'right', { rows: 20, version: 3, recorded_at: '2026-03-02T12:00:00.000Z' }),
    verdict(1, 'right', { reviewer: 'ben', rows: 10 }),
  ];

  expect(judgeRow(two, 'seen').from).toEqual({
    rows: 10,
    version: 2,
    recorded_at: '2026-03-01T12:00:00.000Z',
  });
  expect(judgeRow([verdict(1, 'right')], 'seen').from.rows).toBeUndefined();
});
