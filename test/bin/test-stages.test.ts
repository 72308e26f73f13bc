import { expect, test } from 'vitest';
import { tallyOfPytest, tallyOfVitest } from '#bin/test-stages.ts';

const report = (passed: number, failed: number, skipped: number): string =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped });

test('the counts of vitest are those of its report', () => {
  expect(tallyOfVitest(report(5, 0, 1), 0)).toEqual({ passed: 5, failed: 0, skipped: 1 });
  expect(tallyOfVitest(report(5, 2, 1), 1)).toEqual({ passed: 5, failed: 2, skipped: 1 });
});

test('the counts of pytest are those of its last line', () => {
  const output = 'test_job.py ..\n=== 3 passed, 1 skipped in 2.10s ===\n';
  expect(tallyOfPytest(output, 0)).toEqual({ passed: 3, failed: 0, skipped: 1 });
  expect(tallyOfPytest('2 failed, 3 passed, 1 error in 2.10s', 1)).toEqual({
    passed: 3,
    failed: 3,
    skipped: 0,
  });
});

test('a runner that failed has a failure, whatever it counted or wrote', () => {
  expect(tallyOfVitest(report(5, 0, 0), 1).failed).toBe(1);
  expect(tallyOfVitest('{}', 1).failed).toBe(1);
  expect(tallyOfPytest('', 1).failed).toBe(1);
  expect(tallyOfPytest('5 passed in 1s', 137).failed).toBe(1);
});

test('a runner that ended well without a report is a failure', () => {
  expect(tallyOfVitest('{}', 0).failed).toBe(1);
  expect(tallyOfPytest('no tests ran in 0.01s', 0).failed).toBe(1);
});
