import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/batches/list.ts';
import type { BatchRecord } from '#shared/openai/decide/batches.ts';
import { PAGE_BYTES_MAX } from '#shared/openai/read-page.ts';
import { batches } from '#shared/openai/wire.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { seedBatch } from '#test/helpers/requesting.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

afterEach(() => {
  vi.useRealTimers();
});

test('batches are listed newest first, page by page, and to their team alone', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    vi.setSystemTime(NOW + n * 1000);
    ids.unshift((await seedBatch(world, owner)).id);
  }
  const list = (query: Record<string, string> = {}, as = owner) => world.call(handler, { as, query });

  const { body: first } = await list({ limit: '2' });
  const { body: second } = await list({ limit: '2', after: String(first.last_id) });
  const { body: last } = await list({ limit: '2', after: String(second.last_id) });
  const pages = [first, second, last];

  expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(ids);
  expect(pages.map(({ data, has_more }) => [data.length, has_more])).toEqual([
    [2, true],
    [2, true],
    [1, false],
  ]);
  expect((await list({}, strangerTo(owner))).body.data).toEqual([]);
  expect((await list({ after: 'batch_1' })).status).toBe(400);
});

test('a page of batches ends before a function can answer no more, and the next one goes on', async () => {
  await seedBatch(world, owner);
  const repository = world.use(batches('write'));
  const [head] = await repository.list(owner.team_id);
  const batch = (await repository.find(owner.team_id, head?.batch_id ?? '')) as BatchRecord;
  const metadata = Object.fromEntries(
    Array.from({ length: 16 }, (_, n) => [`${n}`.padEnd(64, '\u0001'), '\u0001'.repeat(512)]),
  );
  for (let n = 0; n < 99; n += 1)
    await repository.create({ ...batch, metadata, batch_id: crypto.randomUUID() });
  const ids: string[] = [];
  let pages = 0;

  const page = (after: string) =>
    world.call(handler, { as: owner, query: { limit: '100', ...(after === '' ? {} : { after }) } });
  for (let after: string | null = ''; after !== null; pages += 1) {
    const { body } = await page(after);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(PAGE_BYTES_MAX + 200_000);
    ids.push(...body.data.map(({ id }) => id));
    after = body.has_more ? body.last_id : null;
  }

  expect(new Set(ids).size).toBe(100);
  expect(pages).toBe(2);
});

test('lists of batches, each of which reads all of a team, are counted against its plan', async () => {
  const as = { ...owner, plan: { ...owner.plan, scans_per_hour: 1 } };
  const { rateLimiter } = world.store;

  expect((await world.call(handler, { as }, { rateLimiter })).status).toBe(200);
  expect((await world.call(handler, { as }, { rateLimiter })).problem.code).toBe('rate_limited');
});
