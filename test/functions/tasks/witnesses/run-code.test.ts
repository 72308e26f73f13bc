import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { findDoubts } from '#shared/adaptation/find-doubts.ts';
import type { AdaptRequest } from '#shared/adaptation/schema/adaptation.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { createWorkerSandbox } from '#shared/witnesses/adapters/worker-sandbox.ts';
import { RunDoubts } from '#shared/witnesses/schema/run-doubts.ts';
import { theSandbox } from '#shared/witnesses/wire.ts';
import { startRun } from '#test/helpers/active-run.ts';
import { context } from '#test/helpers/call.ts';
import { invokeTask } from '#test/helpers/handlers.ts';
import { standIn } from '#test/helpers/memory-resources.ts';
import { createVirtualClock } from '#test/helpers/virtual-clock.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const sandbox = createWorkerSandbox();
let world: World;

beforeEach(() => {
  world = createWorld(undefined, [standIn(theSandbox, sandbox)]);
});
afterAll(() => sandbox.close());

const TASK = 'witnesses/run-code';
const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
const python = (body: string): string => fence('python', `def f(n):\n    ${body}`);
const javascript = (body: string): string => fence('javascript', `function f(n) { ${body} }`);

/** Rows of a run, each with an example of what its function yields. */
async function doubted(answers: readonly string[], request: Partial<AdaptRequest> = {}) {
  const started = await startRun(world, {
    rows: answers.length,
    line: (n) => JSON.stringify({ note: n, question: 'Write f.\n\nf([1]) == 2', answer: answers[n] }),
    request,
  });
  const silent: unknown[] = [];
  await findDoubts(
    {
      objects: world.objects,
      embedder: null,
      callsMax: 1,
      clock: createVirtualClock(),
      random: Math.random,
      runCode: (payload) => invokeTask(world.use, TASK, payload),
      onFailure: (_, error) => silent.push(error),
    },
    started.context,
  );
  expect(silent).toEqual([]);
  return RunDoubts.parse(JSON.parse(world.objects.text(objectKeys.doubts(started.context.run_id))));
}

describe('hostile rows', () => {
  test('hostile rows are run to a clear end, and the rows after them are judged', async () => {
    const answers = [
      python('while True: pass'),
      python('import os; os.fork()'),
      python("return 'a' * 10**10"),
      python("print('a' * 10**9); return 2"),
      python("open('/etc/passwd').read()"),
      javascript('while (true) {}'),
      javascript("let a = 'a'; while (true) a += a;"),
      fence('python', 'import sys\nsys.exit()\ndef f(n):\n    return 1'),
      python('return 1'),
      python('return 2'),
      javascript('return 1'),
      javascript('return 2'),
    ];

    const { rows, looked_at } = await doubted(answers);

    expect(looked_at.execution).toBe(answers.length);
    expect(rows.map(({ row }) => row)).toEqual(expect.arrayContaining([8, 10]));
    for (const right of [9, 11]) expect(rows.map(({ row }) => row)).not.toContain(right);
    expect(rows.find(({ row }) => row === 8)?.reasons[0]?.message).toContain('yields “1”, not “2”');
  });

  test('hostile rows leave nothing for the rows of the next call', async () => {
    const spoiled = fence(
      'python',
      'import builtins\nbuiltins.len = lambda _: 7\nbuiltins.mark = 1\ndef f(n):\n    return 2',
    );
    const clean = python("return len(n) + (2 if hasattr(__builtins__, 'mark') else 1)");

    expect((await doubted([spoiled])).rows).toEqual([]);
    expect((await doubted([clean])).rows).toEqual([]);
  });
});

test('a function whose time is over leaves the jobs that it has not begun', async () => {
  const job = { language: 'sql', schema: ['create table t (a int)'], query: 'select a from t' };
  const lambda = { ...context(), getRemainingTimeInMillis: () => 9000 };

  expect(await invokeTask(world.use, TASK, { jobs: [job, job] }, lambda)).toEqual({ ran: [null, null] });
});

test.each([{}, { jobs: [{ language: 'bash', code: 'ls' }] }, { jobs: 'all' }])(
  'a function that is asked for %j refuses it',
  async (payload) => {
    await expect(invokeTask(world.use, TASK, payload)).rejects.toThrow();
  },
);
