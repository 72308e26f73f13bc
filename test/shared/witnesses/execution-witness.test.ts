import { describe, expect, test } from 'vitest';
import { type ReadJob, readJob } from '#shared/witnesses/decide/execution/read-job.ts';
import type { Job, Outcome, Ran, Sandbox } from '#shared/witnesses/decide/execution/sandbox.ts';
import type { WitnessedRow } from '#shared/witnesses/decide/witness.ts';
import { createExecutionWitness, judgeJobs } from '#shared/witnesses/execution-witness.ts';
import { oneByOne } from '#shared/witnesses/run-jobs.ts';

/** A sandbox that answers each job from a list, the last answer again and again. */
function sandboxOf(...answers: Partial<Ran>[]): Sandbox & { readonly jobs: Job[] } {
  const jobs: Job[] = [];
  return {
    jobs,
    run: async (job) => {
      jobs.push(job);
      return { end: 'done', message: '', outcomes: [], ...(answers[jobs.length - 1] ?? answers.at(-1)) };
    },
    close: async () => undefined,
  };
}

const row = (more: Partial<WitnessedRow> = {}): WitnessedRow => ({
  prompt: 'Write f.\n\nf(1) == 2\nf(2) == 3',
  completion: '```python\ndef f(n):\n    return n + 1\n```',
  context: '',
  ...more,
});

async function findingOf(ran: Partial<Ran> | readonly Partial<Ran>[], more: Partial<WitnessedRow> = {}) {
  const answers = Array.isArray(ran) ? ran : [ran];
  const [finding] = await createExecutionWitness(sandboxOf(...answers))([row(more)]);
  return finding;
}

const passed: Outcome = { is: 'passed', came: '2' };
const failed: Outcome = { is: 'failed', came: '7' };
const raised: Outcome = { is: 'raised', came: 'IndexError: list index out of range' };
const unclear: Outcome = { is: 'unclear', came: '(3,)' };
const RAN: Ran = { end: 'done', message: '', outcomes: [failed] };

describe('what the execution witness says', () => {
  test('a failing example is wrong, and the reason quotes it', async () => {
    expect(await findingOf({ outcomes: [passed, failed] })).toEqual({
      witness: 'execution',
      says: 'wrong',
      kind: 'example_failed',
      reason: 'The example “f(2) == 3” yields “7”, not “3”.',
    });
  });

  test('an exception is wrong, and the reason names it', async () => {
    const finding = await findingOf({ outcomes: [raised] });

    expect(finding?.reason).toBe(
      'The example “f(1) == 2” raises “IndexError: list index out of range”, not “2”.',
    );
  });

  test('examples that all pass are fine', async () => {
    expect(await findingOf({ outcomes: [passed, passed] })).toMatchObject({
      says: 'fine',
      kind: 'examples_passed',
    });
  });

  test('code that does not compile is wrong', async () => {
    expect(await findingOf({ end: 'invalid', message: 'invalid syntax (line 2)' })).toMatchObject({
      says: 'wrong',
      kind: 'code_invalid',
      reason: 'The Python code does not compile: “invalid syntax (line 2)”.',
    });
  });

  test('a test that fails is wrong, and the reason quotes its assertion', async () => {
    const context = 'def check(candidate):\n    assert candidate(1) == 2';
    const outcome = { is: 'failed', came: '1', assertion: 'assert candidate(1) == 2' } as const;
    const finding = await findingOf({ outcomes: [outcome] }, { prompt: 'Write f.', context });

    expect(finding).toMatchObject({
      kind: 'test_failed',
      reason: 'The assertion “assert candidate(1) == 2” of the test fails: its left side yields “1”.',
    });
  });

  test('a query that its schema contradicts is wrong', async () => {
    const sql = { prompt: 'CREATE TABLE t (a INT)', completion: 'SELECT b FROM t' };

    expect(await findingOf({ end: 'invalid', message: 'no such column: b' }, sql)).toMatchObject({
      kind: 'query_invalid',
      reason: 'The query does not run on the schema of its row: the schema has no column b.',
    });
    expect(await findingOf({ end: 'done', outcomes: [passed, passed] }, sql)).toBeNull();
  });

  test('quotes of a reason have at most 200 characters together', async () => {
    const long = `f("${'x'.repeat(300)}") == "${'y'.repeat(300)}"`;
    const finding = await findingOf(
      { outcomes: [{ is: 'failed', came: 'z'.repeat(300) }] },
      { prompt: long },
    );

    expect(finding?.reason.length).toBeLessThan(200 + 40);
  });
});

describe('silence', () => {
  test.each<[string, Partial<Ran>, Partial<WitnessedRow>]>([
    ['about a row without code', {}, { completion: 'Two.' }],
    ['where one example is unclear', { outcomes: [passed, unclear] }, {}],
    ['where the sandbox lacks what the code needs', { end: 'unsupported' }, {}],
    ['where the code raises as it loads', { end: 'raised' }, {}],
    ['where the memory was full', { end: 'memory' }, {}],
    ['where the interpreter broke off', { end: 'crashed', outcomes: [passed] }, {}],
    ['where an example that nobody has run fails', { outcomes: [failed] }, { prompt: '>>> f(1) == 2' }],
    [
      'where what prose calls input is refused',
      { outcomes: [raised] },
      { prompt: 'Input: n = 1\nOutput: 2' },
    ],
    [
      'where several results may be right',
      { outcomes: [failed] },
      { prompt: 'Return any valid one.\nf(1) == 2' },
    ],
    [
      'where Python of a notebook waits',
      { end: 'invalid', message: "'await' outside function (line 6)" },
      {},
    ],
    ['where a request to mend code brings none', { outcomes: [failed] }, { prompt: 'Fix f: f(1) gives 7.' }],
    ['where a slow example was broken off', { end: 'timeout' }, { prompt: 'f(35) == 9227465' }],
    ['where an example without arguments was broken off', { end: 'timeout' }, { prompt: '>>> f()\n1' }],
    ['where an example that counts was broken off', { end: 'timeout' }, { prompt: 'f(7) == 68720' }],
    ['where a test was broken off', { end: 'timeout' }, { prompt: '', context: 'assert f(1) == 2' }],
    [
      'where code that is not whole does not compile',
      { end: 'invalid' },
      { completion: 'def f(n):\n    return n +\n\nIt adds one.' },
    ],
  ])('the execution witness says nothing %s', async (_, ran, more) => {
    expect(await findingOf(ran, more)).toBeNull();
  });
});

describe('a program that is broken off, as any is on a busy machine,', () => {
  const slow = { prompt: '>>> f(1, 2)\n5' };
  const judge = (...answers: Partial<Ran>[]) =>
    judgeJobs(oneByOne(sandboxOf(...answers)), [readJob(row(slow)) as ReadJob]);

  test('a program that is broken off is run once more, and judged by that', async () => {
    expect(await judge({ end: 'timeout' }, { outcomes: [failed] })).toMatchObject([
      { isRun: true, finding: { says: 'wrong', kind: 'example_failed' } },
    ]);
    expect(await judge({ end: 'timeout' }, { outcomes: [passed] })).toMatchObject([
      { isRun: true, finding: { says: 'fine' } },
    ]);
  });

  test('a program that is broken off twice counts as one that was not run', async () => {
    expect(await judge({ end: 'timeout' })).toEqual([{ isRun: false, finding: null }]);
  });
});

describe('a row that brings code to mend', () => {
  const GIVEN = 'def f(n):\n    return n + 6';
  const fix = (...answers: Partial<Ran>[]) =>
    findingOf(answers, { prompt: `Fix this.\n\n${GIVEN}\n\nprint(f(1))  # 7\nprint(f(2))  # 3` });

  test('an example that the given code passes as well shows what it yields, and counts neither way', async () => {
    expect(await fix({ outcomes: [failed, passed] }, { outcomes: [passed, failed] })).toMatchObject({
      says: 'fine',
      reason: 'The code was run, and the example of its row passed.',
    });
    expect(await fix({ outcomes: [passed, passed] }, { outcomes: [passed, passed] })).toBeNull();
    expect(await fix({ outcomes: [failed, failed] }, { outcomes: [passed, failed] })).toMatchObject({
      kind: 'example_failed',
      reason: 'The example “print(f(2)) # 3” yields “7”, not “3”.',
    });
  });

  test('the given code is run on the same examples, and only where they count', async () => {
    const sandbox = sandboxOf({ outcomes: [failed, passed] }, { outcomes: [passed, failed] });
    const prompt = `Fix this.\n\n${GIVEN}\n\nprint(f(1))  # 7\nprint(f(2))  # 3`;
    await createExecutionWitness(sandbox)([row({ prompt })]);
    const [answer, given] = sandbox.jobs;

    expect(given).toEqual({ ...answer, prelude: '', code: expect.stringContaining(GIVEN) });
    const silent = sandboxOf({ outcomes: [unclear, passed] });
    await createExecutionWitness(silent)([row({ prompt })]);
    expect(silent.jobs).toHaveLength(1);
  });

  test('an example counts for nothing where the given code could not be run', async () => {
    expect(await fix({ outcomes: [failed, passed] }, { end: 'invalid' })).toBeNull();
  });

  test('a job whose given code was not run counts as one that was not run', async () => {
    let calls = 0;
    const judged = await judgeJobs(
      async (jobs) => jobs.map(() => (calls++ === 0 ? RAN : null)),
      [readJob(row({ prompt: `Improve this.\n\n${GIVEN}\n\nf(1) == 2` })) as ReadJob],
    );
    expect(judged).toEqual([{ isRun: false, finding: null }]);
  });
});

describe('an example that does not end', () => {
  const SMALL = 'f([1]) == 2\nf("cat") == 3';

  test('a small example that is broken off twice is wrong', async () => {
    const sandbox = sandboxOf({ end: 'timeout' });
    const [finding] = await createExecutionWitness(sandbox)([row({ prompt: SMALL })]);

    expect(finding).toMatchObject({ says: 'wrong', kind: 'example_endless' });
    expect(sandbox.jobs).toHaveLength(2);
  });

  test('a small example that ends in a second run counts as it ended there', async () => {
    const answers = [{ end: 'timeout' as const }, { outcomes: [passed, failed] }];

    expect(await findingOf(answers, { prompt: SMALL })).toMatchObject({ kind: 'example_failed' });
  });
});

test('findings are as many as rows, in their order', async () => {
  const witness = createExecutionWitness(sandboxOf({ outcomes: [passed, passed] }));
  const findings = await witness([row({ completion: '' }), row(), row({ completion: 'x' })]);

  expect(findings.map((each) => each?.says ?? null)).toEqual([null, 'fine', null]);
});
