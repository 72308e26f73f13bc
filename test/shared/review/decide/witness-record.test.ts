import { expect, test } from 'vitest';
import type { VerdictRecord } from '#shared/review/decide/verdict.ts';
import {
  correctDoubts,
  type Doubted,
  describeWitnesses,
  doubtedBy,
} from '#shared/review/decide/witness-record.ts';

const LABELS: Doubted = { witness: 'neighbours', kind: 'label_contradicted' };
const CODE: Doubted = { witness: 'execution', kind: 'example_failed' };
const MODEL: Doubted = { witness: 'model', kind: null };
const VERSION = 2;

const verdict = (
  row: number,
  said: VerdictRecord['verdict'],
  by: Doubted,
  fields: Partial<VerdictRecord> = {},
): VerdictRecord => ({
  dataset_id: 'd',
  row,
  reviewer: 'ada',
  verdict: said,
  content_hash: `hash ${row}`,
  seen_in: 'rows',
  version: VERSION,
  drawn_as: 'doubtful',
  doubted: { ...by, probability: 0.8 },
  user_id: 'u',
  recorded_at: '2026-11-28T12:00:00.000Z',
  ...fields,
});

const right = (count: number, by: Doubted, from = 0): VerdictRecord[] =>
  Array.from({ length: count }, (_, n) => verdict(from + n, 'right', by));
const wrong = (count: number, by: Doubted, from = 0): VerdictRecord[] =>
  Array.from({ length: count }, (_, n) => verdict(from + n, 'wrong', by));

test('a witness that asks no model names its doubts before a model does, and by their kind', () => {
  const reason = { ...LABELS, kind: 'label_contradicted', message: 'm' };
  const ofModel = { witness: 'model' as const, kind: 'answered_otherwise', message: 'm' };

  expect(doubtedBy({ reasons: [ofModel, reason] as never })).toEqual(LABELS);
  expect(doubtedBy({ reasons: [ofModel] })).toEqual(MODEL);
});

test('doubts stay as they were stated without verdicts, and where verdicts are on rows that others doubted', () => {
  const doubts = [{ row: 1, by: LABELS, stated: 0.8 }];

  expect(correctDoubts(doubts, [], VERSION)).toEqual([{ ...doubts[0], probability: 0.8 }]);
  expect(correctDoubts(doubts, right(30, CODE), VERSION)).toEqual([{ ...doubts[0], probability: 0.8 }]);
});

test('verdicts correct the doubts of the same witness for the same, the more the more there are', () => {
  const doubts = [{ row: 99, by: LABELS, stated: 0.8 }];
  const after = (verdicts: readonly VerdictRecord[]): number =>
    correctDoubts(doubts, verdicts, VERSION)[0]?.probability ?? Number.NaN;
  const mixed = (count: number): VerdictRecord[] => [
    ...wrong(count / 2, LABELS),
    ...right(count / 2, LABELS, count / 2),
  ];

  const [few, many, most] = [after(mixed(4)), after(mixed(30)), after(mixed(1000))];

  expect(few).toBeGreaterThan(many);
  expect(many).toBeGreaterThan(most);
  // Ten rows at 0.8, and thirty at 0.5.
  expect(many).toBeCloseTo((10 * 0.8 + 15) / 40, 1.9);
  expect(most).toBeCloseTo(0.5, 1);
  expect(after(wrong(60, LABELS))).toBeGreaterThan(0.9);
});

test('what a model said counts in the version that it was asked for, and what other witnesses said in all', () => {
  const before = { version: VERSION - 1 };
  const verdicts = [verdict(1, 'right', MODEL, before), verdict(2, 'right', LABELS, before)];

  expect(describeWitnesses(verdicts, VERSION).map(({ witness }) => witness)).toEqual(['neighbours']);
  expect(describeWitnesses(verdicts, VERSION - 1)).toHaveLength(2);
});

test('several reviewers of a row are one row, and whoever mends it says that it was wrong', () => {
  const verdicts = [
    verdict(1, 'right', LABELS),
    verdict(1, 'mended', LABELS, { reviewer: 'ben' }),
    verdict(2, 'mended', LABELS),
    verdict(3, 'wrong', CODE),
    verdict(4, 'right', LABELS, { doubted: undefined }),
  ];

  expect(describeWitnesses(verdicts, VERSION)).toEqual([
    expect.objectContaining({ ...LABELS, rows: 2, share_wrong: 0.75, share_stated: 0.8 }),
    expect.objectContaining({ ...CODE, rows: 1, share_wrong: 1 }),
  ]);
});
