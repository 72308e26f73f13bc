import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/autoscientist/create.ts';
import { handler as get } from '#functions/api/autoscientist/get.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { prepareTraining } from '#shared/training/prepare-training.ts';
import { finishBatches, linesOf, startRunOn } from '#test/helpers/active-run.ts';
import { leaveExpansion } from '#test/helpers/expansion.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { doubted, leaveDoubts } from '#test/helpers/reviewing.ts';
import { settle } from '#test/helpers/searching.ts';
import { endTrainingNow } from '#test/helpers/training.ts';
import { adaptVersion, answered, appendVersion, ingestVersion, reload } from '#test/helpers/versions.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const ROWS = 60;

let world: World;
let owner: Caller;
let dataset: DatasetRecord;

/** Version 1 is the upload, 2 its adaptation. */
beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 1000);
  dataset = await ingestVersion(world, owner, ROWS);
  await adaptVersion(world, owner, dataset, (row) => answered(row, `better ${row}`));
});

const create = (body: Record<string, unknown> = {}) =>
  world.call(handler, { as: owner, body: { dataset_id: dataset.dataset_id, ...body } });
const adapt = (word: string) => adaptVersion(world, owner, dataset, (row) => answered(row, `${word} ${row}`));
const append = () =>
  appendVersion(
    world,
    owner,
    dataset,
    Array.from({ length: 5 }, (_, n) => ({ question: `appended ${n}`, answer: `appended ${n}` })),
  );

/** All that a training learns from, and is measured by. */
async function examplesOf(id: string): Promise<string> {
  const context = { run_id: id, dataset_id: dataset.dataset_id, team_id: owner.team_id };
  await prepareTraining({ ...world.store, objects: world.objects }, context);
  const keys = [objectKeys.trainingRows(id, 0), objectKeys.heldOutRows(id)];
  return keys.flatMap((key) => linesOf(world.objects.text(key))).join('\n');
}

const count = (text: string, word: string): number => text.split(word).length - 1;

test('a training of a version has its rows', async () => {
  await adapt('best');

  const { status, body } = await create({ dataset_version: 2 });

  expect([status, body.dataset_version]).toEqual([202, 2]);
  const params = { experiment_id: body.id };
  expect((await world.call(get, { as: owner, params })).body.dataset_version).toBe(2);
  const examples = await examplesOf(body.id);
  expect([count(examples, 'better '), count(examples, 'best ')]).toEqual([ROWS, 0]);
});

test('a training of the first version has the rows of the upload, by the mapping of the dataset', async () => {
  const { body } = await create({ dataset_version: 1 });

  expect(body.dataset_version).toBe(1);
  const examples = await examplesOf(body.id);
  expect([count(examples, 'better '), count(examples, '"answer ')]).toEqual([0, ROWS]);
});

test('a training without a version is of the newest finished one', async () => {
  await adapt('best');
  await append();

  const { body } = await create();

  expect(body.dataset_version).toBe(3);
  expect(count(await examplesOf(body.id), 'best ')).toBe(ROWS);
});

test('a training of an appended version has its rows too', async () => {
  await append();

  const { body } = await create({ dataset_version: 3 });

  expect(count(await examplesOf(body.id), 'appended ')).toBe(10);
});

test.each([
  ['the newest version', {}, 'better ', ROWS],
  ['the upload', { dataset_version: 1 }, '"answer ', ROWS],
])(
  'a training keeps the rows of %s, with which it began, whatever comes to the dataset',
  async (_, asked, word, rows) => {
    const { body } = await create(asked);
    await append();
    await adapt('best');

    const examples = await examplesOf(body.id);

    expect(count(examples, word)).toBe(rows);
    expect([count(examples, 'best '), count(examples, 'appended ')]).toEqual([0, 0]);
    const training = await world.store.trainings.find(owner.team_id, body.id);
    expect(training?.source_rows).toBe(ROWS);
  },
);

test('a training is refused of a version that the dataset does not have', async () => {
  const { status, problem } = await create({ dataset_version: 9 });

  expect([status, problem.code]).toEqual([404, 'version_not_found']);
});

test.each([0, 1.5, '2'])('a training is refused of version %j', async (dataset_version) => {
  expect((await create({ dataset_version })).status).toBe(400);
});

test('a training is refused of a version whose run is active or has failed', async () => {
  await adaptVersion(world, owner, dataset, () => null, { status: 'failed' });
  expect((await create({ dataset_version: 3 })).problem).toMatchObject({
    code: 'dataset_untrainable',
    message: expect.stringContaining('version 3 failed'),
  });

  await startRunOn(world, owner, await reload(world, dataset));
  expect((await create({ dataset_version: 4 })).problem).toMatchObject({
    code: 'dataset_untrainable',
    message: expect.stringContaining('version 4 is active'),
  });
});

test('a repeated key names the version of the training that it started', async () => {
  const first = await create({ dataset_version: 1, idempotency_key: 'k' });
  await adapt('best');

  const again = await create({ dataset_version: 1, idempotency_key: 'k' });
  expect(again.body).toEqual(first.body);
  expect((await create({ dataset_version: 2, idempotency_key: 'k' })).problem.code).toBe(
    'idempotency_mismatch',
  );
  const training = await world.store.trainings.find(owner.team_id, first.body.id);
  if (training !== null) await endTrainingNow(world, training, {});
});

test('a training leaves out the rows of a version that are probably wrong, where its caller asks for that', async () => {
  const { run } = await adaptVersion(world, owner, dataset, (row) => answered(row, `best ${row}.`));
  await leaveDoubts(
    world,
    run,
    Array.from({ length: 9 }, (_, row) => doubted(row, row < 5 ? 0.9 : 0.2)),
  );

  const kept = await create({});
  expect(count(await examplesOf(kept.body.id), 'best ')).toBe(ROWS);
  const first = await world.store.trainings.find(owner.team_id, kept.body.id);
  if (first === null) throw new Error('The training is gone.');
  await endTrainingNow(world, first, {});
  const { status, body } = await create({ doubtful_rows: 'leave_out' });
  const examples = await examplesOf(body.id);

  expect(status).toBe(202);
  expect(count(examples, 'best ')).toBe(ROWS - 5);
  expect([0, 4, 5, 8].map((row) => count(examples, `best ${row}.`))).toEqual([0, 0, 1, 1]);
  const data = JSON.parse(world.objects.text(objectKeys.trainingData(body.id)));
  expect(data).toMatchObject({
    rows: ROWS - 5,
    augmented_rows: 0,
    skipped: [{ reason: 'an answer that is probably wrong', rows: 5 }],
  });
});

test('a training leaves out what was made of rows that are probably wrong, in other languages', async () => {
  const language_expansion = { type: 'translate' as const, languages: ['es'], sample_rate: 1 };
  const active = await startRunOn(world, owner, dataset, { request: { language_expansion } });
  await finishBatches(world, active);
  await leaveExpansion(world, active, 10);
  await leaveDoubts(world, active.run, [doubted(0, 0.9), doubted(7, 0.9), doubted(8, 0.2)]);
  await settle(world, active, 0, false, 10);

  const { status, body } = await create({ doubtful_rows: 'leave_out' });
  const examples = await examplesOf(body.id);

  expect(status).toBe(202);
  expect(count(examples, 'así ')).toBe(8);
  expect([0, 7, 8].map((row) => count(examples, `así ${row}.`))).toEqual([0, 0, 1]);
});

test.each([
  ['of rows that nobody has looked at', {}, /whose rows were looked at/],
  ['of an uploaded version', { dataset_version: 1 }, /rows of an adapted version only/],
  ['of an augmentation', { augmentation_domain_rows: 10 }, /a training with an augmentation/],
])('doubtful rows %s cannot be left out, and the request is refused', async (_, fields, message) => {
  const { status, problem } = await create({ ...fields, doubtful_rows: 'leave_out' });

  expect([status, problem.code]).toEqual([400, 'invalid_request']);
  expect(problem.message).toMatch(message);
});
