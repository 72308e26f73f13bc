import { beforeEach, expect, test } from 'vitest';
import { handler as remove } from '#functions/api/datasets/delete.ts';
import { handler as create } from '#functions/api/datasets/pilots/create.ts';
import { ARMS_MAX } from '#shared/pilots/schema/pilot.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import {
  COLUMNS,
  endPilotNow,
  MAPPING,
  type Piloted,
  requestOf,
  seedQuestions,
  startPilot,
} from '#test/helpers/piloting.ts';
import { NOW, seedDataset } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const TWO = [{}, { brand_controls: { length: 'concise' } }];

let world: World;
let piloted: Piloted;

beforeEach(async () => {
  world = createWorld(() => NOW);
  piloted = await seedQuestions(world, 60, 100);
});

const ask = (body: object, dataset = piloted.dataset) =>
  world.call(create, {
    as: piloted.caller,
    params: { dataset_id: dataset.dataset_id },
    body: { column_mapping: MAPPING, ...body },
  });
const refused = async (body: object) => {
  const { status, problem } = await ask(body);
  return [status, problem.code, problem.details[0]?.path ?? null];
};

test('a launch reserves rows × arms, rounded once, and starts the state machine', async () => {
  piloted = await seedQuestions(world, 300, 100);
  const { status, body } = await ask({ arms: TWO, sample_rows: 75 });

  expect(status).toBe(202);
  expect(body).toMatchObject({ estimate: false, sample_rows: 75, estimated_credits: 2 });
  expect(body.arms).toMatchObject([
    { name: 'Arm 1' },
    { name: 'Arm 2', brand_controls: { length: 'concise' } },
  ]);
  expect([...world.executions.started.values()]).toMatchObject([
    { run_id: body.pilot_id, dataset_id: piloted.dataset.dataset_id },
  ]);
  expect(await world.store.ledger.findBalance(piloted.caller.team_id)).toMatchObject({
    held: 2,
    available: 98,
  });
});

test('an estimate says the same and starts nothing', async () => {
  const { body } = await ask({ arms: TWO, estimate: true });

  expect(body).toMatchObject({ pilot_id: null, estimate: true, sample_rows: 30, estimated_credits: 1 });
  expect(body.estimated_minutes).toBeGreaterThan(0);
  expect(world.executions.started.size).toBe(0);
});

test('arms are proposed from what the columns hold, each of them different', async () => {
  const { body } = await ask({ estimate: true });

  expect(body.arms.length).toBeGreaterThan(1);
  expect(new Set(body.arms.map(({ name }) => name)).size).toBe(body.arms.length);
  // Answers of 19 words are `minimal`; the class above them is tried.
  expect(body.arms).toContainEqual({ name: 'Length: concise', brand_controls: { length: 'concise' } });
});

test('the sample of a small dataset is all of it', async () => {
  piloted = await seedQuestions(world, 4);

  expect((await ask({ estimate: true })).body.sample_rows).toBe(4);
});

test('what cannot be compared is refused, with the field that says it', async () => {
  expect(await refused({ arms: [{}, { name: 'The same' }] })).toEqual([400, 'invalid_request', 'arms[1]']);
  const deduplicating = { recipe_specification: { recipes: { deduplication: true } } };
  expect(await refused({ arms: [{}, deduplicating] })).toEqual([400, 'invalid_request', 'arms[1]']);
  expect(await refused({ sample_rows: 61 })).toEqual([400, 'invalid_request', 'sample_rows']);
  expect((await refused({ arms: Array.from({ length: ARMS_MAX + 1 }, () => ({})) }))[1]).toBe(
    'invalid_request',
  );
  expect((await refused({ arms: [] }))[1]).toBe('invalid_request');
  expect((await refused({ column_mapping: { prompt: 'no such column', completion: 'answer' } }))[1]).toBe(
    'column_unknown',
  );
  const grounded = { brand_controls: { hallucination_mitigation: true } };
  expect(await refused({ arms: [{}, grounded] })).toEqual([
    422,
    'not_available_yet',
    'arms[1].brand_controls.hallucination_mitigation',
  ]);
});

test('arms that do the same to every row are equal, however they say it', async () => {
  const safety = (...safety_categories: string[]) => ({ brand_controls: { safety_categories } });
  expect(await refused({ arms: [safety('hate', 'violence'), safety('sexual')] })).toEqual([
    400,
    'invalid_request',
    'arms[1]',
  ]);
  const blueprint = (text: string) => ({ brand_controls: { blueprint: text } });
  expect((await refused({ arms: [blueprint('Be kind.'), blueprint('Be kind. ')] }))[2]).toBe('arms[1]');
  const rephrase = { recipe_specification: { recipes: { prompt_rephrase: true } } };
  const asIs = { recipe_specification: { recipes: { prompt_rephrase: false } } };
  const inferred = { column_mapping: { completion: 'answer' }, arms: [rephrase, asIs] };
  expect((await refused(inferred))[2]).toBe('arms[1]');
  const lint = (...drop: string[]) => ({ recipe_specification: { recipes: { lint: { drop } } } });
  const rules = [
    lint('personal_data', 'completion_empty'),
    lint('completion_empty', 'personal_data', 'completion_empty'),
  ];
  expect((await refused({ arms: rules }))[2]).toBe('arms[1]');
});

test('an estimate says when so few rows can show nothing, and keeps blueprints out of what is stored', async () => {
  const { body } = await ask({
    arms: [{ brand_controls: { blueprint: 'x'.repeat(20_000), length: 'concise' } }],
    sample_rows: 3,
    estimate: true,
  });

  expect(body.notes.join(' ')).toMatch(/3 rows are too few/);
  expect(body.arms).toEqual([{ name: 'Arm 1', brand_controls: { length: 'concise' } }]);
});

test('a plan bounds rows × arms, and credits are needed for all of them', async () => {
  piloted = {
    ...piloted,
    caller: { ...piloted.caller, plan: { ...DEFAULT_PLAN, rows_per_launch: 50 } },
  };
  expect(await refused({ arms: TWO, sample_rows: 26 })).toEqual([403, 'plan_limit_exceeded', 'sample_rows']);

  piloted = await seedQuestions(world, 200, 1);
  expect((await refused({ arms: TWO, sample_rows: 60 }))[1]).toBe('credits_insufficient');
});

test('a dataset without rows, or with a run, is not ready', async () => {
  const empty = await seedDataset(world.store, piloted.caller, { row_count: null, columns: null });
  expect((await ask({}, empty)).problem.code).toBe('dataset_not_ready');
  const busy = await seedDataset(world.store, piloted.caller, { state: 'running' });
  expect((await ask({ arms: [{}] }, busy)).problem.code).toBe('dataset_running');
});

test('a dataset has one active pilot, and cannot be deleted meanwhile', async () => {
  const context = await startPilot(world, piloted, { arms: TWO });
  const erase = () =>
    world.call(remove, { as: piloted.caller, params: { dataset_id: piloted.dataset.dataset_id } });

  expect((await ask({ arms: TWO })).problem.code).toBe('pilot_running');
  expect((await erase()).problem.code).toBe('pilot_running');

  await endPilotNow(world, context, { code: 'run_interrupted', message: 'm', level: 'error' });
  expect((await erase()).status).toBe(200);
});

test('a pilot leaves its dataset as it is, and is refused while rows are being appended', async () => {
  const { dataset_id } = piloted.dataset;
  await startPilot(world, piloted, { arms: TWO });
  expect(await world.store.datasets.find(dataset_id)).toEqual(piloted.dataset);

  const growing = await seedDataset(world.store, piloted.caller, {
    row_count: 60,
    columns: COLUMNS,
    pending_appends: 1,
  });
  const { status, problem } = await ask({ arms: TWO }, growing);

  expect([status, problem.code]).toEqual([409, 'dataset_not_ready']);
  expect(await world.store.datasets.find(growing.dataset_id)).toEqual(growing);
});

test('a repeated key is answered as it was, and another request with it is refused', async () => {
  const body = { arms: TWO, job_specification: { idempotency_key: 'one' } };
  const first = await ask(body);
  const second = await ask(body);

  expect(second.body).toEqual(first.body);
  expect((await ask({ ...body, sample_rows: 5 })).problem.code).toBe('idempotency_mismatch');
  expect(await world.store.ledger.findBalance(piloted.caller.team_id)).toMatchObject({ held: 1 });
});

test('the judge is calibrated for safety if an arm asks for it', async () => {
  const context = await startPilot(world, piloted, {
    arms: [{}, { brand_controls: { safety_categories: ['violence'] } }],
  });

  expect(requestOf(world, context).specification.safety).not.toBeNull();
});
