import { beforeEach, describe, expect, test } from 'vitest';
import { handler as train } from '#functions/api/autoscientist/create.ts';
import { handler as diff } from '#functions/api/datasets/diff.ts';
import { handler as download } from '#functions/api/datasets/download.ts';
import { handler as report } from '#functions/api/datasets/report.ts';
import { handler } from '#functions/api/datasets/versions/delete.ts';
import { handler as list } from '#functions/api/datasets/versions/list.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { startRunOn } from '#test/helpers/active-run.ts';
import { eraseVersion } from '#test/helpers/operations.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { endTrainingNow, launchTraining } from '#test/helpers/training.ts';
import {
  adaptVersion,
  answered,
  appendVersion,
  ingestVersion,
  makeDiffs,
  reload,
} from '#test/helpers/versions.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

const ROWS = 60;

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
/** The runs of versions 2 and 3. */
let older: string;
let newer: string;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 1000);
  dataset = await ingestVersion(world, owner, ROWS);
  const adapt = (word: string) =>
    adaptVersion(world, owner, dataset, (row) => answered(row, `${word} ${row}`));
  older = (await adapt('better')).run.run_id;
  newer = (await adapt('best')).run.run_id;
  world.invoked.splice(0);
});

const remove = (version: string, as = owner) =>
  world.call(handler, { as, params: { dataset_id: dataset.dataset_id, version } });
const listed = async () =>
  (await world.call(list, { as: owner, params: { dataset_id: dataset.dataset_id } })).body.versions;
const refused = async (version: string) => {
  const before = await listed();
  const { status, problem } = await remove(version);
  expect(await listed()).toEqual(before);
  expect(world.invoked.filter(({ functionId }) => functionId.includes('erase'))).toEqual([]);
  return { status, code: problem.code, message: problem.message };
};

test('a version that an adaptation made is deleted at once, and listed as deleted, and its objects are handed over for removal', async () => {
  const { status, body } = await remove('2');

  expect([status, body.message]).toEqual([200, 'Version 2 of the dataset was deleted.']);
  expect((await listed()).map(({ version, status }) => [version, status])).toEqual([
    [3, 'succeeded'],
    [2, 'deleted'],
    [1, 'awaiting_input'],
  ]);
  expect((await listed())[1]?.deleted_at).toEqual(expect.any(String));
  expect(world.invoked).toEqual([
    {
      functionId: 'tasks/datasets/erase-version',
      payload: { dataset_id: dataset.dataset_id, version: 2 },
    },
  ]);
});

test('a version that an adaptation made leaves the report of the rows that the dataset delivers, if it was the latest and failed', async () => {
  await adaptVersion(world, owner, dataset, (row) => answered(row), { status: 'failed' });
  const reported = async () =>
    (await world.call(report, { as: owner, params: { dataset_id: dataset.dataset_id } })).body;
  expect(await reported()).toMatchObject({ status: 'failed' });

  expect((await remove('4')).status).toBe(200);

  expect(await reported()).toMatchObject({ run_id: newer, status: 'succeeded' });
});

test('a version that an adaptation made is not read by its number nor by its run, and not compared or trained on', async () => {
  await remove('2');
  const params = { dataset_id: dataset.dataset_id };

  const read = (query: Record<string, string>) => world.call(download, { as: owner, params, query });
  expect((await read({ version: '2' })).problem.code).toBe('version_not_found');
  expect((await read({ run_id: older })).problem.code).toBe('run_not_found');
  const compared = await world.call(diff, { as: owner, params, query: { from: '1', to: '2' } });
  expect(compared.problem.code).toBe('version_not_found');
  const body = { dataset_id: dataset.dataset_id, dataset_version: 2 };
  expect((await world.call(train, { as: owner, body })).problem.code).toBe('version_not_found');
});

test('a version that an adaptation made keeps the record of its run, and its number is not given again', async () => {
  const settled = await world.store.runs.find(dataset.dataset_id, older);
  await remove('2');

  expect(await world.store.runs.find(dataset.dataset_id, older)).toEqual({
    ...settled,
    results_deleted_at: expect.any(String),
  });
  const { run } = await adaptVersion(world, owner, dataset, (row) => answered(row));
  expect(run.version).toBe(4);
});

test('a version that an adaptation made is deleted once, and a repetition completes a removal that was cut off', async () => {
  await remove('2');
  world.invoked.splice(0);

  const { status, problem } = await remove('2');

  expect([status, problem.code]).toEqual([404, 'version_not_found']);
  expect(world.invoked).toMatchObject([{ functionId: 'tasks/datasets/erase-version' }]);
});

test('a version that an adaptation made whose run failed is deleted too', async () => {
  await adaptVersion(world, owner, dataset, (row) => (row === 0 ? answered(0, 'x') : null), {
    status: 'failed',
  });

  expect((await remove('4')).status).toBe(200);
});

describe('the objects of a deleted version', () => {
  const erase = (version: number) => world.use(eraseVersion)({ dataset_id: dataset.dataset_id, version });

  test('go, and nothing of other versions does', async () => {
    const { dataset_id: id } = dataset;
    const params = { dataset_id: id };
    for (const [from, to] of [
      ['1', '2'],
      ['2', '3'],
      ['1', '3'],
    ] as const) {
      await world.call(diff, { as: owner, params, query: { from, to } });
      await makeDiffs(world);
    }
    for (const run of [older, newer]) {
      await world.objects.write(objectKeys.export(id, run, 'csv'), 'x', 'text/csv');
      await world.objects.write(objectKeys.rowIndex(id, run), '{}', 'application/json');
    }
    const reuse = objectKeys.reuseMarkers(owner.team_id, id);
    await world.objects.write(`${reuse}chunk`, '', 'text/plain');
    await world.objects.write(
      objectKeys.indexManifest(id),
      JSON.stringify({ rows_of: older, build_id: 'build' }),
      'application/json',
    );
    await world.objects.write(objectKeys.indexTexts(id, 'build', 0), 'x', 'application/jsonl');
    await world.objects.write(objectKeys.indexTexts(id, 'next', 0), 'x', 'application/jsonl');
    const isOf2 = (key: string): boolean =>
      key.includes(older) ||
      key.startsWith(objectKeys.diff(id, 1, 2)) ||
      key.startsWith(objectKeys.diff(id, 2, 3)) ||
      key === objectKeys.indexManifest(id) ||
      key.startsWith(objectKeys.indexBuild(id, 'build'));
    const others = world.objects.keys().filter((key) => !isOf2(key));
    const count = world.objects.keys().length - others.length;
    await remove('2');

    expect(await erase(2)).toEqual({ objects: count });
    expect(world.objects.keys()).toEqual(others);
    expect(count).toBeGreaterThan(12);
    expect(await erase(2)).toEqual({ objects: 0 });
  });

  test('the objects of a deleted version stay while it is not deleted', async () => {
    const before = world.objects.keys();

    expect(await erase(2)).toEqual({ objects: 0 });
    expect(await erase(9)).toEqual({ objects: 0 });
    expect(world.objects.keys()).toEqual(before);
  });
});

test('a version that is in use is not deleted: the one that reads without a version mean', async () => {
  expect(await refused('3')).toMatchObject({
    status: 409,
    code: 'version_in_use',
    message: 'Reads that name no version mean version 3. Adapt the dataset again, then delete it.',
  });
});

test('a version that is in use is not deleted: the first one that failed, whose finished rows are read while none has succeeded', async () => {
  const other = await ingestVersion(world, owner, 3);
  await adaptVersion(world, owner, other, (row) => (row === 0 ? answered(0, 'x') : null), {
    status: 'failed',
  });

  const params = { dataset_id: other.dataset_id, version: '2' };
  expect((await world.call(handler, { as: owner, params })).problem.code).toBe('version_in_use');
});

test('a version that is in use is not deleted: rows that others are made of', async () => {
  await appendVersion(world, owner, dataset, [{ question: 'q', answer: 'a' }]);
  world.invoked.splice(0);

  expect(await refused('1')).toMatchObject({ code: 'version_in_use' });
  expect(await refused('4')).toMatchObject({ code: 'version_in_use' });
});

test('a version that is in use is not deleted: one whose run is active', async () => {
  await startRunOn(world, owner, await reload(world, dataset));

  expect(await refused('4')).toMatchObject({
    code: 'version_in_use',
    message: expect.stringContaining('The run of version 4 is active'),
  });
});

test('a version that is in use is not deleted: one that an active training reads, until that has ended', async () => {
  const training = await launchTraining(world, await reload(world, dataset), {
    source_run_id: older,
    dataset_version: 2,
  });

  expect(await refused('2')).toMatchObject({
    code: 'version_in_use',
    message: expect.stringContaining('training'),
  });
  await endTrainingNow(world, training, {});
  expect((await remove('2')).status).toBe(200);
});

test('a version that is in use is not deleted: not one besides the version that a training reads', async () => {
  await launchTraining(world, await reload(world, dataset), {
    source_run_id: newer,
    dataset_version: 3,
  });

  expect((await remove('2')).status).toBe(200);
});

test.each([
  ['first', ['training', 'deletion']],
  ['last', ['deletion', 'training']],
])('of a training and a deletion at once one wins, the training %s', async (_, order) => {
  const current = await reload(world, dataset);
  const found = await world.store.versions.find(dataset.dataset_id, 2);
  if (found === null) throw new Error('There is no version 2.');
  // What either has read before does not matter: the conditions are those of the transactions.
  const steps: Record<string, () => Promise<unknown>> = {
    training: () => launchTraining(world, current, { source_run_id: older, dataset_version: 2 }),
    deletion: () => world.store.versions.delete(found, NOW),
  };
  const outcomes = await Promise.allSettled(order.map((step) => steps[step]?.()));
  const isTrained = outcomes[order.indexOf('training')]?.status === 'fulfilled';
  const version = await world.store.versions.find(dataset.dataset_id, 2);

  expect(version?.deleted_at === undefined).toBe(isTrained);
  const loser = outcomes[order.indexOf(isTrained ? 'deletion' : 'training')];
  expect(loser).toMatchObject(isTrained ? { value: 'trained' } : { reason: { code: 'version_not_found' } });
});

test.each(['9', '0', '01', 'x', '-1'])('there is no version %s to delete', async (version) => {
  const { status } = await remove(version);

  expect(status).toBe(version === '9' ? 404 : 400);
});

test('another team finds no dataset', async () => {
  expect((await remove('2', strangerTo(owner))).problem.code).toBe('dataset_not_found');
});
