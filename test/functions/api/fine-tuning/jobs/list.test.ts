import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/fine-tuning/jobs/list.ts';
import { openaiId } from '#shared/openai/decide/ids.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { beginJob } from '#test/helpers/fine-tuning.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

const created = (seconds: number) => ({ created_at: new Date(NOW + seconds * 1000).toISOString() });

test('jobs are listed newest first in pages, and those of other teams are not', async () => {
  const trainings = [
    await beginJob(world, owner, created(0)),
    await beginJob(world, owner, created(1)),
    await beginJob(world, owner, created(2)),
  ];
  const ids = trainings.map(({ experiment_id }) => openaiId('ftjob-', experiment_id)).reverse();

  const first = await world.call(handler, { as: owner, query: { limit: '2' } });
  const second = await world.call(handler, { as: owner, query: { limit: '2', after: ids[1] ?? '' } });
  const strange = await world.call(handler, { as: strangerTo(owner) });

  expect(first.body).toMatchObject({ has_more: true, first_id: ids[0], last_id: ids[1] });
  expect(second.body.data.map(({ id }) => id)).toEqual([ids[2]]);
  expect(second.body.has_more).toBe(false);
  expect(strange.body).toMatchObject({ data: [], first_id: null, last_id: null });
});

test('a list of jobs refuses a page number, and says what pages by', async () => {
  const { status, problem } = await world.call(handler, { as: owner, query: { page: '2' } });

  expect([status, problem.message]).toEqual([
    400,
    'query.page: is not a known field here; did you mean `after`?',
  ]);
});
