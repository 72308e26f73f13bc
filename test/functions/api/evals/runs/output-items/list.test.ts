import { beforeEach, expect, test } from 'vitest';
import { handler as deleteRun } from '#functions/api/evals/runs/delete.ts';
import { handler as getItem } from '#functions/api/evals/runs/output-items/get.ts';
import { handler } from '#functions/api/evals/runs/output-items/list.ts';
import type { EvalRepository } from '#shared/evals/decide/records.ts';
import { evals } from '#shared/evals/wire.ts';
import { fileIdOf } from '#shared/openai/decide/ids.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedRows } from '#test/helpers/combining.ts';
import { CONTAINS, content, seedEval, seedRun, workRun } from '#test/helpers/evaluating.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

test('output items are listed in pages across blocks, in both orders and by status', async () => {
  const { id } = await seedEval(world, owner);
  const run = await seedRun(world, owner, id, { type: 'jsonl', source: content(45, 40) });
  await workRun(world);
  const read = (query: Record<string, string>, as = owner) =>
    world.call(handler, { as, params: { eval_id: id, run_id: run.id }, query });
  const rows = async (query: Record<string, string>) =>
    (await read(query)).body.data.map(({ datasource_item_id }) => datasource_item_id);

  const first = (await read({ limit: '30' })).body;
  expect(first.data.map(({ datasource_item_id }) => datasource_item_id)).toEqual([...Array(30).keys()]);
  expect(first.has_more).toBe(true);
  expect(await rows({ after: first.last_id ?? '' })).toEqual([...Array(15).keys()].map((n) => n + 30));
  expect(await rows({ status: 'fail' })).toEqual([40, 41, 42, 43, 44]);
  expect(await rows({ order: 'desc', limit: '3' })).toEqual([44, 43, 42]);
  expect(await rows({ order: 'desc', after: first.data[2]?.id ?? '' })).toEqual([1, 0]);
  expect((await read({ after: 'outputitem_1' })).problem.error?.param).toBe('query.after');
  expect((await read({}, strangerTo(owner))).problem.code).toBe('eval_not_found');
});

test('output items of a status are found by two reads in a run of thousands of rows, and by all of a run that keeps no statuses', async () => {
  const { id } = await seedEval(world, owner);
  const run = await seedRun(world, owner, id, { type: 'jsonl', source: content(2_000, 1_999) });
  await workRun(world);
  let reads = 0;
  const objects = {
    read: (key: string) => {
      reads += 1;
      return world.objects.read(key);
    },
  };
  const rows = async (query: Record<string, string>) => {
    reads = 0;
    const { body } = await world.call(
      handler,
      { as: owner, params: { eval_id: id, run_id: run.id }, query },
      { objects },
    );
    return body.data.map(({ datasource_item_id }) => datasource_item_id);
  };

  expect(await rows({ status: 'fail' })).toEqual([1_999]);
  expect(reads).toBe(2);
  expect(await rows({ status: 'error' })).toEqual([]);
  expect(reads).toBe(1);
  expect(await rows({ status: 'pass', order: 'desc', limit: '2' })).toEqual([1_998, 1_997]);
  expect(reads).toBe(2);

  const [kept] = world.objects.keys().filter((key) => key.endsWith('/statuses.txt'));
  await world.objects.remove([kept ?? '']);
  expect(await rows({ status: 'fail' })).toEqual([1_999]);
  expect(reads).toBe(101);
});

test('output items that fail are not those with an error, which have a status of their own', async () => {
  const grader = { ...CONTAINS, name: 'sum', type: 'python', source: 'def grade(sample, item): return 1' };
  const { input: _, operation: __, reference: ___, ...python } = grader;
  const { id } = await seedEval(world, owner, { testing_criteria: [CONTAINS, python] });
  const run = await seedRun(world, owner, id, { type: 'jsonl', source: content(3, 2) });
  await workRun(world, { runCode: async () => ({}) });
  const count = async (query: Record<string, string>) =>
    (await world.call(handler, { as: owner, params: { eval_id: id, run_id: run.id }, query })).body.data
      .length;

  expect(await count({ status: 'error' })).toBe(3);
  expect(await count({ status: 'fail' })).toBe(0);
});

test('output items of long rows are on as many pages as fit an answer, those that fit none with their texts cut', async () => {
  const rows = [1_500_000, 1_500_000, 1_500_000, 9_000_000, 10].map((length, n) => ({
    item: { question: 'ä'.repeat(length / 2), answer: `a${n}.` },
    sample: { output_text: `a${n}.` },
  }));
  const { id } = await seedEval(world, owner);
  const file = await seedRows(
    world,
    owner,
    { item: 'JSON', sample: 'JSON' },
    rows.map((row) => JSON.stringify(row)),
  );
  const source = { type: 'file_id', id: fileIdOf(file.dataset_id) };
  const run = await seedRun(world, owner, id, { type: 'jsonl', source });
  await workRun(world);
  const pages: { rows: number[]; bytes: number; cut: boolean[] }[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query: Record<string, string> = after === '' ? {} : { after };
    const { body } = await world.call(handler, { as: owner, params: { eval_id: id, run_id: run.id }, query });
    pages.push({
      rows: body.data.map(({ datasource_item_id }) => datasource_item_id),
      bytes: Buffer.byteLength(JSON.stringify(body)),
      cut: body.data.map(({ datasource_item }) => String(datasource_item.question).endsWith('[…]')),
    });
    after = body.has_more ? body.last_id : null;
  }

  expect(pages.map(({ rows }) => rows)).toEqual([
    [0, 1],
    [2, 3, 4],
  ]);
  expect(pages.map(({ cut }) => cut)).toEqual([
    [false, false],
    [false, true, false],
  ]);
  expect(Math.max(...pages.map(({ bytes }) => bytes))).toBeLessThan(4_500_000);

  const longest = (
    await world.call(handler, { as: owner, params: { eval_id: id, run_id: run.id }, query: {} })
  ).body.last_id;
  const params = { eval_id: id, run_id: run.id, output_item_id: (longest ?? '').replace(/\d+$/, '3') };
  const { body } = await world.call(getItem, { as: owner, params });
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(4_500_000);
  expect(body).toMatchObject({ datasource_item_id: 3, status: 'pass', datasource_item: { answer: 'a3.' } });
});

test('output items of a run that is being deleted are not there, and its deletion can be repeated', async () => {
  const { id } = await seedEval(world, owner);
  const run = await seedRun(world, owner, id, { type: 'jsonl', source: content(3, 2) });
  await workRun(world);
  const [address] = world.invoked.map(
    ({ payload }) => payload as Parameters<EvalRepository['beginRemoval']>[0],
  );
  await world.use(evals('write')).beginRemoval(address as Parameters<EvalRepository['beginRemoval']>[0]);
  const request = { as: owner, params: { eval_id: id, run_id: run.id } };

  expect((await world.call(handler, { ...request, query: {} })).problem.code).toBe('eval_not_found');
  expect((await world.call(deleteRun, request)).status).toBe(200);
});

test('output items of a file are for keys that may read its rows', async () => {
  const { id } = await seedEval(world, owner);
  const file = await seedRows(world, owner, { question: 'VARCHAR' }, ['{"question":"q"}']);
  const source = { type: 'file_id', id: fileIdOf(file.dataset_id) };
  const run = await seedRun(world, owner, id, { type: 'jsonl', source });
  const read = (as: Caller) =>
    world.call(handler, { as, params: { eval_id: id, run_id: run.id }, query: {} });

  expect((await read({ ...owner, scopes: ['responses'] })).problem.code).toBe('scope_missing');
  expect((await read({ ...owner, scopes: ['responses', 'datasets:read'] })).status).toBe(200);
});
