import { beforeEach, expect, test } from 'vitest';
import { type PoolLoad, readLoads } from '#shared/growth/decide/pool/pool.ts';
import { readVectorShard } from '#shared/growth/decide/pool/vector-shard.ts';
import { embedShard } from '#shared/growth/embed-shard.ts';
import { loadPool } from '#shared/growth/load-pool.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { linesOf } from '#test/helpers/active-run.ts';
import { embedder, load, POOL_COLUMNS, poolOf } from '#test/helpers/augmenting.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import { EMBEDDING_MODEL } from '#test/helpers/memory-resources.ts';
import { NOW } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const LOAD = '00000000000000aa';
let world: World;

beforeEach(() => {
  world = createWorld(() => NOW);
});

const rows = (count: number, pairs = 0) =>
  Array.from({ length: count }, (_, n) => ({
    prompt: `What of bread is number ${n}?`,
    completion: `Answer ${n}`,
    ...(n < pairs ? { rejected: `Worse ${n}` } : {}),
    topic: 'ignored',
  }));
const onlyLoad = async (): Promise<PoolLoad> => (await readLoads(world.objects))[0] as PoolLoad;

test('rows are kept as text, and beside them the vectors of what they ask, pairs apart from the others', async () => {
  const loaded = await load(world, rows(2300, 1100));

  expect(loaded).toEqual({ rows: 2300, shards: 4, left_out: 0, first_left_out: null });
  const { shards, embedding } = await onlyLoad();
  expect(embedding).toEqual({ model: EMBEDDING_MODEL, dimensions: 16 });
  expect(shards.map(({ row_count, has_pairs }) => [row_count, has_pairs])).toEqual([
    [1000, true],
    [1000, false],
    [100, true],
    [200, false],
  ]);
  for (const { n, row_count: count } of shards) {
    const lines = linesOf(world.objects.text(objectKeys.poolRows(LOAD, n)));
    const body = await world.objects.read(objectKeys.poolVectors(LOAD, n));
    const { vectors, model } = readVectorShard(body as Buffer);
    expect(lines).toHaveLength(count);
    expect(model).toBe(EMBEDDING_MODEL);
    const [expected] = await embedder().embed([JSON.parse(lines.at(-1) ?? '').prompt]);
    expect(vectors.subarray((count - 1) * 16)).toEqual(expected);
  }
  expect(JSON.parse(linesOf(world.objects.text(objectKeys.poolRows(LOAD, 0)))[0] ?? '')).toEqual({
    prompt: 'What of bread is number 0?',
    completion: 'Answer 0',
    rejected: 'Worse 0',
  });
});

test('rows belong to the pool when all of them are embedded, and a load goes on where it was', async () => {
  const client = embedder();
  const ports = poolOf(world.objects, client);
  let calls = 0;
  const broken = {
    ...ports,
    embedShard: (shard: { load_id: string; n: number }) => {
      calls += 1;
      if (calls > 2) throw new Error('gone');
      return ports.embedShard(shard);
    },
  };
  async function* read() {
    yield* rows(5000);
  }
  const options = { loadId: LOAD, name: 'x', columns: POOL_COLUMNS, now: NOW };

  await expect(loadPool(broken, read(), options)).rejects.toThrow('gone');
  expect(await readLoads(world.objects)).toEqual([]);
  const before = client.embedded.length;
  await loadPool(ports, read(), options);

  expect(before).toBe(2000);
  expect(client.embedded).toHaveLength(5000);
  expect((await onlyLoad()).shards).toHaveLength(5);
});

test('rows are embedded anew for another model', async () => {
  await load(world, rows(10));

  await load(world, rows(10), { client: embedder('another') });

  expect(await readLoads(world.objects)).toMatchObject([{ embedding: { model: 'another' } }]);
});

test('rows without a question or an answer are left out, and the first of them is named', async () => {
  const loaded = await load(world, [
    ...rows(2),
    { prompt: ' ', completion: 'x' },
    { prompt: 'x' },
    { prompt: 7, completion: 'x' },
  ]);

  expect(loaded).toMatchObject({ rows: 2, left_out: 3, first_left_out: 3 });
});

test('a file without any such row is refused, and so is a model that changes meanwhile', async () => {
  await expect(load(world, [{ question: 'x' }])).rejects.toThrow('--prompt and --completion');
  const ports = poolOf(world.objects);
  const changing = {
    ...ports,
    embedShard: async (shard: { load_id: string; n: number }) => ({
      ...(await ports.embedShard(shard)),
      model: `model ${shard.n}`,
    }),
  };
  async function* read() {
    yield* rows(1500);
  }

  await expect(
    loadPool(changing, read(), { loadId: LOAD, name: 'x', columns: POOL_COLUMNS, now: NOW }),
  ).rejects.toThrow('changed meanwhile');
  expect(await readLoads(world.objects)).toEqual([]);
});

test('a shard that is not there, and an installation without a model, are said', async () => {
  const ports = {
    objects: world.objects,
    embedder: null,
    callsMax: 2,
    outageSecondsMax: 10,
    clock: createFastClock(10),
    random: () => 0.5,
  };

  await expect(embedShard(ports, { load_id: LOAD, n: 0 })).rejects.toThrow('no shard 0');
  await expect(load(world, rows(1), { client: null })).rejects.toMatchObject({ code: 'model_unavailable' });
});

test('loads are listed by when they were made', async () => {
  await load(world, rows(1), { loadId: '0000000000000002', now: NOW + 1 });
  await load(world, rows(1), { loadId: '0000000000000003', now: NOW });
  await load(world, rows(1), { loadId: '0000000000000001', now: NOW + 1 });

  expect((await readLoads(world.objects)).map(({ load_id }) => Number(load_id))).toEqual([3, 1, 2]);
});
