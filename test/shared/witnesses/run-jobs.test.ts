import { expect, test } from 'vitest';
import type { Job, Ran } from '#shared/witnesses/decide/execution/sandbox.ts';
import { runJobsUntil } from '#shared/witnesses/run-jobs.ts';

const jobOf = (language: Job['language'], code: string): Job =>
  language === 'sql'
    ? { language, schema: [], query: code }
    : { language, prelude: '', code, entry: null, checks: [] };
const done: Ran = { end: 'done', message: '', outcomes: [] };

function sandboxOf(run: (job: Job) => Ran) {
  const calls = { ran: 0, closed: 0 };
  return {
    calls,
    run: async (job: Job) => {
      calls.ran += 1;
      return run(job);
    },
    close: async () => {
      calls.closed += 1;
    },
  };
}

test('jobs end with their interpreters, whatever happened', async () => {
  const sandbox = sandboxOf(() => done);
  const ran = await runJobsUntil({ sandbox, now: () => 0, onFailure: () => {} }, [jobOf('sql', 'a')], 1);

  expect([ran, sandbox.calls.closed]).toEqual([[done], 1]);
});

test('jobs of a language that does not load are left, and named once', async () => {
  const failures: unknown[] = [];
  const sandbox = sandboxOf(({ language }) => {
    if (language === 'python') throw new Error('It does not load.');
    return done;
  });
  const jobs = [jobOf('python', 'a'), jobOf('sql', 'b'), jobOf('python', 'c'), jobOf('javascript', 'd')];

  const ran = await runJobsUntil({ sandbox, now: () => 0, onFailure: (e) => failures.push(e) }, jobs, 1);

  expect(ran).toEqual([null, done, null, done]);
  expect([failures.length, sandbox.calls]).toEqual([1, { ran: 3, closed: 1 }]);
});

test('jobs are not begun when the time is over', async () => {
  let now = 0;
  const sandbox = sandboxOf(() => {
    now += 10;
    return done;
  });
  const jobs = [jobOf('sql', 'a'), jobOf('sql', 'b'), jobOf('sql', 'c')];

  expect(await runJobsUntil({ sandbox, now: () => now, onFailure: () => {} }, jobs, 15)).toEqual([
    done,
    done,
    null,
  ]);
});

test('jobs say no more than an answer can hold', async () => {
  const long = 'x'.repeat(10_000);
  const outcome = { is: 'failed', came: long, assertion: long } as const;
  const sandbox = sandboxOf(() => ({ end: 'done', message: long, outcomes: Array(5000).fill(outcome) }));

  const ran = await runJobsUntil({ sandbox, now: () => 0, onFailure: () => {} }, [jobOf('sql', 'a')], 1);

  expect(JSON.stringify(ran).length).toBeLessThan(1_000_000);
  expect(ran[0]?.message).toHaveLength(300);
});
