import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/fine-tuning/jobs/events.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { jobParams, measuredJob } from '#test/helpers/fine-tuning.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

test('a job tells its steps and its iterations as events, newest first and in pages', async () => {
  const asked = { as: owner, params: jobParams(await measuredJob(world, owner)) };

  const told = (await world.call(handler, { ...asked, query: { limit: '100' } })).body.data;

  expect(told.map(({ message }) => message)).toEqual([
    expect.stringContaining('completed'),
    expect.stringContaining('Iteration 2 completed: win rate 0.4'),
    'Iteration 2, step 2/2: training loss=2, validation loss=2.5',
    'Iteration 2, step 1/2: training loss=3',
    expect.stringContaining('Iteration 1 completed: win rate 0.2'),
    'Iteration 1, step 2/2: training loss=2, validation loss=2.5',
    'Iteration 1, step 1/2: training loss=3',
    expect.stringContaining('Created fine-tuning job: ftjob-'),
  ]);
  expect(told[2]).toMatchObject({
    type: 'metrics',
    data: { step: 2, total_steps: 2, train_loss: 2, valid_loss: 2.5 },
  });
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);

  const page = (await world.call(handler, { ...asked, query: { limit: '2', after: told[1]?.id ?? '' } }))
    .body;
  expect(page.data).toEqual(told.slice(2, 4));
  expect(page.has_more).toBe(true);
  const lost = await world.call(handler, { ...asked, query: { after: 'ftevent-1' } });
  expect(lost.problem.details[0]?.path).toBe('query.after');
});
