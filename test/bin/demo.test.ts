import { expect, it } from 'vitest';
import { bar, describeRow, describeRun, timeLeft } from '#bin/demo/show.ts';

const sample = { question: 'how to sleep better', answer: 'go to bed' };
const spent = { tokens: { input: 1, output: 1 }, calls: 1 };

it.each([
  [0, 12, '░'.repeat(20)],
  [6, 12, `${'█'.repeat(10)}${'░'.repeat(10)}`],
  [12, 12, '█'.repeat(20)],
  [0, 0, '░'.repeat(20)],
])('what the demo shows marks %d of %d', (done, total, marks) => {
  expect(bar(done, total)).toBe(marks);
});

it.each([
  [0, 12, 10, ''],
  [6, 12, 30, ', about 30 s left'],
  [1, 12, 30, ', about 6 min left'],
  [12, 12, 30, ''],
])('what the demo shows tells after %d of %d rows in %d s the time left', (done, total, seconds, told) => {
  expect(timeLeft(done, total, seconds)).toBe(told);
});

it('what the demo shows shows a changed row before and after, with what was done', () => {
  const shown = describeRow(sample, {
    row: 0,
    outcome: 'changed',
    edit: { kind: 'completed', evidence: 'checked', words_kept: 1 },
    cells: {
      enhanced_completion: `Go to bed at the same time.\n  ${'Keep the room dark. '.repeat(8).trim()}`,
    },
    ...spent,
  });
  expect(shown.split('\n')).toEqual([
    '  how to sleep better',
    '    before  go to bed',
    '    after   Go to bed at the same time.',
    '              Keep the room dark. Keep the room dark. Keep the room dark. Keep the room dark. Keep',
    '              the room dark. Keep the room dark. Keep the room dark. Keep the room dark.',
    '            (changed: completed, 100 % of the words kept)',
  ]);
});

it('what the demo shows shows why a row was kept, and no text after', () => {
  const reason = { code: 'already_good', message: 'Nothing is wrong with the answer' };
  expect(describeRow(sample, { row: 0, outcome: 'kept', reason, ...spent })).toBe(
    '  how to sleep better\n    before  go to bed\n            (kept: Nothing is wrong with the answer)',
  );
});

it('sums a run up: grades with intervals, rows, credits, effort a row', () => {
  const lines = describeRun(
    {
      quality: {
        grade_before: 'E',
        grade_after: 'D',
        score_before: 1.03,
        score_after: 5.67,
        improvement_percent: 450.5,
      },
      raw_results: {
        judge: { model: 'qwen', believed_for: [] },
        score_interval_before: [0, 5.53],
        score_interval_after: [2.45, 8.89],
        share_got_worse: 0,
      },
    },
    {
      rows: { changed: 10, kept: 2, failed: 0 },
      credits: { reserved: 1, settled: 1 },
      tokens: { calls: 24, input: 7200, output: 360 },
    },
    1,
  );
  expect(lines).toEqual([
    '  Grade before   E, 1.03 of 10 (95 %: 0 to 5.53)',
    '  Grade after    D, 5.67 of 10 (95 %: 2.45 to 8.89)',
    '  Got worse      an estimated 0 % of the rows',
    '  Decided by     checks alone: qwen is believed as a judge in no kind of pair',
    '  Rows           10 changed, 2 kept as they were, 0 failed',
    '  Credits        1 quoted, 1 charged',
    '  Model          2.0 calls, 600 tokens in and 30 out a row',
  ]);
});

it('what the demo shows says so where the rows could not be scored', () => {
  const [first] = describeRun(
    { quality: null, raw_results: null },
    { rows: null, credits: { reserved: 1, settled: null }, tokens: null },
    1,
  );
  expect(first).toBe('  Grade          the rows could not be scored');
});
