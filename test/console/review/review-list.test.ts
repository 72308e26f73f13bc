import { describe, expect, test } from 'vitest';
import type { AlikeRow } from '../../../console/src/review/contract.ts';
import {
  acceptAlike,
  type Given,
  isSettled,
  judge,
  markStale,
  newList,
  openCount,
  type ReviewList,
  shownOf,
  skip,
  skippedCount,
  step,
  takeUpSkipped,
  undo,
  withLook,
  withRows,
} from '../../../console/src/review/review-list.ts';
import { limitFor } from '../../../console/src/review/use-review.ts';
import { reviewRow } from './fake-review.ts';

const RIGHT: Given = { verdict: 'right', completion: null };
const WRONG: Given = { verdict: 'wrong', completion: null };
const listOf = (...rows: readonly number[]): ReviewList =>
  withRows(
    newList(),
    rows.map((row) => reviewRow(row)),
  );
const shown = (list: ReviewList): number | null => shownOf(list)?.row.row ?? null;
const alike = (row: number): AlikeRow => ({
  row,
  content_hash: reviewRow(row).content_hash,
  prompt: null,
  completion: 'a',
  proposal: 'b',
  why: 'same_text',
});

describe('once witnesses have looked', () => {
  test('the row that is looked at stays, with its doubt, and doubted rows come before the others', () => {
    const doubt = { probability: 0.9, reasons: [] };
    const list = judge(listOf(1, 2, 3, 4), RIGHT).list;

    const after = withLook(list, [reviewRow(9, { doubt }), reviewRow(2, { doubt }), reviewRow(3)]);

    expect(after.rows.map(({ row }) => row.row)).toEqual([1, 2, 9, 3]);
    expect(shownOf(after)?.row).toMatchObject({ row: 2, doubt });
    expect(shown(judge(after, WRONG).list)).toBe(9);
  });

  test('rows that were skipped stay, and of a list at its end the first new row is shown', () => {
    const list = judge(skip(listOf(1, 2)), RIGHT).list;

    const after = withLook(list, [reviewRow(5)]);

    expect(after.rows.map(({ row }) => row.row)).toEqual([1, 2, 5]);
    expect(skippedCount(after)).toBe(1);
    expect(shown(after)).toBe(5);
  });
});

describe('the list of a review', () => {
  test('the list goes on to the next row without a verdict after each verdict', () => {
    const first = judge(listOf(1, 2, 3), RIGHT);

    const { content_hash, drawn_as } = reviewRow(1);
    expect(first.verdicts).toEqual([{ row: 1, content_hash, drawn_as, verdict: 'right' }]);
    expect(shown(first.list)).toBe(2);
    const back = step(first.list, -1);
    expect(shown(back)).toBe(1);
    expect(shown(judge(back, WRONG).list)).toBe(2);
  });

  test('the list takes back the last verdict, and says again what was said before', () => {
    const twice = judge(step(judge(listOf(1, 2), RIGHT).list, -1), WRONG).list;
    const once = undo(twice);
    expect(once.verdicts.map(({ verdict }) => verdict)).toEqual(['right']);
    expect(shown(once.list)).toBe(1);

    const none = undo(once.list);
    expect(none.verdicts.map(({ verdict }) => verdict)).toEqual(['none']);
    expect(undo(none.list)).toEqual({ list: none.list, verdicts: [] });
  });

  test('the list puts skipped rows to the end, and shows them again on demand', () => {
    const skipped = skip(listOf(1, 2));
    expect(shown(skipped)).toBe(2);
    const ended = judge(skipped, RIGHT).list;
    expect(shown(ended)).toBeNull();
    expect(skippedCount(ended)).toBe(1);

    expect(shown(takeUpSkipped(ended))).toBe(1);
    expect(undo(skipped)).toMatchObject({ verdicts: [], list: { at: 0 } });
  });

  test('the list adds rows that are new, and leaves those where they are that it knows', () => {
    const list = judge(listOf(1, 2), RIGHT).list;
    expect(withRows(list, [reviewRow(1), reviewRow(2)])).toBe(list);

    const more = withRows(list, [reviewRow(2), reviewRow(3)]);
    expect(more.rows.map(({ row }) => row.row)).toEqual([1, 2, 3]);
    expect(shown(more)).toBe(2);
    expect(openCount(more)).toBe(2);
  });

  test('the list shows a row anew that comes with other content', () => {
    const changed = withRows(listOf(1, 2), [reviewRow(1, { content_hash: 'x', completion: 'new' })]);

    expect(shown(changed)).toBe(2);
    expect(openCount(changed)).toBe(2);
    expect(changed.rows[0]?.isStale).toBe(true);
    expect(judge(step(changed, -1), RIGHT).verdicts).toEqual([]);
  });

  test('the list forgets what was said of a row that had changed', () => {
    const { list, verdicts } = judge(listOf(1, 2), RIGHT);
    const stale = markStale(list, verdicts);

    expect(stale.rows[0]).toMatchObject({ given: null, isStale: true });
    expect(undo(stale).verdicts).toEqual([]);
  });

  test('the list takes accepted rows alike for mended, those that it does not show among them', () => {
    const { list, verdicts } = acceptAlike(listOf(1, 2), [alike(2), alike(9)]);

    expect(verdicts.map(({ row, verdict, completion }) => [row, verdict, completion])).toEqual([
      [2, 'mended', 'b'],
      [9, 'mended', 'b'],
    ]);
    expect(shown(list)).toBe(1);
    expect(isSettled(list, alike(9))).toBe(true);
    expect(isSettled(judge(listOf(1), WRONG).list, alike(1))).toBe(false);
    expect(isSettled(judge(listOf(1), RIGHT).list, alike(1))).toBe(true);
    expect(withRows(list, [reviewRow(9)]).rows).toHaveLength(2);

    const back = undo(list);
    expect(back.verdicts.map(({ row, verdict }) => [row, verdict])).toEqual([
      [2, 'none'],
      [9, 'none'],
    ]);
    expect(withRows(back.list, [reviewRow(9)]).rows).toHaveLength(3);
  });

  test('the list leaves out rows whose verdicts an earlier page has left unsent', () => {
    const list = withRows(newList([{ row: 1, content_hash: reviewRow(1).content_hash, verdict: 'wrong' }]), [
      reviewRow(1),
      reviewRow(2),
    ]);

    expect(list.rows.map(({ row }) => row.row)).toEqual([2]);
  });

  test('the list asks for more rows than are open, skipped or unsent, within what the service gives', () => {
    expect(limitFor(newList(), 0)).toBe(20);
    expect(limitFor(skip(listOf(1, 2, 3)), 4)).toBe(27);
    expect(limitFor(newList(), 100)).toBe(50);
  });
});
