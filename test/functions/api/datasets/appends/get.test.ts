import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/appends/get.ts';
import { handler as append } from '#functions/api/datasets/rows/append.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { createFromFile, landAppend } from '#test/helpers/ingesting.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;

beforeEach(async () => {
  world = createWorld(() => NOW);
  owner = await seedTeam(world.store, 0);
  dataset = await createFromFile(world, owner, 'q\nWhy?\n');
});

const read = (append_id: string, dataset_id = dataset.dataset_id) =>
  world.call(handler, { as: owner, params: { dataset_id, append_id } });

test('an append is pending until its rows are there', async () => {
  const params = { dataset_id: dataset.dataset_id };
  const { body } = await world.call(append, { as: owner, params, body: { rows: [{ q: 'Who?' }] } });
  const id = body.append_id ?? '';

  expect((await read(id)).body).toEqual(body);
  await landAppend(world, dataset.dataset_id, id, NOW + 5000);
  expect((await read(id)).body).toEqual({
    ...body,
    status: 'succeeded',
    version: 2,
    ended_at: '2026-03-01T12:00:05.000Z',
  });
});

test('an id of another dataset, of another kind of run, or of nothing is unknown', async () => {
  const other = await createFromFile(world, owner, 'q\nWhy?\n');
  const params = { dataset_id: other.dataset_id };
  const { body } = await world.call(append, { as: owner, params, body: { rows: [{ q: 'Who?' }] } });
  const ingest = [...world.executions.started.values()]
    .map(({ run_id }) => run_id)
    .find((id) => id !== body.append_id);

  for (const id of [body.append_id ?? '', ingest ?? '', randomUUID()]) {
    expect((await read(id)).problem).toMatchObject({ statusCode: 404, code: 'append_not_found' });
  }
});
