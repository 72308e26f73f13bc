import { beforeEach, expect, test } from 'vitest';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { IndexManifest } from '#shared/responses/decide/retrieval/index-manifest.ts';
import { groupsOf, IndexCache } from '#shared/responses/index-cache.ts';
import { NOW } from '#test/helpers/records.ts';
import { adapted, buildIndex, buildOf } from '#test/helpers/searching.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let read: string[];
let objects: { read: (key: string) => Promise<Buffer | null> };

beforeEach(() => {
  world = createWorld(() => NOW);
  read = [];
  objects = {
    read: (key) => {
      read.push(key);
      return world.objects.read(key);
    },
  };
});

async function indexed(): Promise<IndexManifest> {
  const active = await adapted(world, [['What do foxes eat?', 'Foxes eat mice.']]);
  await buildIndex(world, buildOf(active));
  return IndexManifest.parse(
    JSON.parse(world.objects.text(objectKeys.indexManifest(active.dataset.dataset_id))),
  );
}

/** Ids of the datasets of which something was read, in order, while the cache showed these. */
async function readFor(cache: IndexCache, ...manifests: IndexManifest[]): Promise<string[]> {
  read = [];
  await cache.forEach(
    manifests.flatMap((manifest) => groupsOf(manifest, true)),
    () => {},
  );
  return [...new Set(read.map((key) => key.split('/')[1] ?? ''))];
}

const bytesOf = (manifest: IndexManifest): number =>
  groupsOf(manifest, true).reduce((sum, { bytes }) => sum + bytes, 0);

test('what was used last is held, as much of it as the memory takes', async () => {
  const [a, b, c] = [await indexed(), await indexed(), await indexed()];
  const cache = new IndexCache(objects, bytesOf(a) + bytesOf(b));

  expect(await readFor(cache, a)).toEqual([a.dataset_id]);
  expect(await readFor(cache, b)).toEqual([b.dataset_id]);
  expect(await readFor(cache, a, b)).toEqual([]);
  expect(await readFor(cache, a)).toEqual([]);
  // Room for it is made by the one that was not used for longest.
  expect(await readFor(cache, c)).toEqual([c.dataset_id]);
  expect(await readFor(cache, a)).toEqual([]);
  expect(await readFor(cache, b)).toEqual([b.dataset_id]);
});

test('what does not fit is read each time, and drives out nothing', async () => {
  const [a, b] = [await indexed(), await indexed()];
  const cache = new IndexCache(objects, bytesOf(a));
  await readFor(cache, a);

  expect(await readFor(cache, a, b)).toEqual([a.dataset_id, b.dataset_id]);
  expect(await readFor(cache, a)).toEqual([]);
});

test('what could not be read is asked for again', async () => {
  const manifest = await indexed();
  const cache = new IndexCache(objects, Number.POSITIVE_INFINITY);
  const key = objectKeys.indexWords(manifest.dataset_id, manifest.build_id, 0);
  const body = await world.objects.read(key);
  await world.objects.remove([key]);
  await expect(readFor(cache, manifest)).rejects.toMatchObject({ code: 'index_not_ready' });

  await world.objects.write(key, body ?? '', 'application/octet-stream');

  expect(await readFor(cache, manifest)).toEqual([manifest.dataset_id]);
});

test('groups are small enough to be let go alone, and hold every shard once', () => {
  const shard = (n: number) => ({ n, rows: 2048, word_bytes: 1_000_000 });
  const manifest: IndexManifest = {
    version: 1,
    dataset_id: 'd',
    rows_of: 'r',
    build_id: 'b',
    built_at: '2026-01-01T00:00:00.000Z',
    row_count: 0,
    embedding: { model: 'm', dimensions: 1024 },
    shards: Array.from({ length: 100 }, (_, n) => shard(n)),
  };

  const groups = groupsOf(manifest, true);

  expect(groups.flatMap(({ shards }) => shards.map(({ n }) => n))).toEqual(manifest.shards.map(({ n }) => n));
  expect(groups.map(({ firstShard }) => firstShard)).toEqual(groups.map(({ shards }) => shards[0]?.n));
  expect(groups.length).toBe(4);
  for (const { bytes } of groups) expect(bytes).toBeLessThanOrEqual(256 * 1024 * 1024);
  expect(groupsOf(manifest, false)).toHaveLength(1);
});
