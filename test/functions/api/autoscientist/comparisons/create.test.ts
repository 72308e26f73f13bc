import { beforeEach, expect, test } from 'vitest';
import { handler as train } from '#functions/api/autoscientist/create.ts';
import { type ActiveRun, resultOf, startRun } from '#test/helpers/active-run.ts';
import { askComparison, seedComparable } from '#test/helpers/comparing.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { endTrainingNow, launchTraining, SMALL_MODEL, seedTrainable } from '#test/helpers/training.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let active: ActiveRun;

beforeEach(async () => {
  world = createWorld();
  active = await seedComparable(world);
});

const ask = (body: Parameters<typeof askComparison>[2] = {}, of = active) => askComparison(world, of, body);
const recordOf = async (id: string | null) => {
  const found = await world.store.trainings.find(active.caller.team_id, id ?? '');
  if (found === null) throw new Error('There is no such comparison.');
  return found;
};
const refusalOf = async (body: Parameters<typeof askComparison>[2], of = active) => {
  const { problem } = await ask(body, of);
  return [problem.statusCode, problem.code];
};

test('a launch answers what is trained, and starts the machine of trainings without credits', async () => {
  const before = await world.store.ledger.findBalance(active.caller.team_id);

  const { status, body } = await ask({ model: SMALL_MODEL, seeds: 3, hyperparams: { n_epochs: 2 } });

  expect(status).toBe(202);
  expect(body).toMatchObject({
    estimate: false,
    model: SMALL_MODEL,
    training_method: 'instruction',
    hyperparams: { n_epochs: 2 },
    seeds: 3,
    trainings: 6,
    rows: 60,
    held_out_rows: 20,
    estimated_credits: 0,
  });
  expect([...world.executions.started.values()].at(-1)).toMatchObject({ run_id: body.comparison_id });
  const after = await world.store.ledger.findBalance(active.caller.team_id);
  expect([after?.held, after?.available]).toEqual([0, before?.available]);
});

test('an estimate says the same and starts nothing', async () => {
  const { body } = await ask({ estimate: true });

  expect(body).toMatchObject({ comparison_id: null, estimate: true, trainings: 2, rows: 60 });
  expect((await ask()).status).toBe(202);
});

test('a team starts as many in an hour as its plan says; estimates and replays are not counted', async () => {
  const caller = { ...active.caller, plan: { ...active.caller.plan, comparisons_per_hour: 1 } };
  const limited = { ...active, caller };
  await ask({ estimate: true }, limited);
  const { body } = await ask({ idempotency_key: 'once' }, limited);

  expect((await ask({ idempotency_key: 'once' }, limited)).body.comparison_id).toBe(body.comparison_id);
  expect((await ask({ estimate: true }, limited)).status).toBe(202);
  const { problem } = await ask({ idempotency_key: 'twice' }, limited);
  expect([problem.statusCode, problem.code]).toEqual([429, 'rate_limited']);
  expect(problem.details).toMatchObject([{ path: 'comparisons_per_hour', limit: 1 }]);
});

test('the sides are the columns that the adaptation mapped, and those that it made', async () => {
  const { columns, comparison } = await recordOf((await ask()).body.comparison_id);

  expect(columns).toMatchObject({ prompt: 'question', completion: 'answer' });
  expect(comparison?.adapted).toMatchObject({
    prompt: 'enhanced_prompt',
    completion: 'enhanced_completion',
  });
});

test('the sides are trained on answers alone, for originals have no pairs and no reasoning', async () => {
  const request = {
    training_type: 'preference_pairs' as const,
    recipe_specification: { recipes: { reasoning_traces: true } },
  };
  const pairs = await seedComparable(world, { request });

  const { body } = await ask({ training_method: 'alignment' }, pairs);
  const found = await world.store.trainings.find(pairs.caller.team_id, body.comparison_id ?? '');

  expect(body.training_method).toBe('instruction');
  for (const side of [found?.columns, found?.comparison?.adapted]) {
    expect(side).toMatchObject({ chosen: null, rejected: null, reasoning_trace: null });
  }
});

test('the sides of conversations are the conversation and what was made of it', async () => {
  const line = (row: number): string =>
    JSON.stringify({
      note: row,
      question: JSON.stringify([
        { role: 'user', content: `q${row}` },
        { role: 'assistant', content: `a${row}` },
      ]),
      answer: '',
    });
  const chats = await seedComparable(world, { line, request: { column_mapping: { chat: 'question' } } });

  const { body } = await ask({}, chats);
  const found = await world.store.trainings.find(chats.caller.team_id, body.comparison_id ?? '');

  expect(found?.columns).toMatchObject({ prompt: 'question', completion: null });
});

test('the sides leave out rows that the run dropped', async () => {
  const some = await seedComparable(world, {
    rows: 70,
    result: (row) => resultOf(row, row < 10 ? 'dropped' : 'changed'),
  });

  expect((await ask({}, some)).body.rows).toBe(60);
});

test('a dataset without an adaptation is a 409 that says to adapt it', async () => {
  const caller = await seedTeam(world.store, 0);
  const dataset = await seedTrainable(world, caller);

  const { problem } = await askComparison(world, { caller, dataset });

  expect(problem).toMatchObject({ statusCode: 409, code: 'dataset_not_ready' });
  expect(problem.message).toContain('adapt it');
});

test('a dataset that is being adapted is a 409', async () => {
  const running = await startRun(world, { rows: 60 });

  expect(await refusalOf({}, running)).toEqual([409, 'dataset_not_ready']);
});

test('a dataset whose originals have no answers is a 422 that says so, unless a column that holds them is named', async () => {
  const prompts = await seedComparable(world, { request: { column_mapping: { prompt: 'question' } } });

  const { problem } = await ask({}, prompts);

  expect(problem).toMatchObject({ statusCode: 422, code: 'dataset_untrainable' });
  expect(problem.message).toContain('originals have no answers');
  const column_mapping = { prompt: 'question', completion: 'answer' };
  expect((await ask({ column_mapping }, prompts)).status).toBe(202);
});

test('a dataset whose originals have no prompts is a 422 that says so', async () => {
  const answers = await seedComparable(world, { request: { column_mapping: { completion: 'answer' } } });

  const { problem } = await ask({}, answers);

  expect(problem).toMatchObject({ statusCode: 422, code: 'dataset_untrainable' });
  expect(problem.message).toContain('originals have no prompts');
});

test('a dataset with too few rows for the model is refused', async () => {
  expect(await refusalOf({}, await seedComparable(world, { rows: 20 }))).toEqual([400, 'invalid_request']);
});

test('a dataset of another team is not there', async () => {
  expect(await refusalOf({}, { ...active, caller: strangerTo(active.caller) })).toEqual([
    404,
    'dataset_not_found',
  ]);
});

test.each([
  [{ seeds: 6 }, 400, 'invalid_request'],
  [{ seeds: 0 }, 400, 'invalid_request'],
  [{ model: 'gpt-x' }, 422, 'model_unsupported'],
  [{ column_mapping: { prompt: 'question', completion: 'nothing' } }, 400, 'column_unknown'],
] as const)('%j is refused, also as an estimate', async (body, status, code) => {
  expect(await refusalOf(body)).toEqual([status, code]);
  expect(await refusalOf({ ...body, estimate: true })).toEqual([status, code]);
});

test('the lock of the trainings of a dataset refuses a comparison during a training', async () => {
  const training = await launchTraining(world, active.dataset);

  expect(await refusalOf({})).toEqual([409, 'training_running']);
  await endTrainingNow(world, training, {});
  expect((await ask()).status).toBe(202);
});

test('the lock of the trainings of a dataset refuses a training, and another comparison, during a comparison', async () => {
  await ask();
  const body = { dataset_id: active.dataset.dataset_id };

  const { problem } = await world.call(train, { as: active.caller, body });

  expect([problem.statusCode, problem.code]).toEqual([409, 'training_running']);
  expect(await refusalOf({})).toEqual([409, 'training_running']);
});

test('a repeated key answers the comparison as long as it is active', async () => {
  const first = (await ask({ idempotency_key: 'k' })).body;

  expect((await ask({ idempotency_key: 'k' })).body).toEqual(first);
  await endTrainingNow(world, await recordOf(first.comparison_id), {});
  expect((await ask({ idempotency_key: 'k' })).body.comparison_id).not.toBe(first.comparison_id);
});

test('a repeated key of another request, or of a training, is refused', async () => {
  await ask({ idempotency_key: 'k' });
  const body = { dataset_id: active.dataset.dataset_id, idempotency_key: 'k' };

  const { problem } = await world.call(train, { as: active.caller, body });

  expect(problem).toMatchObject({ statusCode: 422, code: 'idempotency_mismatch' });
  expect(await refusalOf({ idempotency_key: 'k', seeds: 2 })).toEqual([422, 'idempotency_mismatch']);
});
