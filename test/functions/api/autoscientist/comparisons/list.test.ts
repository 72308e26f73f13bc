import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/autoscientist/comparisons/list.ts';
import { handler as listTrainings } from '#functions/api/autoscientist/list.ts';
import { handler as bestLaunch } from '#functions/api/datasets/best-launch-config.ts';
import type { ActiveRun } from '#test/helpers/active-run.ts';
import { seedComparable, startComparison } from '#test/helpers/comparing.ts';
import { bestOf, endTrainingNow, launchTraining } from '#test/helpers/training.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let active: ActiveRun;
let now = 0;
const ids: string[] = [];

async function compare(): Promise<void> {
  now += 1000;
  const { run_id } = await startComparison(world, active);
  const record = await world.store.trainings.find(active.caller.team_id, run_id);
  if (record !== null) await endTrainingNow(world, record, {});
  ids.unshift(run_id);
}

beforeEach(async () => {
  now = Date.parse('2026-03-01T12:00:00.000Z');
  world = createWorld(() => now);
  active = await seedComparable(world);
  ids.length = 0;
  for (let n = 0; n < 3; n += 1) await compare();
});

const list = (query: Record<string, string> = {}, as = active.caller) => world.call(handler, { as, query });
const idsOf = (items: readonly { comparison_id: string }[]) => items.map((item) => item.comparison_id);

test('comparisons come newest first, page by page', async () => {
  const dataset_id = active.dataset.dataset_id;
  const first = (await list({ limit: '2', dataset_id })).body;
  const second = (await list({ limit: '2', dataset_id, cursor: first.next_cursor ?? '' })).body;

  expect([...idsOf(first.items), ...idsOf(second.items)].sort()).toEqual(ids.toSorted());
  expect(second.next_cursor).toBeNull();
  expect((await list()).body.items).toHaveLength(3);
});

test('those of another dataset or team are not among them', async () => {
  expect((await list({ dataset_id: 'none' })).body.items).toEqual([]);
  expect((await list({}, strangerTo(active.caller))).body.items).toEqual([]);
});

test('no list of trainings has them, and a cursor of one list is none of the other', async () => {
  const training = await launchTraining(world, active.dataset);
  const request = { as: active.caller, query: {} };

  const { runs } = (await world.call(listTrainings, request)).body;
  const cursor = (await list({ limit: '1' })).body.next_cursor ?? '';

  expect(runs.map(({ id }) => id)).toEqual([training.experiment_id]);
  const { problem } = await world.call(listTrainings, { ...request, query: { cursor } });
  expect(problem.code).toBe('cursor_invalid');
});

test('the best launch of the dataset is that of its trainings', async () => {
  const best = async () => {
    const params = { dataset_id: active.dataset.dataset_id };
    return (await world.call(bestLaunch, { as: active.caller, params })).body.best_job_config;
  };
  expect(await best()).toBeNull();
  const training = await launchTraining(world, active.dataset);
  await endTrainingNow(world, training, { best: bestOf(training.experiment_id) });
  await compare();

  expect((await best())?.training_experiment_id).toBe(training.experiment_id);
});
