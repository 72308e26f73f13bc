import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/list.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { LIST_PAGES_MAX, LIST_PAGES_WITHOUT_MATCH_MAX } from '#shared/datasets/store/datasets.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { endlessList } from '#test/helpers/endless-list.ts';
import { makeCaller, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

const day = (number: number): string => `2026-03-0${number}T00:00:00.000Z`;
const seed = (name: string, fields: Partial<DatasetRecord> = {}) =>
  seedDataset(world.store, owner, { name, ...fields });
const list = (query: Record<string, string | string[]> = {}, as = owner) =>
  world.call(handler, { as, query });
const names = async (query: Record<string, string> = {}): Promise<string[]> =>
  (await list(query)).body.datasets.map((dataset) => dataset.name);

test('an item shows the dataset, and says awaiting_input where it waits for an adaptation', async () => {
  const dataset = await seed('tickets', { description: 'Questions and answers.' });
  expect((await list()).body).toEqual({
    datasets: [
      {
        dataset_id: dataset.dataset_id,
        name: 'tickets',
        status: 'awaiting_input',
        created_at: dataset.created_at,
        updated_at: dataset.updated_at,
        row_count: 120,
        description: 'Questions and answers.',
        waits_for: null,
      },
    ],
    next_cursor: null,
  });
});

test('an item is never another team’s, also within the organization', async () => {
  const stranger = strangerTo(owner);
  await seedDataset(world.store, stranger, { name: 'theirs' });
  await seed('ours');

  expect(await names()).toEqual(['ours']);
});

describe('filters', () => {
  test('a request with filters looks at a bounded part of the list, and its cursor leads to the rest', async () => {
    const large = 'x'.repeat(190_000);
    await seed('wanted first', { created_at: day(1) });
    for (let n = 0; n < 60; n += 1) await seed(`other ${n}`, { created_at: day(2), description: large });
    await seed('wanted last', { created_at: day(3) });

    const found: string[][] = [];
    let cursor: string | null = null;
    do {
      const { body } = await list({ q: 'wanted', ...(cursor === null ? {} : { cursor }) });
      found.push(body.datasets.map(({ name }) => name));
      cursor = body.next_cursor;
    } while (cursor !== null);

    expect(found).toEqual([['wanted last'], ['wanted first']]);
    // A page without datasets would end what clients read.
    expect((await list({ q: 'first' })).body.datasets.map(({ name }) => name)).toEqual(['wanted first']);
  });

  test('filters that let nothing through read a bounded part of the list, and what they read further counts as scans', async () => {
    const caller = { ...owner, plan: { ...owner.plan, scans_per_hour: 12 } };
    const pages = endlessList(world);
    const answers: [string, number][] = [];
    for (let n = 0; n < 3; n += 1) {
      const before = pages();
      const { problem } = await list({ q: 'nothing' }, caller);
      answers.push([problem.code, pages() - before]);
    }

    expect(answers).toEqual([
      ['invalid_request', LIST_PAGES_WITHOUT_MATCH_MAX],
      ['rate_limited', 4 * LIST_PAGES_MAX],
      ['rate_limited', LIST_PAGES_MAX],
    ]);
    expect((await list({ q: 'nothing' }, caller)).problem.message).toContain('scans_per_hour');
  });

  beforeEach(async () => {
    await seed('alpha', { created_at: day(1), updated_at: day(9), state: 'succeeded' });
    await seed('Beta', { created_at: day(2), updated_at: day(8), state: 'failed', kind: 'combined' });
    await seed('gamma BETA', {
      created_at: day(3),
      updated_at: day(7),
      state: 'ingesting',
      kind: 'extended',
    });
    await seed('delta', {
      created_at: day(4),
      updated_at: day(6),
      state: 'awaiting_input',
      created_by_user_id: '7e0a5a52-2c0a-4c53-8f4e-0f6f1d5b8a10',
    });
    await seed('epsilon', { created_at: day(5), updated_at: day(5), state: 'running', kind: 'invented' });
  });

  test.each([
    [{}, ['epsilon', 'delta', 'gamma BETA', 'Beta', 'alpha']],
    [{ sort_direction: 'asc' }, ['alpha', 'Beta', 'gamma BETA', 'delta', 'epsilon']],
    [{ sort: 'updated_at' }, ['alpha', 'Beta', 'gamma BETA', 'delta', 'epsilon']],
    [{ sort: 'name', sort_direction: 'asc' }, ['alpha', 'Beta', 'delta', 'epsilon', 'gamma BETA']],
    [{ sort: 'name' }, ['gamma BETA', 'epsilon', 'delta', 'Beta', 'alpha']],
    [{ q: 'beta' }, ['gamma BETA', 'Beta']],
    [{ q: '' }, ['epsilon', 'delta', 'gamma BETA', 'Beta', 'alpha']],
    [{ status: 'succeeded' }, ['alpha']],
    [{ status: 'failed' }, ['Beta']],
    [{ status: 'pending' }, ['gamma BETA']],
    [{ status: 'awaiting_input' }, ['delta']],
    [{ status: 'running' }, ['epsilon']],
    [{ status: '' }, ['epsilon', 'delta', 'gamma BETA', 'Beta', 'alpha']],
    [{ type: 'original' }, ['delta', 'alpha']],
    [{ type: 'combined' }, ['Beta']],
    [{ type: 'augmented' }, ['gamma BETA']],
    [{ type: 'invented' }, ['epsilon']],
    [{ created_after: day(3) }, ['epsilon', 'delta']],
    [{ created_before: day(3) }, ['Beta', 'alpha']],
    [{ created_after: '2026-03-03T01:00:00+01:00' }, ['epsilon', 'delta']],
    [{ created_after: '2026-03-03T00:00:00' }, ['epsilon', 'delta']],
    [{ created_by_user_id: '7e0a5a52-2c0a-4c53-8f4e-0f6f1d5b8a10' }, ['delta']],
    [{ created_after: day(1), status: 'failed', q: 'BET' }, ['Beta']],
    [{ q: 'nothing' }, []],
  ])('%j lists %j', async (query, expected) => {
    expect(await names(query as Record<string, string>)).toEqual(expected);
  });

  test.each([
    ['query.limit', { limit: '0' }],
    ['query.limit', { limit: '101' }],
    ['query.limit', { limit: '2.5' }],
    ['query.limit', { limit: 'ten' }],
    ['query.sort', { sort: 'size' }],
    ['query.sort_direction', { sort_direction: 'up' }],
    ['query.status', { status: 'done' }],
    ['query.type', { type: 'copied' }],
    ['query.created_after', { created_after: 'yesterday' }],
    ['query.created_before', { created_before: '2026-02-30T00:00:00Z' }],
    ['query.page', { page: '2' }],
    ['query.limit', { limit: ['1', '2'] }],
  ])('a 400 names the filter %s of %j', async (path, query) => {
    const { status, problem } = await list(query as Record<string, string>);

    expect([status, problem.code]).toEqual([400, 'invalid_request']);
    expect(problem.details.map((detail) => detail.path)).toContain(path);
  });
});

test('a list by name has a name before those that begin with it', async () => {
  const sorted = ['sales', 'sales', 'sales (augmented)', 'sales 2024', 'sales!', 'sales-eu', 'salesroom'];
  for (const name of sorted.toReversed()) await seed(name);

  expect(await names({ sort: 'name', sort_direction: 'asc' })).toEqual(sorted);
  expect(await names({ sort: 'name' })).toEqual(sorted.toReversed());
});

test('a list by a text has the datasets whose description contains it too, in any case', async () => {
  await seed('a', { description: 'Questions about Cities.' });
  await seed('cities');
  await seed('b', { description: 'Questions.' });
  const { dataset_id } = await seed('c', { state: 'ingesting', run_id: 'run' });
  await world.store.datasets.recordFindings(dataset_id, 'run', { description: 'CITIES' }, 0);

  expect(await names({ q: 'cItIes', sort: 'name', sort_direction: 'asc' })).toEqual(['a', 'c', 'cities']);
});

describe('paging', () => {
  const SAME_TIME = '2026-03-02T10:00:00.000Z';

  beforeEach(async () => {
    for (let number = 0; number < 7; number += 1) await seed(`set ${number % 3}`, { created_at: SAME_TIME });
  });

  const walk = async (query: Record<string, string>): Promise<string[]> => {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await list({ ...query, ...(cursor === null ? {} : { cursor }) });
      ids.push(...body.datasets.map((dataset) => dataset.dataset_id));
      cursor = body.next_cursor;
    } while (cursor !== null);
    return ids;
  };

  test.each([
    { sort: 'created_at' },
    { sort: 'updated_at', sort_direction: 'asc' },
    { sort: 'name', sort_direction: 'asc' },
    { sort: 'name' },
  ])(
    'paging with %j meets every dataset once, in one order, also where the sorted values are equal',
    async (query) => {
      const whole = (await list(query)).body.datasets.map((dataset) => dataset.dataset_id);

      expect(await walk({ ...query, limit: '2' })).toEqual(whole);
      expect(new Set(whole).size).toBe(7);
    },
  );

  test('paging takes a limit with a zero fraction, as the public client sends it', async () => {
    expect((await list({ limit: '2.0' })).body.datasets).toHaveLength(2);
  });

  test('paging ends without a cursor where the last page is full', async () => {
    expect((await list({ limit: '7' })).body.next_cursor).toBeNull();
  });

  test('paging is twenty long when nothing is said', async () => {
    for (let number = 0; number < 14; number += 1) await seed('more');

    expect((await list()).body.datasets).toHaveLength(20);
  });

  test.each([
    ['that was changed', (cursor: string) => `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`, {}],
    ['whose position was changed', (cursor: string) => `x${cursor}`, {}],
    ['that is no cursor', () => 'hello', {}],
    ['that is empty', () => '', {}],
    ['of another order', (cursor: string) => cursor, { sort: 'name' }],
    ['of other filters', (cursor: string) => cursor, { q: 'set' }],
  ])('a cursor %s is a 400', async (_what, change, query) => {
    const { body } = await list({ limit: '2' });

    const { status, problem } = await list({ limit: '2', ...query, cursor: change(body.next_cursor ?? '') });

    expect([status, problem.code]).toEqual([400, 'cursor_invalid']);
    expect(problem.details[0]?.path).toBe('query.cursor');
  });

  test('a cursor of another team is a 400', async () => {
    const { body } = await list({ limit: '2' });

    const { problem } = await list({ limit: '2', cursor: body.next_cursor ?? '' }, makeCaller());

    expect(problem.code).toBe('cursor_invalid');
  });

  test('the page size may change from page to page', async () => {
    const { body } = await list({ limit: '2' });

    expect((await list({ limit: '5', cursor: body.next_cursor ?? '' })).body.datasets).toHaveLength(5);
  });
});
