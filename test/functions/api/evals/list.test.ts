import { setTimeout as sleep } from 'node:timers/promises';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/evals/list.ts';
import { handler as update } from '#functions/api/evals/update.ts';
import { evals } from '#shared/evals/wire.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { CONTAINS, content, seedEval, seedRun } from '#test/helpers/evaluating.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

test('evals are listed oldest first or newest first, in pages, for their own team', async () => {
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    await sleep(2);
    ids.push((await seedEval(world, owner, { name })).id);
  }
  const read = async (query: Record<string, string>, as = owner) =>
    (await world.call(handler, { as, query })).body;

  expect((await read({})).data.map(({ id }) => id)).toEqual(ids);
  expect(await read({ order: 'desc', limit: '2' })).toMatchObject({ has_more: true, first_id: ids[2] });
  expect((await read({ after: ids[1] ?? '' })).data.map(({ id }) => id)).toEqual([ids[2]]);
  expect((await read({}, strangerTo(owner))).data).toEqual([]);
});

test('a page of large evals ends before it is more than a function answers, and the next goes on behind it', async () => {
  const large = ['a', 'b', 'c'].map((name) => ({ ...CONTAINS, name, reference: 'x'.repeat(90_000) }));
  for (let n = 0; n < 28; n += 1) await seedEval(world, owner, { name: `${n}`, testing_criteria: large });
  const read = async (query: Record<string, string>) =>
    (await world.call(handler, { as: owner, query })).body;

  const seen = new Set<string>();
  let after: string | null = null;
  let pages = 0;
  do {
    const page = await read({ limit: '100', ...(after === null ? {} : { after }) });
    expect(JSON.stringify(page).length).toBeLessThan(5_000_000);
    for (const { id } of page.data) seen.add(id);
    expect(page.has_more).toBe(seen.size < 28);
    after = page.has_more ? page.last_id : null;
    pages += 1;
  } while (after !== null);
  expect([seen.size, pages]).toEqual([28, 2]);
});

test('lists of evals, of their runs and of runs over a dataset read no texts of them, which a query would read whole', async () => {
  const large = ['a', 'b', 'c'].map((name) => ({ ...CONTAINS, name, reference: 'x'.repeat(90_000) }));
  for (let n = 0; n < 8; n += 1) {
    const { id } = await seedEval(world, owner, { testing_criteria: large });
    if (n === 0) await seedRun(world, owner, id, { type: 'jsonl', source: content(1, 1) });
  }
  const repository = world.use(evals('read'));
  const sent = vi.spyOn(world.table.client, 'send');
  const queries = () => sent.mock.calls.filter(([command]) => command instanceof QueryCommand).length;

  const heads = await repository.list(owner.team_id);
  // Two megabytes would be three pages.
  expect([heads.length, queries()]).toEqual([8, 1]);
  expect(Object.keys(heads[0] ?? {}).sort()).toEqual(['created_at', 'eval_id', 'updated_at']);

  const [run] = await repository.listRuns(owner.team_id, heads[0]?.eval_id ?? '');
  expect(run).toMatchObject({ status: 'queued', worked_at: expect.any(String) });
  expect(await repository.listRunsOver(owner.team_id, 'another dataset')).toEqual([]);
  expect(queries()).toBe(3);
  sent.mockRestore();
});

test('evals are listed in the order of their last change, where it is asked for', async () => {
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    await sleep(2);
    ids.push((await seedEval(world, owner, { name })).id);
  }
  const [a = '', b, c] = ids;
  await sleep(2);
  await world.call(update, { as: owner, params: { eval_id: a }, body: { name: 'changed' } });
  const read = async (query: Record<string, string>) =>
    (await world.call(handler, { as: owner, query })).body.data.map(({ id }) => id);

  expect(await read({ order_by: 'updated_at' })).toEqual([b, c, a]);
  expect(await read({ order_by: 'updated_at', order: 'desc' })).toEqual([a, c, b]);
  expect(await read({ order_by: 'created_at' })).toEqual([a, b, c]);
});
