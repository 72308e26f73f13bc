import { expect, test } from 'vitest';
import { objectKeys } from '#shared/domain/storage/object-keys.ts';
import { eraseDataset } from '#shared/operations/erase-dataset.ts';
import { finishStretches, startRun } from '#test/helpers/active-run.ts';
import { NOW } from '#test/helpers/records.ts';
import { createWorld } from '#test/helpers/world.ts';

test('everything of the dataset and its runs goes, and nothing of another', async () => {
  const world = createWorld();
  const gone = await startRun(world);
  const kept = await startRun(world, { rows: 30 });
  for (const active of [gone, kept]) {
    await finishStretches(world, active);
    await world.objects.write(objectKeys.export(active.dataset.dataset_id, 'source', 'csv'), 'x', 'text/csv');
    await world.objects.write(objectKeys.raw(active.dataset.dataset_id, 'f.csv'), 'x', 'text/csv');
  }
  const ofKept = world.objects
    .keys()
    .filter((key) => key.includes(kept.dataset.dataset_id) || key.includes(kept.run.run_id));
  const count = world.objects.keys().length - ofKept.length;

  const { objects } = await eraseDataset(
    { ...world.store, objects: world.objects },
    gone.dataset.dataset_id,
    NOW,
  );

  expect(world.objects.keys()).toEqual(ofKept);
  expect(objects).toBe(count);
  expect(count).toBeGreaterThan(8);
});

test('more objects than one request removes go in batches, and a second call finds nothing', async () => {
  const world = createWorld();
  const { dataset } = await startRun(world, { rows: 1 });
  for (let n = 0; n < 1001; n += 1)
    await world.objects.write(objectKeys.rows(dataset.dataset_id, n), 'x', 'x');
  const batches: number[] = [];
  const ports = {
    ...world.store,
    objects: {
      list: world.objects.list,
      remove: async (keys: readonly string[]) => {
        batches.push(keys.length);
        await world.objects.remove(keys);
      },
    },
  };

  await eraseDataset(ports, dataset.dataset_id, NOW);

  expect(Math.max(...batches)).toBe(1000);
  expect(await eraseDataset(ports, dataset.dataset_id, NOW)).toEqual({ objects: 0 });
  expect(world.objects.keys()).toEqual([]);
});
