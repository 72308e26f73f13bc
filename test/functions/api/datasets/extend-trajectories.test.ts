import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/extend-trajectories.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedRows } from '#test/helpers/combining.ts';
import { executeExpansion, translator } from '#test/helpers/growing.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let source: DatasetRecord;
const MAPPING = { prompt: 'question', completion: 'answer' };

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
  const lines = Array.from({ length: 10 }, (_, row) => `{"question":"q ${row}","answer":"a ${row}"}`);
  source = await seedRows(world, owner, { question: 'VARCHAR', answer: 'VARCHAR' }, lines, {
    name: 'tickets',
  });
});

const extend = (body: object, id = source.dataset_id) =>
  world.call(handler, { as: owner, params: { dataset_id: id }, body });

test('it makes a dataset of its own, and answers its run', async () => {
  const { body } = await extend({ column_mapping: MAPPING });

  expect(body).toMatchObject({
    run_id: expect.any(String),
    dataset_id: expect.any(String),
    estimate: false,
    estimatedCreditsConsumed: 1,
    multimodalPricingApplied: false,
  });
  expect(await world.store.datasets.find(body.dataset_id ?? '')).toMatchObject({
    kind: 'extended',
    source_dataset_id: source.dataset_id,
    run_id: body.run_id,
    state: 'running',
  });
  expect(await world.store.datasets.find(source.dataset_id)).toEqual(source);
});

test('an estimate needs no mapping and starts nothing', async () => {
  const { body } = await extend({ estimate: true });

  expect(body).toMatchObject({ run_id: null, dataset_id: null, estimate: true, estimatedCreditsConsumed: 1 });
  expect(body.estimatedMinutes).toBeGreaterThan(0);
  expect(world.executions.started.size).toBe(0);
});

test('a column of turns is taken of a dataset whose rows are as they came, also of one with appended rows', async () => {
  const turns = JSON.stringify({ turns: [{ role: 'user', content: 'Hello' }] });
  const appended = await seedRows(world, owner, { turns: 'JSON' }, [turns], {
    state: 'succeeded',
    rows_run_id: 'an-append',
    result: { run_id: 'an-append', configured_column_mapping: null },
  });

  const { status } = await extend({ column_mapping: { chat: 'turns' } }, appended.dataset_id);

  expect(status).toBe(200);
});

test('a repeated key answers the first dataset and run, and nothing that they cost', async () => {
  const request = { column_mapping: MAPPING, job_specification: { idempotency_key: 'k', max_rows: 3 } };
  const first = await extend(request);
  await executeExpansion(world, first.body.dataset_id ?? '', translator());

  const { body } = await extend(request);

  expect(body).toEqual({ ...first.body, estimatedMinutes: 0, estimatedCreditsConsumed: 0 });
  expect(world.executions.started.size).toBe(1);
});

test.each([
  ['a run without a mapping', {}, 'column_mapping_required', 'column_mapping'],
  [
    'chat beside prompt',
    { column_mapping: { chat: 'question', prompt: 'answer' } },
    'invalid_request',
    'column_mapping.prompt',
  ],
  [
    'a prompt without its completion',
    { column_mapping: { prompt: 'question' } },
    'invalid_request',
    'column_mapping.completion',
  ],
  [
    'one column for both',
    { column_mapping: { prompt: 'answer', completion: 'answer' } },
    'invalid_request',
    'column_mapping.completion',
  ],
  [
    'context, which it does not take',
    { column_mapping: { ...MAPPING, context: ['question'] } },
    'invalid_request',
    'column_mapping.context',
  ],
  [
    'an unknown column',
    { column_mapping: { prompt: 'title', completion: 'answer' } },
    'column_unknown',
    'column_mapping.prompt',
  ],
  [
    'an unknown column of an estimate',
    { estimate: true, column_mapping: { chat: 'turns' } },
    'column_unknown',
    'column_mapping.chat',
  ],
  [
    'no row',
    { column_mapping: MAPPING, job_specification: { max_rows: 0 } },
    'invalid_request',
    'job_specification.max_rows',
  ],
])('%s is refused', async (_, body, code, path) => {
  const { status, problem } = await extend(body);

  expect([status, problem.code, problem.details?.[0]?.path]).toEqual([400, code, path]);
  expect(world.executions.started.size).toBe(0);
});

test('more rows than the plan allows are refused, naming what lowers them', async () => {
  owner = { ...owner, plan: { ...owner.plan, rows_per_launch: 9 } };

  const { status, problem } = await extend({ column_mapping: MAPPING });

  expect([status, problem.code, problem.details?.[0]?.path]).toEqual([
    403,
    'plan_limit_exceeded',
    'job_specification.max_rows',
  ]);
  const fewer = { column_mapping: MAPPING, job_specification: { max_rows: 9 } };
  expect((await extend(fewer)).status).toBe(200);
});
