import { expect, test } from 'vitest';
import { readJob } from '#shared/witnesses/decide/execution/read-job.ts';
import { findOtherAnswers } from '#shared/witnesses/decide/neighbours/same-questions.ts';
import { DOUBTED_ROWS_MAX, weighRows } from '#shared/witnesses/decide/weigh-rows.ts';
import { millisecondsOf } from '#test/helpers/hostile-texts.ts';

const many = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => of(n));

test('a row with thousands of functions and examples is read in a second', () => {
  const row = {
    prompt: 'Write them.',
    completion: many(3000, (n) => `def f${n}(x):\n    return x`).join('\n'),
    context: many(3000, (n) => `>>> g${n}(1)`).join('\n'),
  };

  expect(millisecondsOf(() => readJob(row))).toBeLessThan(1500);
});

test('thousands of answers to one question are compared in a second, and none is doubted', () => {
  const rows = many(20_000, (n) => ({ prompt: 'Who?', completion: `Person ${n}`, context: '' }));

  expect(millisecondsOf(() => findOtherAnswers(rows))).toBeLessThan(1500);
  expect(findOtherAnswers(rows).every((other) => other === null)).toBe(true);
});

test('doubts of a column whose answers are all exchanged fit into the memory of a worker', () => {
  const finding = {
    witness: 'neighbours',
    says: 'wrong',
    kind: 'answer_of_other_row',
    reason: '語'.repeat(1000),
    better: '語'.repeat(4000),
    score: 0.9,
  } as const;
  const { rows } = weighRows(
    many(20_000, (row) => ({ row, findings: [finding] })),
    'a dataset',
  );

  expect(rows).toHaveLength(DOUBTED_ROWS_MAX);
  expect(Buffer.byteLength(JSON.stringify(rows))).toBeLessThan(12 * 1024 * 1024);
});
