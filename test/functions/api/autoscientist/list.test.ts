import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/autoscientist/list.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { endTrainingNow, launchTraining, seedTrainable } from '#test/helpers/training.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
let other: DatasetRecord;
const ids: string[] = [];

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
  [dataset, other] = [await seedTrainable(world, owner), await seedTrainable(world, owner)];
  ids.length = 0;
  for (const [n, of] of [dataset, other, dataset].entries()) {
    const training = await launchTraining(world, of, { created_at: `2026-03-0${n + 1}T00:00:00.000Z` });
    await endTrainingNow(world, training, {});
    ids.unshift(training.experiment_id);
  }
});

const list = (query: Record<string, string> = {}, as = owner) => world.call(handler, { as, query });
const idsOf = (runs: readonly { id: string }[]) => runs.map(({ id }) => id);

test('trainings come newest first, page by page', async () => {
  const first = (await list({ limit: '2' })).body;
  const second = (await list({ limit: '2', cursor: first.next_cursor ?? '' })).body;

  expect(idsOf(first.runs)).toEqual(ids.slice(0, 2));
  expect(idsOf(second.runs)).toEqual(ids.slice(2));
  expect(second.next_cursor).toBeNull();
});

test('a page without a limit has twenty', async () => {
  for (let n = 0; n < 18; n += 1) await endTrainingNow(world, await launchTraining(world, dataset), {});

  const { body } = await list();

  expect(body.runs).toHaveLength(20);
  expect((await list({ cursor: body.next_cursor ?? '' })).body.runs).toHaveLength(1);
});

test('those of one dataset can be asked for', async () => {
  const first = (await list({ limit: '1', dataset_id: dataset.dataset_id })).body;
  const second = (await list({ dataset_id: dataset.dataset_id, cursor: first.next_cursor ?? '' })).body;

  expect([...idsOf(first.runs), ...idsOf(second.runs)]).toEqual([ids[0], ids[2]]);
  expect((await list({ dataset_id: 'none' })).body.runs).toEqual([]);
});

test('another team’s are in no list', async () => {
  expect((await list({}, strangerTo(owner))).body.runs).toEqual([]);
  expect((await list({ dataset_id: dataset.dataset_id }, strangerTo(owner))).body.runs).toEqual([]);
});

test('a cursor of another query, of another team, or that was changed, is refused', async () => {
  const cursor = (await list({ limit: '1' })).body.next_cursor ?? '';

  for (const answer of [
    await list({ cursor, dataset_id: dataset.dataset_id }),
    await list({ cursor }, strangerTo(owner)),
    await list({ cursor: `x${cursor}` }),
  ]) {
    expect(answer.problem).toMatchObject({ statusCode: 400, code: 'cursor_invalid' });
  }
});

test.each(['0', '101', 'ten'])('a limit of %s is refused', async (limit) => {
  expect((await list({ limit })).problem.details[0]?.path).toBe('query.limit');
});
