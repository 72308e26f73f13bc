import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tallyOfPytest, tallyOfVitest, withReason } from '#bin/test-stages.ts';
import { repositoryRoot } from '#local/paths.ts';

const report = (passed: number, failed: number, skipped: number): string =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped });

test('the counts of vitest are those of its report', () => {
  expect(tallyOfVitest(report(5, 0, 1), 0)).toMatchObject({ passed: 5, failed: 0, skipped: 1 });
  expect(tallyOfVitest(report(5, 2, 1), 1)).toMatchObject({ passed: 5, failed: 2, skipped: 1 });
});

test('the counts of pytest are those of its last line', () => {
  const output = 'test_job.py ..\n=== 3 passed, 1 skipped in 2.10s ===\n';
  expect(tallyOfPytest(output, 0)).toMatchObject({ passed: 3, failed: 0, skipped: 1 });
  expect(tallyOfPytest('2 failed, 3 passed, 1 error in 2.10s', 1)).toMatchObject({
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

test('a failed test is named by its file, its title and the first line of its error', () => {
  const results = {
    numPassedTests: 1,
    numFailedTests: 1,
    testResults: [
      {
        name: join(repositoryRoot, 'test/a.test.ts'),
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'adds', failureMessages: [] },
          {
            status: 'failed',
            fullName: 'takes',
            failureMessages: ['\u001B[31mError: 2 is not 1\u001B[0m\n    at line 3'],
          },
        ],
      },
      {
        name: join(repositoryRoot, 'test/b.test.ts'),
        message: 'no such module\nat line 1',
        assertionResults: [],
      },
    ],
  };

  expect(tallyOfVitest(JSON.stringify(results), 1).failures).toEqual([
    'test/a.test.ts: takes: Error: 2 is not 1',
    'test/b.test.ts: the file: no such module',
  ]);
});

test('pytest names what failed and what could not be set up', () => {
  const output =
    'FAILED test_a.py::test_b - assert 1 == 2\nERROR test_c.py - ImportError\n1 failed, 1 error in 1s';

  expect(tallyOfPytest(output, 1).failures).toEqual([
    'FAILED test_a.py::test_b - assert 1 == 2',
    'ERROR test_c.py - ImportError',
  ]);
});

test('a runner that fails without a failed test is explained by its last errors', () => {
  const reason = withReason(tallyOfVitest(report(5, 0, 0), 1), 'Cloud tests', {
    exit: 1,
    output: 'all passed',
    errors: '\u001B[31mUnhandled Error\u001B[0m\n\nconnect ECONNREFUSED\n',
  });

  expect(reason).toEqual({
    passed: 5,
    failed: 1,
    skipped: 0,
    failures: ['Cloud tests: ended with 1\n    Unhandled Error\n    connect ECONNREFUSED'],
  });
});

test('a runner that names its failures needs no further reason, nor does one that passed', () => {
  const ended = { exit: 1, output: '', errors: 'a warning' };
  const named = { passed: 1, failed: 1, skipped: 0, failures: ['a.test.ts: adds'] };
  const passed = tallyOfVitest(report(5, 0, 0), 0);

  expect(withReason(named, 'Unit tests', ended)).toBe(named);
  expect(withReason(passed, 'Unit tests', { ...ended, exit: 0 })).toBe(passed);
});
