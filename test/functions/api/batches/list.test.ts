import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/batches/list.ts';
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
