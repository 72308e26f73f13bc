import { expect, test } from 'vitest';
import { describeReasons, missingRowsWarning } from '#shared/runs/decide/missing-rows.ts';

test('a warning of missing rows names their reasons, the most frequent first, and none where none is known', () => {
  const messageOf = (counts: Record<string, number>) =>
    missingRowsWarning(7, 10, '10 rows were written.', describeReasons('the others', counts))[0]?.message;

  expect(messageOf({ repeated: 1, too_long: 2 })).toBe(
    '7 of 10 rows were made, and only those are billed. 10 rows were written. Of the others: 2 too_long, 1 repeated. The report says why for each.',
  );
  expect(messageOf({})).toBe('7 of 10 rows were made, and only those are billed. 10 rows were written.');
  expect(missingRowsWarning(10, 10, describeReasons('the others', {}))).toEqual([]);
});
