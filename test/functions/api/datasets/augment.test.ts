import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/augment.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { embedder, executeAugmentation, load } from '#test/helpers/augmenting.ts';
import { seedRows } from '#test/helpers/combining.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let source: DatasetRecord;

const TYPES = { question: 'VARCHAR', answer: 'VARCHAR' };
const lines = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, row) => `{"question":"question ${row} on bread","answer":"answer ${row}"}`,
  );
const pool = (count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, n) => ({
    prompt: `What of bread is ${n ** 3}?`,
    completion: `${n}`,
    ...fields,
  }));

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 5000);
  source = await seedRows(world, owner, TYPES, lines(40), { name: 'tickets' });
  await load(world, pool(60));
});

const augment = (body: object, { as = owner, id = source.dataset_id } = {}) =>
  world.call(handler, { as, params: { dataset_id: id }, body });

test('it makes a dataset of its own, and says what it adds and costs', async () => {
  const { status, body } = await augment({ domain_rows: 150, general_rows: 20, similar_rows: 1 });

  expect([status, body]).toEqual([
    200,
    {
      dataset_id: expect.any(String),
      status: 'running',
      domain_rows: 150,
      general_rows: 20,
      similar_rows: 1,
      estimated_credits_consumed: 2,
      estimate: false,
      pool_rows: 60,
    },
  ]);
  expect(await world.store.datasets.find(body.dataset_id ?? '')).toMatchObject({
    kind: 'augmented',
    source_dataset_id: source.dataset_id,
    name: 'tickets (augmented)',
    state: 'running',
    team_id: owner.team_id,
  });
  expect(await world.store.datasets.find(source.dataset_id)).toEqual(source);
  expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({ held: 2, available: 4998 });
});

test('an estimate starts nothing', async () => {
  const { body } = await augment({ domain_rows: 101, estimate: true });

  expect(body).toMatchObject({
    dataset_id: null,
    status: null,
    domain_rows: 101,
    general_rows: 0,
    estimated_credits_consumed: 2,
    estimate: true,
  });
  expect(world.executions.started.size).toBe(0);
  expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({ held: 0 });
});

describe('without counts', () => {
  test('an estimate is that of the recommended rows, to which those of the dataset count', async () => {
    const { status, body } = await augment({ estimate: true });

    expect([status, body.domain_rows, body.general_rows]).toEqual([200, 19_960, 8000]);
    expect(body.estimated_credits_consumed).toBe(280);
  });

  test('a run is refused, saying what is recommended and what that costs, and nothing is charged', async () => {
    const { status, problem } = await augment({});

    expect([status, problem.code]).toEqual([400, 'nothing_to_add']);
    expect(problem.message).toMatch(/19960 domain_rows and 8000 general_rows, for 280 credits/);
    expect(problem.details).toMatchObject([
      { path: 'domain_rows', recommended: 19_960 },
      { path: 'general_rows', recommended: 8000 },
    ]);
    expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({ held: 0, available: 5000 });
  });

  test('a run that asks for the recommended rows starts', async () => {
    await world.store.access.savePlan({ ...owner.plan, rows_per_launch: 100_000 });
    const as = { ...owner, plan: { ...owner.plan, rows_per_launch: 100_000 } };

    const { status, body } = await augment({ fill_to_recommended: true }, { as });

    expect([status, body.domain_rows, body.general_rows]).toEqual([200, 19_960, 8000]);
  });
});

test('a count that is named is used as given, and the others are filled', async () => {
  const { body } = await augment({ general_rows: 5, fill_to_recommended: true, estimate: true });

  expect([body.domain_rows, body.general_rows]).toEqual([19_960, 5]);
});

test('a named count leaves the others at none', async () => {
  const { body } = await augment({ similar_rows: 7, estimate: true });

  expect([body.domain_rows, body.general_rows, body.similar_rows]).toEqual([0, 0, 7]);
});

test('a repeated key answers the first dataset as it stands now, and nothing that it costs', async () => {
  const first = await augment({ domain_rows: 10, idempotency_key: 'one' });
  await executeAugmentation(world, first.body.dataset_id ?? '');

  const { status, body } = await augment({ domain_rows: 10, idempotency_key: 'one' });

  expect([status, body]).toEqual([
    200,
    {
      dataset_id: first.body.dataset_id,
      status: 'succeeded',
      domain_rows: 0,
      general_rows: 0,
      similar_rows: 0,
      estimated_credits_consumed: 0,
      estimate: false,
      pool_rows: 60,
    },
  ]);
  expect(world.executions.started.size).toBe(1);
  expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({ settled: 1, held: 0 });
});

test('a repeated key is answered also when the source and the pool are gone', async () => {
  const first = await augment({ domain_rows: 10, idempotency_key: 'one' });
  await world.store.datasets.delete(owner, source.dataset_id, Date.now());
  await world.objects.remove(world.objects.keys().filter((key) => key.startsWith('pool/')));

  const { status, body } = await augment({ domain_rows: 10, idempotency_key: 'one' });

  expect([status, body.dataset_id]).toEqual([200, first.body.dataset_id]);
});

test('a repeated key is refused for another request, and for another dataset', async () => {
  await augment({ domain_rows: 10, idempotency_key: 'one' });
  const other = await seedRows(world, owner, TYPES, lines(3));

  for (const repeated of [
    await augment({ domain_rows: 11, idempotency_key: 'one' }),
    await augment({ domain_rows: 10, idempotency_key: 'one' }, { id: other.dataset_id }),
  ]) {
    expect([repeated.status, repeated.problem.code]).toEqual([422, 'idempotency_mismatch']);
    expect(repeated.problem.details).toMatchObject([{ path: 'idempotency_key' }]);
  }
});

test.each([
  ['no row at all', { domain_rows: 0, general_rows: 0 }],
  ['no row at all, as an estimate', { domain_rows: 0, estimate: true }],
])('%s is refused', async (_, body) => {
  const answer = await augment(body);

  expect([answer.status, answer.problem.code]).toEqual([400, 'nothing_to_add']);
  expect(answer.problem.message).toContain('Raise domain_rows');
});

test.each([
  ['a part of a row', { domain_rows: 1.5 }, 'domain_rows'],
  ['less than none', { general_rows: -1 }, 'general_rows'],
  ['more than a hundred thousand', { similar_rows: 100_001 }, 'similar_rows'],
  ['a type that there is not', { domain_rows: 1, training_type: 'sft' }, 'training_type'],
  ['an unknown field', { domain_rows: 1, rows: 3 }, 'rows'],
  ['a key that is too long', { domain_rows: 1, idempotency_key: 'x'.repeat(256) }, 'idempotency_key'],
  ['a count that is no number', { domain_rows: '10' }, 'domain_rows'],
])('%s is refused by the name of the field', async (_, body, path) => {
  const answer = await augment(body);

  expect([answer.status, answer.problem.code]).toEqual([400, 'invalid_request']);
  expect(JSON.stringify(answer.problem.details)).toContain(path);
});

test('more rows than the plan allows are refused, naming its cap', async () => {
  const as = { ...owner, plan: { ...owner.plan, name: 'small', rows_per_launch: 99 } };

  const answer = await augment({ domain_rows: 60, general_rows: 40 }, { as });

  expect([answer.status, answer.problem.code]).toEqual([403, 'plan_limit_exceeded']);
  expect(answer.problem.message).toMatch(/"small" allows 99 rows a launch, and this launch has 100/);
  expect((await augment({ domain_rows: 99 }, { as })).status).toBe(200);
});

test('what the team has no credits for is refused', async () => {
  const poor = await seedTeam(world.store, 0);
  const own = await seedRows(world, poor, TYPES, lines(10));

  const answer = await augment({ domain_rows: 1 }, { as: poor, id: own.dataset_id });

  expect([answer.status, answer.problem.code]).toEqual([402, 'credits_insufficient']);
});

test.each([
  ['ingesting', 'dataset_not_ready'],
  ['awaiting_upload', 'dataset_not_ready'],
  ['failed', 'dataset_not_ready'],
  ['running', 'dataset_running'],
] as const)('a dataset that is %s is refused', async (state, code) => {
  const dataset = await seedDataset(world.store, owner, {
    state,
    row_count: state === 'running' ? 3 : null,
  });

  const answer = await augment({ domain_rows: 1 }, { id: dataset.dataset_id });

  expect([answer.status, answer.problem.code]).toEqual([409, code]);
});

test('a dataset with images is refused, since the pool is text', async () => {
  const images = await seedRows(world, owner, { ...TYPES, photo: 'VARCHAR' }, lines(3), {
    image_column_formats: { photo: 'url' },
    configured_column_mapping: {
      prompt: 'question',
      completion: 'answer',
      image: 'photo',
      context: ['photo'],
    },
  });

  const answer = await augment({ domain_rows: 1 }, { id: images.dataset_id });

  expect([answer.status, answer.problem.code]).toEqual([400, 'images_unsupported']);
  expect(answer.problem.message).toContain('photo');
});

test('a dataset that says nowhere what its rows ask is refused', async () => {
  const answers = await seedRows(world, owner, { answer: 'VARCHAR' }, ['{"answer":"yes"}'], {
    configured_column_mapping: { completion: 'answer', context: [] },
  });
  const other = await seedRows(world, owner, { id: 'BIGINT' }, ['{"id":1}'], {
    configured_column_mapping: null,
  });

  const unknown = await augment({ domain_rows: 1 }, { id: answers.dataset_id });
  const unmapped = await augment({ domain_rows: 1 }, { id: other.dataset_id });

  expect([unknown.status, unknown.problem.code]).toEqual([400, 'topics_unknown']);
  expect([unmapped.status, unmapped.problem.code]).toEqual([400, 'column_mapping_required']);
});

test('a dataset whose prompts are empty is refused', async () => {
  const column = {
    name: 'question',
    type: 'VARCHAR',
    profile: { is_empty: true, not_chat: null, image_format: null },
  };
  const empty = await seedRows(world, owner, TYPES, ['{"question":"","answer":"x"}'], {
    columns: [column, { name: 'answer', type: 'VARCHAR' }],
  });

  const answer = await augment({ domain_rows: 1 }, { id: empty.dataset_id });

  expect([answer.status, answer.problem.code]).toEqual([400, 'topics_unknown']);
});

test('a dataset that is missing is refused, or another team’s, in the same words', async () => {
  const stranger = await seedTeam(world.store, 100);

  const missing = await augment({ domain_rows: 1 }, { id: randomUUID() });
  const foreign = await augment({ domain_rows: 1 }, { as: stranger });

  expect([missing.status, foreign.status]).toEqual([404, 404]);
  expect(foreign.problem.message).toBe(missing.problem.message);
});

test('what the pool has not is said: rows of pairs', async () => {
  const answer = await augment({ domain_rows: 1, training_type: 'preference_pairs' });

  expect([answer.status, answer.problem.code]).toEqual([422, 'not_available_yet']);
  expect(answer.problem.message).toContain('preference_pairs');
  await load(world, pool(5, { rejected: 'no' }), { loadId: '00000000000000bb' });
  const { body } = await augment({ domain_rows: 1, training_type: 'preference_pairs', estimate: true });
  expect(body.pool_rows).toBe(5);
});

test('what the pool has not is said: any row, and rows of the model that is configured', async () => {
  await load(world, pool(60), { client: embedder('the model of last year') });
  const otherwise = await augment({ general_rows: 1 });
  await world.objects.remove(world.objects.keys().filter((key) => key.startsWith('pool/')));
  const empty = await augment({ domain_rows: 1, estimate: true });

  expect([otherwise.status, otherwise.problem.code]).toEqual([422, 'not_available_yet']);
  expect(otherwise.problem.message).toContain('another model');
  expect([empty.status, empty.problem.code]).toEqual([422, 'not_available_yet']);
  expect(empty.problem.message).toContain('load rows into it');
});

test('what the pool has not takes nothing from rows that a model writes', async () => {
  await world.objects.remove(world.objects.keys().filter((key) => key.startsWith('pool/')));

  expect((await augment({ similar_rows: 3 })).status).toBe(200);
});
