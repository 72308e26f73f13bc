import { beforeEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/evals/runs/get.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { content, seedEval, seedRun, workRun } from '#test/helpers/evaluating.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

const read = (eval_id: string, run_id: string, as = owner) =>
  world.call(handler, { as, params: { eval_id, run_id } });

test('a run says how many rows passed, how sure that is, and which rows decided', async () => {
  const { id } = await seedEval(world, owner);
  const run = await seedRun(world, owner, id, { type: 'jsonl', source: content(25, 22) });
  await workRun(world);

  const { body } = await read(id, run.id);

  expect(body).toMatchObject({
    status: 'completed',
    result_counts: { total: 25, passed: 22, failed: 3, errored: 0 },
    pass_rate: 0.88,
    error: { code: '', message: '' },
  });
  expect(body.interval?.[0]).toBeCloseTo(0.7, 2);
  const [result] = body.per_testing_criteria_results;
  expect(result).toMatchObject({ testing_criteria: 'contains', passed: 22, failed: 3, judge_error: null });
  expect(result?.deciding_items.map((each) => each.split('_').at(-1))).toEqual(['22', '23', '24']);
});

test('a run of another team, or of another eval, is not there', async () => {
  const [{ id }, other] = [await seedEval(world, owner), await seedEval(world, owner)];
  const run = await seedRun(world, owner, id, { type: 'jsonl', source: content(1, 1) });

  expect((await read(other.id, run.id)).problem.code).toBe('eval_not_found');
  expect((await read(id, run.id, strangerTo(owner))).problem.code).toBe('eval_not_found');
});

test('a run whose worker was silent for an hour has failed', async () => {
  const { id } = await seedEval(world, owner);
  const run = await seedRun(world, owner, id, { type: 'jsonl', source: content(1, 1) });
  vi.useFakeTimers({ now: Date.now() + 3_700_000 });
  try {
    expect((await read(id, run.id)).body).toMatchObject({
      status: 'failed',
      error: { code: 'run_interrupted' },
    });
  } finally {
    vi.useRealTimers();
  }
});
