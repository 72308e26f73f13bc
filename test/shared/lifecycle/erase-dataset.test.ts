import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createDeploymentRepository } from '#shared/deployments/store/deployments.ts';
import { deploymentRetirer } from '#shared/deployments/wire.ts';
import type { EvalRecord, EvalRunRecord } from '#shared/evals/decide/records.ts';
import { evalCopies, evals } from '#shared/evals/wire.ts';
import { eraseDataset } from '#shared/lifecycle/erase-dataset.ts';
import { removePrefixes } from '#shared/lifecycle/remove-prefixes.ts';
import { erasureSweeper } from '#shared/lifecycle/wire.ts';
import { fileIdOf } from '#shared/openai/decide/ids.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { keys } from '#shared/platform/store/keys.ts';
import { adaptRows, finishBatches, resultOf, startRun } from '#test/helpers/active-run.ts';
import { NOW, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { bestOf, endTrainingNow, launchTraining, seedTrainable } from '#test/helpers/training.ts';
import { createWorld } from '#test/helpers/world.ts';

test('everything of the dataset and its runs goes, and nothing of another', async () => {
  const world = createWorld();
  const keptCopies: string[] = [];
  const gone = await startRun(world);
  const kept = await startRun(world, { rows: 30 });
  for (const active of [gone, kept]) {
    await finishBatches(world, active);
    await world.objects.write(objectKeys.export(active.dataset.dataset_id, 'source', 'csv'), 'x', 'text/csv');
    await world.objects.write(objectKeys.raw(active.dataset.dataset_id, 'f.csv'), 'x', 'text/csv');
    await world.objects.write(objectKeys.imported(active.run.run_id, 0), 'x', 'text/csv');
    await world.objects.write(objectKeys.converted(active.run.run_id, 0), 'x', 'application/jsonl');
  }
  for (const { dataset } of [gone, kept]) {
    const at = new Date(NOW).toISOString();
    const ids = { team_id: dataset.team_id, eval_id: randomUUID(), run_id: randomUUID() };
    const data_source = { type: 'jsonl', source: { type: 'file_id', id: fileIdOf(dataset.dataset_id) } };
    const repository = world.use(evals('write'));
    await repository.create({ ...ids, created_at: at } as unknown as EvalRecord);
    await repository.createRun({ ...ids, data_source, created_at: at } as unknown as EvalRunRecord);
    const copy = objectKeys.evalItems(ids.team_id, ids.run_id, 0);
    await world.objects.write(copy, 'x', 'application/jsonl');
    if (dataset === kept.dataset) keptCopies.push(copy);
  }
  const ofKept = world.objects
    .keys()
    .filter((key) =>
      [kept.dataset.dataset_id, kept.run.run_id, ...keptCopies].some((part) => key.includes(part)),
    );
  const count = world.objects.keys().length - ofKept.length;

  const { objects } = await eraseDataset(
    {
      ...world.store,
      objects: world.objects,
      listCopies: world.use(evalCopies),
      retireDeployment: async () => null,
    },
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
    listCopies: async () => [],
    retireDeployment: async () => null,
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

test('prefixes are listed several at once, and emptied in their order', async () => {
  const keys = Array.from({ length: 40 }, (_, n) => `p${n}/object`);
  const removed: string[] = [];
  let listing = 0;
  let listedMax = 0;
  const objects = {
    async *list(prefix: string) {
      listing += 1;
      listedMax = Math.max(listedMax, listing);
      await new Promise((resolve) => setImmediate(resolve));
      listing -= 1;
      if (prefix !== 'p3/') yield `${prefix}object`;
    },
    remove: async (batch: readonly string[]) => {
      removed.push(...batch);
    },
  };

  const count = await removePrefixes(
    objects,
    keys.map((key) => key.replace('object', '')),
  );

  expect(count).toBe(39);
  expect(removed).toEqual(keys.filter((key) => key !== 'p3/object'));
  expect(listedMax).toBe(16);
});

test('models that were trained on it go with it, and their trainings are neither found nor listed', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 0);
  const artifacts: string[] = [];
  for (let n = 0; n < 2; n += 1) {
    const training = await launchTraining(world, await seedTrainable(world, owner));
    const best = bestOf(training.experiment_id);
    await world.objects.write(best.artifact_key, 'tar', 'application/gzip');
    await endTrainingNow(world, training, { best });
    artifacts.push(best.artifact_key);
  }
  const { trainings: all } = await world.store.trainings.list(owner.team_id, { limit: 9, after: null });
  const gone = all.find(({ best }) => best?.artifact_key === artifacts[0]);

  await eraseDataset(
    {
      ...world.store,
      objects: world.objects,
      listCopies: async () => [],
      retireDeployment: async () => null,
    },
    gone?.dataset_id ?? '',
    NOW,
  );

  const kept = world.objects.keys().filter((key) => key.startsWith('trainings/'));
  expect(kept).toEqual([artifacts[1]]);
  const { trainings } = await world.store.trainings.list(owner.team_id, { limit: 9, after: null });
  expect(trainings).toHaveLength(1);
  expect(await world.store.trainings.find(owner.team_id, gone?.experiment_id ?? '')).toBeNull();
});

test('a dataset whose erasure was never begun is erased by the sweep, and again for what running work has written since', async () => {
  const MINUTE = 60_000;
  let now = NOW;
  const world = createWorld(() => now);
  const { caller, dataset } = await adaptRows(world, { rows: 2 }, (row) => resultOf(row));
  const { dataset_id } = dataset;
  await world.store.datasets.delete(caller, dataset_id, now);
  const sweep = async (minutes: number): Promise<number> => {
    now = NOW + minutes * MINUTE;
    const started = await world.use(erasureSweeper)(now, 10);
    for (const { payload } of world.invoked.splice(0)) {
      await eraseDataset(
        {
          ...world.store,
          objects: world.objects,
          listCopies: async () => [],
          retireDeployment: async () => null,
        },
        (payload as typeof dataset).dataset_id,
        now,
      );
    }
    return started;
  };

  expect(await sweep(0)).toBe(0);
  expect(await sweep(2)).toBe(1);
  expect(world.objects.keys()).toEqual([]);
  expect(await sweep(19)).toBe(0);

  await world.objects.write(objectKeys.raw(dataset_id, 'late.csv'), 'x', 'text/csv');
  expect(await sweep(21)).toBe(1);
  expect(world.objects.keys()).toEqual([]);
  expect(await sweep(24 * 60)).toBe(0);
  expect(await sweep(25 * 60 + 1)).toBe(1);
  expect(await sweep(40 * 60)).toBe(0);
});

test('an erasure that fails each time does not keep others from theirs, and is tried again after an hour', async () => {
  const HOUR = 3_600_000;
  const world = createWorld(() => NOW);
  const { caller, dataset: stuck } = await startRun(world);
  const { caller: other, dataset: behind } = await startRun(world);
  for (const [as, { dataset_id }] of [
    [caller, stuck],
    [other, behind],
  ] as const) {
    await world.endRun({
      dataset_id,
      run_id: (await world.store.datasets.find(dataset_id))?.run_id ?? '',
      error: null,
      billedCredits: 0,
      now: NOW,
    });
    await world.store.datasets.delete(as, dataset_id, NOW + (dataset_id === behind.dataset_id ? 1000 : 0));
  }
  // Nothing that is started here comes to its end.
  const startedAt = async (now: number): Promise<unknown[]> => {
    await world.use(erasureSweeper)(now, 1);
    return world.invoked.splice(0).map(({ payload }) => (payload as { dataset_id: string }).dataset_id);
  };
  const [first] = await startedAt(NOW + 120_000);
  const [second] = await startedAt(NOW + 420_000);

  expect([first, second]).toEqual([stuck.dataset_id, behind.dataset_id]);
  expect(await startedAt(NOW + 720_000)).toEqual([]);
  expect(await startedAt(NOW + 121_000 + HOUR)).toEqual([stuck.dataset_id]);
});

test('what answers with a model that was trained on the dataset is deleted with it, and nothing else of the kind', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 0);
  const dataset = await seedTrainable(world, owner);
  const training = await launchTraining(world, dataset);
  await endTrainingNow(world, training, { best: bestOf(training.experiment_id) });
  const other = await launchTraining(world, await seedTrainable(world, owner));
  const store = createDeploymentRepository(world.table);
  for (const { experiment_id, dataset_id, team_id, model } of [training, other]) {
    const of = { experiment_id, dataset_id, team_id, model, platform: 'amazon_bedrock' } as const;
    const made = {
      base: null,
      job_arn: null,
      units_per_copy: 2,
      copies: null,
      copies_seen_at: null,
      unsettled_since: null,
      waits_for: null,
      waits_since: null,
      retry_at: null,
      warm_until: null,
      failures: 0,
      reason: null,
      last_used_at: null,
    };
    const at = new Date(NOW).toISOString();
    await store.create(
      { ...of, ...made, name: 'n', status: 'ready', model_arn: 'arn', created_at: at, ready_at: at },
      { experiment_ids: [], version: (await store.findOfTeam(of.team_id))?.version ?? 0 },
    );
  }

  await eraseDataset(
    {
      ...world.store,
      objects: world.objects,
      listCopies: async () => [],
      retireDeployment: world.use(deploymentRetirer),
    },
    dataset.dataset_id,
    NOW,
  );

  expect((await store.find(training.experiment_id))?.status).toBe('deleting');
  expect((await store.find(other.experiment_id))?.status).toBe('ready');
  expect(world.invoked.map(({ functionId, payload }) => [functionId, payload])).toContainEqual([
    'tasks/deployments/advance-deployment',
    { experiment_id: training.experiment_id },
  ]);
});

test('a team that has deleted much does not keep the datasets of another from their erasure', async () => {
  const world = createWorld(() => NOW);
  const [busy, other] = [await seedTeam(world.store, 0), await seedTeam(world.store, 0)];
  for (let n = 0; n < 30; n += 1) {
    const { dataset_id } = await seedDataset(world.store, busy);
    await world.store.datasets.delete(busy, dataset_id, NOW + n);
  }
  const { dataset_id } = await seedDataset(world.store, other);
  await world.store.datasets.delete(other, dataset_id, NOW + 1000);

  await world.use(erasureSweeper)(NOW + 120_000, 10);

  const started = world.invoked.map(({ payload }) => (payload as { dataset_id: string }).dataset_id);
  expect(started).toHaveLength(10);
  expect(started).toContain(dataset_id);
});

test.each([
  ['by this version', false],
  ['by version 0.1.0', true],
])(
  'a dataset that was deleted %s is erased, however many of another team are due longer',
  async (_, isOld) => {
    const world = createWorld(() => NOW);
    const [busy, other] = [await seedTeam(world.store, 0), await seedTeam(world.store, 0)];
    const { dataset_id } = await seedDataset(world.store, other);
    await world.store.datasets.delete(other, dataset_id, NOW + (isOld ? 0 : 1000));
    if (isOld) {
      const Key = keys.dataset(dataset_id);
      const update = {
        UpdateExpression: 'SET list_name = :name',
        ExpressionAttributeValues: { ':name': 'own' },
      };
      await world.table.client.send(new UpdateCommand({ TableName: world.table.name, Key, ...update }));
    }
    for (let n = 0; n < 30; n += 1) {
      const { dataset_id: id } = await seedDataset(world.store, busy);
      await world.store.datasets.delete(busy, id, NOW + n);
    }
    const begun: string[] = [];

    for (let sweeps = 0; sweeps < 3; sweeps += 1) {
      await world.use(erasureSweeper)(NOW + 120_000, 4);
      begun.push(
        ...world.invoked.splice(0).map(({ payload }) => (payload as { dataset_id: string }).dataset_id),
      );
    }

    expect(begun).toHaveLength(12);
    expect(new Set(begun).size).toBe(12);
    expect(begun.slice(0, 4)).toContain(dataset_id);
  },
);
