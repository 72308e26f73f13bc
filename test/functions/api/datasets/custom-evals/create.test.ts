import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/custom-evals/create.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { createEndRun } from '#shared/runs/end-run.ts';
import { RUBRIC, seedAdapted, seedCustomEval, seedEvaluation } from '#test/helpers/custom-evals.ts';
import { makeRun, NOW, seedDataset } from '#test/helpers/records.ts';
import { launchOf } from '#test/helpers/store-contract.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;

beforeEach(async () => {
  world = createWorld();
  ({ owner, dataset } = await seedAdapted(world));
});

const ask = (body: object = { judge_prompt: RUBRIC }, id: string = dataset.dataset_id) =>
  world.call(handler, { as: owner, params: { dataset_id: id }, body });

test('an evaluation is pending at once, costs nothing and starts its machine', async () => {
  const { status, body } = await ask({ judge_prompt: RUBRIC, name: 'Sources' });

  expect(status).toBe(202);
  expect(body).toMatchObject({
    dataset_id: dataset.dataset_id,
    status: 'pending',
    judge_prompt: RUBRIC,
    name: 'Sources',
    score_before: null,
    scored_rows: null,
    completed_at: null,
  });
  expect(Object.keys(body)).not.toContain('team_id');
  expect([...world.executions.started.values()]).toEqual([
    { run_id: body.custom_eval_id, dataset_id: dataset.dataset_id, team_id: owner.team_id },
  ]);
  expect(await world.store.ledger.listEntries(owner.team_id)).toEqual([]);
});

test('a prompt that no judge can score by is refused with each of its faults', async () => {
  const { status, problem } = await ask({ judge_prompt: 'Please score answers from 1 to 5, with decimals.' });

  expect([status, problem.code]).toEqual([400, 'invalid_judge_prompt']);
  expect(problem.details).toMatchObject([
    { path: 'judge_prompt', code: 'scale_not_zero_to_ten' },
    { path: 'judge_prompt', code: 'scores_not_integer' },
    { path: 'judge_prompt', code: 'missing_rubric' },
  ]);
});

test('a prompt that only lacks the scale comes back with it', async () => {
  const prompt = 'Judge whether the answer names its sources and links them.';

  const [detail] = (await ask({ judge_prompt: prompt })).problem.details;

  expect((await ask({ judge_prompt: detail?.suggested_prompt })).status).toBe(202);
});

test.each([
  ['a prompt of 19 characters', { judge_prompt: 'x'.repeat(19) }],
  ['a prompt of 20,001 characters', { judge_prompt: 'x'.repeat(20_001) }],
  ['a name of 121 characters', { judge_prompt: RUBRIC, name: 'x'.repeat(121) }],
])('%s is refused', async (_, body) => {
  expect((await ask(body)).status).toBe(400);
});

// Only `run-1` was evaluated: a dataset that was imported, for one, has a last run without a sample to score.
test.each([
  ['awaiting_input', null],
  ['succeeded', null],
  ['running', 'run-1'],
  ['failed', 'run-1'],
] as const)('a dataset that is %s, its last run being %s, is refused', async (state, last_run_id) => {
  const other = await seedDataset(world.store, owner, { state, last_run_id });
  await seedEvaluation(world, other.dataset_id);

  const { status, problem } = await ask(undefined, other.dataset_id);

  expect([status, problem.code]).toEqual([422, 'dataset_not_adapted']);
});

test('a dataset whose last version a review has made is scored by the sample of its last adaptation that succeeded', async () => {
  const { store } = world;
  const before = await seedDataset(store, owner, { state: 'awaiting_input' });
  const adapt = async (run_id: string, day: number, error: ErrorData | null) => {
    const run = makeRun(before, { run_id, reserved_credits: 0 });
    await store.ledger.launch(launchOf(run));
    const started_at = `2026-03-0${day}T12:00:00.000Z`;
    await seedEvaluation(world, before.dataset_id, owner.team_id, { run_id, started_at });
    await createEndRun(store)({ dataset_id: before.dataset_id, run_id, error, billedCredits: 0, now: NOW });
  };
  await adapt('run-1', 1, null);
  await adapt('run-2', 2, null);
  const review = makeRun(before, { run_id: 'run-3', pipeline: 'review', reserved_credits: 0 });
  await store.ledger.launch(launchOf(review));
  await createEndRun(store)({
    dataset_id: review.dataset_id,
    run_id: review.run_id,
    error: null,
    billedCredits: 0,
    now: NOW,
  });
  // Its rows are not those of the dataset.
  await adapt('run-4', 4, { code: 'run_interrupted', message: 'It failed.', level: 'error' });

  expect((await ask(undefined, before.dataset_id)).status).toBe(202);

  expect(await store.customEvals.list(before.dataset_id, 1)).toMatchObject([{ run_id: 'run-2' }]);
});

test('no more than three are open at once of those that are young and have not ended', async () => {
  for (let n = 0; n < 3; n += 1) await ask();
  expect((await ask()).problem.code).toBe('runs_limit_reached');
});

test('no more than three are open at once and one that was interrupted long ago is not', async () => {
  for (let n = 0; n < 3; n += 1) {
    await seedCustomEval(world, dataset, { status: 'running', created_at: '2026-01-01T00:00:00.000Z' });
  }
  expect((await ask()).status).toBe(202);
});

test('an evaluation that could not be started has failed, and says so', async () => {
  world.executions.failStarts(new Error('no'));

  expect((await ask()).status).toBe(503);

  const [record] = await world.store.customEvals.list(dataset.dataset_id, 1);
  expect(record).toMatchObject({ status: 'failed', error_message: expect.stringContaining('started') });
});

test('an installation without a judge says so', async () => {
  const { status, problem } = await world.call(
    handler,
    { as: owner, params: { dataset_id: dataset.dataset_id }, body: { judge_prompt: RUBRIC } },
    { judgeId: null },
  );

  expect([status, problem.code]).toEqual([422, 'not_available_yet']);
});

test('a team starts as many in an hour as its plan says, on whatever datasets', async () => {
  owner = { ...owner, plan: { ...owner.plan, custom_evals_per_hour: 2 } };
  const other = await seedDataset(world.store, owner, { state: 'succeeded', last_run_id: 'run-1' });
  await seedEvaluation(world, other.dataset_id);
  const ids = [dataset.dataset_id, other.dataset_id];

  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => ask({ judge_prompt: RUBRIC }, ids[n % 2])),
  );

  expect(answers.filter(({ status }) => status === 202)).toHaveLength(2);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.problem).toMatchObject({
    code: 'rate_limited',
    details: [{ path: 'custom_evals_per_hour', limit: 2 }],
  });
  expect(world.executions.started.size).toBe(2);
});
