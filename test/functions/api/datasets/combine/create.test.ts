import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/datasets/combine/create.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { combiningAtOnce, executeCombine, growTo, rowsOf, seedRows } from '#test/helpers/combining.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

const TYPES = { question: 'VARCHAR', answer: 'VARCHAR' };
const line = (text: string): string => `{"question":"${text}","answer":"yes"}`;
const seed = (...texts: string[]): Promise<DatasetRecord> =>
  seedRows(world, owner, TYPES, texts.map(line), { name: texts.join('+') });
const seedIds = async (): Promise<string[]> => [
  (await seed('a', 'b')).dataset_id,
  (await seed('c')).dataset_id,
];

interface Asked {
  readonly name?: string;
  readonly key?: string;
  readonly caller?: Caller;
}
const combine = (ids: readonly string[], { name = 'All', key, caller = owner }: Asked = {}) =>
  world.call(
    handler,
    {
      as: caller,
      body: { dataset_ids: ids, name },
      ...(key === undefined ? {} : { headers: { 'idempotency-KEY': key } }),
    },
    combiningAtOnce(world),
  );
const datasetOf = async (id: string): Promise<DatasetRecord> => {
  const dataset = await world.store.datasets.find(id);
  if (dataset === null) throw new Error(`There is no dataset ${id}.`);
  return dataset;
};

test('a small merge is answered when it is done, with the new dataset', async () => {
  const { status, body } = await combine(await seedIds());

  expect(status).toBe(200);
  expect(await datasetOf(body.dataset_id)).toMatchObject({
    kind: 'combined',
    source_dataset_id: null,
    state: 'succeeded',
    team_id: owner.team_id,
    created_by_user_id: owner.user_id,
    name: 'All',
    description: 'Combines a+b, c.',
    file_format: 'jsonl',
    row_count: 3,
    run_id: null,
    last_run_id: null,
    configured_column_mapping: { prompt: 'question', completion: 'answer', context: [] },
  });
  expect(await rowsOf(world, body.dataset_id)).toEqual(['a', 'b', 'c'].map(line));
});

test('it costs nothing and counts against no plan', async () => {
  await combine(await seedIds(), { caller: { ...owner, plan: { ...owner.plan, runs_at_once: 0 } } });

  expect(await world.store.ledger.listEntries(owner.team_id)).toEqual([]);
});

test('the idempotency key is made and told where none is sent, so that each request is one of its own', async () => {
  const ids = await seedIds();

  const first = await combine(ids);
  const second = await combine(ids);

  expect(first.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  expect(second.headers['idempotency-key']).not.toBe(first.headers['idempotency-key']);
  expect(second.body.dataset_id).not.toBe(first.body.dataset_id);
});

test('the idempotency key makes a repetition answer the same dataset, also when a source is gone', async () => {
  const ids = await seedIds();
  const first = await combine(ids, { key: 'once' });
  await world.store.datasets.delete(owner, ids[0] ?? '', Date.now());

  const again = await combine(ids, { key: 'once' });

  expect([again.status, again.text]).toEqual([200, first.text]);
  expect(again.headers['idempotency-key']).toBe('once');
  const { datasets } = await world.store.datasets.list(owner.team_id, everything);
  expect(datasets.filter(({ kind }) => kind === 'combined')).toHaveLength(1);
});

test('the idempotency key of requests that come at once makes one dataset', async () => {
  const ids = await seedIds();

  const answers = await Promise.all(Array.from({ length: 5 }, () => combine(ids, { key: 'once' })));

  expect(new Set(answers.map(({ body }) => body.dataset_id)).size).toBe(1);
  const { datasets } = await world.store.datasets.list(owner.team_id, everything);
  expect(datasets.filter(({ kind }) => kind === 'combined')).toHaveLength(1);
});

test('the idempotency key of another request is refused', async () => {
  const ids = await seedIds();
  await combine(ids, { key: 'once' });

  const { status, problem } = await combine(ids, { key: 'once', name: 'Other' });

  expect([status, problem.code]).toEqual([422, 'idempotency_mismatch']);
  expect(problem.details[0]?.path).toBe('header.Idempotency-Key');
});

test('the idempotency key that is too long is refused', async () => {
  const { status, problem } = await combine(await seedIds(), { key: 'x'.repeat(256) });

  expect([status, problem.details[0]?.path]).toEqual([400, 'header.Idempotency-Key']);
});

test('the idempotency key of a merge that was refused is free', async () => {
  const ids = await seedIds();
  expect((await combine([ids[0] ?? ''], { key: 'once' })).status).toBe(400);

  expect((await combine(ids, { key: 'once' })).status).toBe(200);
});

test('a merge that cannot be is refused with an entry for each issue, warnings too, and makes nothing', async () => {
  const odd = await seedRows(world, owner, { ...TYPES, answer: 'JSON' }, [line('d')]);
  const missing = randomUUID();
  const ids = [...(await seedIds()), odd.dataset_id, missing];

  const { status, problem } = await combine(ids);

  expect([status, problem.code]).toEqual([400, 'DATASET_COMBINE_VALIDATION_FAILED']);
  expect(problem.details).toMatchObject([
    { path: 'dataset_ids', code: 'dataset_not_found', level: 'error', dataset_id: missing },
    { path: 'dataset_ids', code: 'incompatible_column_types', level: 'warning' },
  ]);
  expect(problem.message).toContain(missing);
  expect(world.executions.started.size).toBe(0);
  const { datasets } = await world.store.datasets.list(owner.team_id, everything);
  expect(datasets.filter(({ kind }) => kind === 'combined')).toEqual([]);
});

test('a merge that cannot be: warnings alone stand against nothing', async () => {
  const odd = await seedRows(world, owner, { ...TYPES, answer: 'JSON' }, [line('d')]);

  expect((await combine([(await seed('a')).dataset_id, odd.dataset_id])).status).toBe(200);
});

test('a merge that failed on its way is answered as its failed job, and again when repeated', async () => {
  const ids = await seedIds();
  world.objects.remove([`datasets/${ids[1]}/rows/000000.jsonl`]);

  for (let n = 0; n < 2; n += 1) {
    const { status, headers, text } = await combine(ids, { key: 'once' });
    const job = JSON.parse(text);
    expect([status, job]).toEqual([
      202,
      {
        combine_job_id: job.dataset_id,
        status: 'failed',
        dataset_id: job.dataset_id,
        error_message: expect.stringContaining('0 of its 1 rows'),
      },
    ]);
    expect(headers.location).toBe(`/api/v1/datasets/combine/jobs/${job.combine_job_id}`);
  }
});

test('a merge that takes longer goes on as a job once the wait is over, and a repetition finds what became of it', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  try {
    const ids = await seedIds();
    const ask = () =>
      world.call(handler, {
        as: owner,
        body: { dataset_ids: ids, name: 'All' },
        headers: { 'Idempotency-Key': 'once' },
      });

    const asked = ask();
    await vi.advanceTimersByTimeAsync(20_500);
    const { status, headers, text } = await asked;

    const job = JSON.parse(text);
    expect(status).toBe(202);
    expect(job).toEqual({
      combine_job_id: job.dataset_id,
      status: 'running',
      dataset_id: job.dataset_id,
      error_message: null,
    });
    expect(headers.location).toBe(`/api/v1/datasets/combine/jobs/${job.combine_job_id}`);
    expect(headers['idempotency-key']).toBe('once');

    const [started] = world.executions.started.values();
    if (started === undefined) throw new Error('no execution was started');
    await executeCombine(world, started);
    const again = await ask();
    expect([again.status, again.body]).toEqual([200, { dataset_id: job.dataset_id }]);
  } finally {
    vi.useRealTimers();
  }
});

test('a merge that takes longer because it is large is a job at once', async () => {
  const ids = await seedIds();
  await growTo(world, ids, 100_000_001);
  const elapsed = startStopwatch();

  const { status } = await world.call(handler, { as: owner, body: { dataset_ids: ids, name: 'All' } });

  expect(status).toBe(202);
  expect(elapsed()).toBeLessThan(5000);
});

describe('what is free is bounded', () => {
  const none = async () => {
    const { datasets } = await world.store.datasets.list(owner.team_id, everything);
    expect(datasets.filter(({ kind }) => kind === 'combined')).toEqual([]);
  };

  test('a merge has no more rows than the plan allows for a launch', async () => {
    const ids = await seedIds();
    const caller = { ...owner, plan: { ...owner.plan, rows_per_launch: 2 } };

    const { problem } = await combine(ids, { caller });

    expect(problem).toMatchObject({
      code: 'plan_limit_exceeded',
      details: [{ path: 'dataset_ids', limit: 2 }],
    });
    await none();
  });

  test('a merge has no more bytes than 8 GiB', async () => {
    const ids = await seedIds();
    await growTo(world, ids, 4 * 1024 ** 3 + 1);

    expect((await combine(ids)).problem).toMatchObject({ statusCode: 422, code: 'dataset_too_large' });
    await none();
  });

  test('a team starts as many merges an hour as its plan allows; repetitions and refusals are not counted', async () => {
    const ids = await seedIds();
    const caller = { ...owner, plan: { ...owner.plan, merges_per_hour: 1 } };
    expect((await combine([ids[0] ?? ''], { caller })).status).toBe(400);
    expect((await combine(ids, { caller, key: 'once' })).status).toBe(200);

    const { problem } = await combine(ids, { caller });

    expect(problem).toMatchObject({ statusCode: 429, code: 'rate_limited' });
    expect(problem.message).toContain('1 merges of datasets an hour (merges_per_hour)');
    expect((await combine(ids, { caller, key: 'once' })).status).toBe(200);
  });
});

/** Says of each dataset that its rows have so many bytes. */

const everything = {
  limit: 100,
  sort: 'created_at',
  descending: true,
  createdAfter: null,
  createdBefore: null,
  contains: null,
  states: null,
  kinds: null,
  createdByUserId: null,
  after: null,
} as const;
