import { expect, test } from 'vitest';
import { countExecution } from '#lab/effect/witnesses/execution.ts';
import type { Sandbox } from '#shared/witnesses/decide/execution/sandbox.ts';

/** A sandbox whose programs return what they are given. */
const sandbox: Sandbox = {
  run: async (job) => ({
    end: 'done',
    message: '',
    outcomes:
      job.language === 'sql'
        ? []
        : job.checks.map((check) => ({
            is: check.type === 'example' && check.expression === 'f(1)' ? 'passed' : 'failed',
            came: '1',
          })),
  }),
  close: async () => undefined,
};

const completion = 'def f(n):\n    return n\n';

test('known rows are counted by what the witness says about them', async () => {
  const counts = await countExecution(
    [
      { prompt: 'f(1) == 1', completion, right: true },
      { prompt: 'f(2) == 1', completion, right: true },
      { prompt: 'f(2) == 3', completion, right: false },
      { prompt: 'Write f.', completion, right: false, test: 'assert f(2) == 3' },
      { prompt: 'Say f.', completion: 'f', right: true },
    ],
    { sandbox },
  );

  expect(counts.right).toEqual({ rows: 3, checked: 2, wrong: 1, checkedWrong: 1, fine: 1 });
  expect(counts.faulty).toEqual({ rows: 2, checked: 1, wrong: 1, checkedWrong: 1, fine: 0 });
  expect(counts.mistaken.map(({ row }) => row.prompt)).toEqual(['f(2) == 1']);
});

test('the tests of known rows count where they are asked for', async () => {
  const rows = [{ prompt: 'Write f.', completion, right: false, test: 'assert f(2) == 3' }];

  expect((await countExecution(rows, { sandbox, withTests: true })).faulty).toMatchObject({
    checked: 1,
    wrong: 1,
  });
});
