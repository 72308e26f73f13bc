import { expect, test } from 'vitest';
import { callSandbox } from '#shared/witnesses/call-sandbox.ts';
import type { CodeJob, Ran } from '#shared/witnesses/decide/execution/sandbox.ts';

const jobOf = (code: string): CodeJob => ({ language: 'python', prelude: '', code, entry: null, checks: [] });
const ranOf = (code: string): Ran => ({ end: 'done', message: code, outcomes: [] });
const clock = { now: () => 0, sleep: async () => {} };
const random = () => 0.5;

test('jobs are sent in calls of a bounded size, and answered in their order', async () => {
  const sizes: number[] = [];
  const call = async (payload: unknown) => {
    sizes.push(Buffer.byteLength(JSON.stringify(payload)));
    return { ran: (payload as { jobs: CodeJob[] }).jobs.map(({ code }) => ranOf(code.slice(0, 5))) };
  };
  const jobs = Array.from({ length: 700 }, (_, n) =>
    jobOf(`${10_000 + n}${'ä'.repeat(n < 20 ? 50_000 : 1)}`),
  );

  const ran = await callSandbox({ call, clock, random, onFailure: () => {} }, 1)(jobs);

  expect(ran.map((each) => each?.message)).toEqual(jobs.map(({ code }) => code.slice(0, 5)));
  expect(Math.max(...sizes)).toBeLessThan(1_100_000);
  expect(sizes.length).toBeLessThan(8);
});

test('jobs that are too long to be sent are left', async () => {
  const call = async (payload: unknown) => ({
    ran: (payload as { jobs: CodeJob[] }).jobs.map(() => ranOf('x')),
  });

  const ran = await callSandbox(
    { call, clock, random, onFailure: () => {} },
    1,
  )([jobOf('x'.repeat(1_000_000)), jobOf('x')]);

  expect(ran).toEqual([null, ranOf('x')]);
});

test('jobs of a call that failed are left, and those of the others are answered', async () => {
  const failures: unknown[] = [];
  let calls = 0;
  const call = async (payload: unknown) => {
    calls += 1;
    if (calls === 2) throw new Error('It died.');
    return { ran: (payload as { jobs: CodeJob[] }).jobs.map(() => ranOf('x')) };
  };
  const jobs = Array.from({ length: 900 }, () => jobOf('x'));

  const ran = await callSandbox({ call, clock, random, onFailure: (error) => failures.push(error) }, 1)(jobs);

  expect(ran.filter((each) => each === null)).toHaveLength(300);
  expect(failures).toHaveLength(1);
});

test('no call is made once the time is over, or nobody waits', async () => {
  let calls = 0;
  const call = async () => {
    calls += 1;
    return { ran: [] };
  };
  const ports = { call, clock, random, onFailure: () => {} };

  expect(await callSandbox(ports, 0)([jobOf('x')])).toEqual([null]);
  expect(await callSandbox(ports, 1)([jobOf('x')], AbortSignal.abort())).toEqual([null]);
  expect(calls).toBe(0);
});

test('a call for which there is no place is made again, and its jobs are answered', async () => {
  const failures: unknown[] = [];
  let calls = 0;
  const call = async (payload: unknown) => {
    calls += 1;
    if (calls <= 5) throw Object.assign(new Error('Rate Exceeded.'), { name: 'TooManyRequestsException' });
    return { ran: (payload as { jobs: CodeJob[] }).jobs.map(() => ranOf('x')) };
  };
  const waits: number[] = [];
  const waiting = { ...clock, sleep: async (milliseconds: number) => void waits.push(milliseconds) };

  const ran = await callSandbox(
    { call, random, clock: waiting, onFailure: (error) => failures.push(error) },
    1,
  )([jobOf('x')]);

  expect(ran).toEqual([ranOf('x')]);
  expect(failures).toEqual([]);
  expect(waits).toEqual([5000, 5000, 5000, 5000, 5000]);
});
