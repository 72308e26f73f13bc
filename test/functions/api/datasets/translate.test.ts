import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/translate.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { LANGUAGE_CODES } from '#shared/languages/decide/catalog.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { RawColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { seedRows } from '#test/helpers/combining.ts';
import { executeExpansion, translator } from '#test/helpers/growing.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

/** More than are taken at once. */
const LANGUAGES_51 = LANGUAGE_CODES.slice(0, 51);

let world: World;
let owner: Caller;
let source: DatasetRecord;

const TYPES = { question: 'VARCHAR', answer: 'VARCHAR' };
const lines = (count: number): string[] =>
  Array.from({ length: count }, (_, row) => `{"question":"question ${row}","answer":"answer ${row}"}`);

const IMAGES = { image_column_formats: { photo: 'url' } } as const;
const WITH_IMAGE = { prompt: 'question', completion: 'answer', image: 'photo', context: ['photo'] };

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
  source = await seedRows(world, owner, TYPES, lines(40), { name: 'tickets' });
});

const translate = (body: object, { as = owner, id = source.dataset_id } = {}) =>
  world.call(handler, {
    as,
    params: { dataset_id: id },
    body: { languages: ['es', 'DE'], sample_rate: 0.25, ...body },
  });

test('it makes a dataset of its own, and says what it adds and costs', async () => {
  const { status, body } = await translate({});

  expect([status, body]).toEqual([
    200,
    {
      dataset_id: expect.any(String),
      status: 'running',
      estimated_credits_consumed: 1,
      estimate: false,
      estimated_new_rows: 20,
    },
  ]);
  expect(body.dataset_id).not.toBe(source.dataset_id);
  const made = await world.store.datasets.find(body.dataset_id ?? '');
  expect(made).toMatchObject({
    kind: 'translated',
    source_dataset_id: source.dataset_id,
    name: 'tickets (es, de)',
    state: 'running',
    team_id: owner.team_id,
    created_by_user_id: owner.user_id,
  });
  expect(await world.store.datasets.find(source.dataset_id)).toEqual(source);
  expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({ held: 1, available: 99 });
});

test('an estimate starts nothing', async () => {
  const { body } = await translate({ estimate: true });

  expect(body).toEqual({
    dataset_id: null,
    status: null,
    estimated_credits_consumed: 1,
    estimate: true,
    estimated_new_rows: 20,
  });
  expect(world.executions.started.size).toBe(0);
  expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({ held: 0, available: 100 });
});

test('the number of rows that the public client asks for by a share of them comes back', async () => {
  for (const rows of [1, 5, 7, 33]) {
    const { body } = await translate({ estimate: true, sample_rate: Math.max(0.01, rows / (40 * 2)) });

    expect(body.estimated_new_rows).toBe(rows);
  }
});

describe('a repeated key', () => {
  const key = 'one';

  test('a repeated key answers the first dataset as it stands now, and nothing that it costs', async () => {
    const first = await translate({ idempotency_key: key });
    await executeExpansion(world, first.body.dataset_id ?? '', translator());

    const { body } = await translate({ idempotency_key: key });

    expect(body).toEqual({
      dataset_id: first.body.dataset_id,
      status: 'succeeded',
      estimated_credits_consumed: 0,
      estimate: false,
      estimated_new_rows: 0,
    });
    expect(world.executions.started.size).toBe(1);
    expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({ settled: 1, available: 99 });
  });

  test('a repeated key answers it also when the source is gone', async () => {
    const first = await translate({ idempotency_key: key });
    await world.store.datasets.delete(owner, source.dataset_id, Date.now());

    expect((await translate({ idempotency_key: key })).body.dataset_id).toBe(first.body.dataset_id);
  });

  test.each([
    ['other languages', { languages: ['fr'] }],
    ['another share', { sample_rate: 0.5 }],
  ])('a repeated key with %s is refused', async (_, change) => {
    await translate({ idempotency_key: key });

    const { status, problem } = await translate({ idempotency_key: key, ...change });

    expect([status, problem.code, problem.details?.[0]?.path]).toEqual([
      422,
      'idempotency_mismatch',
      'idempotency_key',
    ]);
  });

  test('a repeated key is one of the team, whatever dataset it is sent for', async () => {
    const other = await seedRows(world, owner, TYPES, lines(9));
    await translate({ idempotency_key: key });

    expect((await translate({ idempotency_key: key }, { id: other.dataset_id })).problem.code).toBe(
      'idempotency_mismatch',
    );
  });
});

describe('refused is', () => {
  const refusal = async (body: object, options: { as?: Caller; id?: string } = {}) => {
    const { status, problem } = await translate(body, options);
    expect(world.executions.started.size).toBe(0);
    return [status, problem.code, problem.details?.[0]?.path];
  };
  const seedLike = (fields: Partial<DatasetRecord>) => seedDataset(world.store, owner, fields);

  test.each([
    ['a share below 0.01', { sample_rate: 0.009 }, 'sample_rate'],
    ['a share above 1', { sample_rate: 1.01 }, 'sample_rate'],
    ['no language', { languages: [] }, 'languages'],
    ['a pair', { pairs: [{ country: 'MX', language: 'es' }] }, 'pairs'],
    ['an empty key', { idempotency_key: '' }, 'idempotency_key'],
    ['more than 50 languages', { languages: LANGUAGES_51 }, 'languages'],
  ])('%s is refused', async (_, body, path) => {
    expect(await refusal(body)).toEqual([400, 'invalid_request', path]);
  });

  test('a language that is not known is refused, with a sample of those that are', async () => {
    const { status, problem } = await translate({ languages: ['es', 'xx-yy'] });

    expect([status, problem.code, problem.details?.[0]?.path]).toEqual([
      400,
      'language_unsupported',
      'languages[1]',
    ]);
    expect(problem.message).toMatch(/"xx-yy" is no known language; \d+ are known, among them/);
  });

  test('a dataset of another team is refused, as if there were none', async () => {
    const stranger = { ...owner, team_id: randomUUID() };

    expect(await refusal({}, { as: stranger })).toEqual([404, 'dataset_not_found', undefined]);
  });

  test.each([
    ['that is being read', { state: 'ingesting', row_count: null }, 'dataset_not_ready'],
    ['that failed', { state: 'failed' }, 'dataset_not_ready'],
    ['without rows', { row_count: 0 }, 'dataset_not_ready'],
    ['with an active run', { state: 'running', run_id: 'run-1' }, 'dataset_running'],
  ] as const)('a dataset %s is refused', async (_, fields, code) => {
    const { dataset_id } = await seedLike(fields);

    expect(await refusal({}, { id: dataset_id })).toEqual([409, code, undefined]);
  });

  test('a dataset with images is refused, of which it names the columns', async () => {
    const { dataset_id } = await seedLike({ ...IMAGES, configured_column_mapping: WITH_IMAGE });
    const files = await seedLike({ image_column_formats: { photo: 'file_reference' } });
    // Links without the ending of an image are images because the mapping says so.
    const links = await seedLike({ image_column_formats: null, configured_column_mapping: WITH_IMAGE });

    for (const id of [dataset_id, files.dataset_id, links.dataset_id]) {
      const { status, problem } = await translate({ estimate: true }, { id });

      expect([status, problem.code]).toEqual([400, 'images_unsupported']);
      expect(problem.message).toContain('photo');
    }
  });

  test('a dataset with links to images in a column that is not mapped is translated as a text one', async () => {
    const { dataset_id } = await seedRows(world, owner, { ...TYPES, photo: 'VARCHAR' }, lines(3), IMAGES);

    expect((await translate({ estimate: true }, { id: dataset_id })).status).toBe(200);
  });

  test('a dataset without a prompt or completion is refused, of which it names the columns', async () => {
    const { dataset_id } = await seedLike({ configured_column_mapping: null });

    const { status, problem } = await translate({}, { id: dataset_id });

    expect([status, problem.code]).toEqual([400, 'column_mapping_required']);
    expect(problem.message).toContain('"question", "answer"');
  });

  test('a dataset of pairs beside prompts of another name is refused with the mapping to upload it with', async () => {
    const types = { system: 'VARCHAR', question: 'VARCHAR', chosen: 'VARCHAR', rejected: 'VARCHAR' };
    const { dataset_id } = await seedRows(world, owner, types, lines(3), {
      configured_column_mapping: null,
    });

    const { status, problem } = await translate({}, { id: dataset_id });

    expect([status, problem.code]).toEqual([400, 'column_mapping_required']);
    const [said = ''] = /\{.*\}/.exec(problem.message) ?? [];
    expect(RawColumnMapping.parse(JSON.parse(said))).toEqual({
      prompt: 'question',
      chosen: 'chosen',
      rejected: 'rejected',
    });
  });

  test('a share that adds no row is refused', async () => {
    const { dataset_id } = await seedRows(world, owner, TYPES, lines(3));

    expect(await refusal({ languages: ['es'], sample_rate: 0.1 }, { id: dataset_id })).toEqual([
      400,
      'nothing_to_add',
      'sample_rate',
    ]);
  });

  test('more rows than the plan allows are refused, also as an estimate', async () => {
    const small = { ...owner, plan: { ...owner.plan, name: 'small', rows_per_launch: 19 } };

    const { status, problem } = await translate({ estimate: true }, { as: small });

    expect([status, problem.code]).toEqual([403, 'plan_limit_exceeded']);
    expect(problem.message).toContain('"small" allows 19 rows a launch, and this launch has 20');
    expect(problem.details).toEqual([expect.objectContaining({ path: 'sample_rate', limit: 19 })]);
  });

  test('what the balance does not cover is refused', async () => {
    const poor = await seedTeam(world.store, 0);
    const { dataset_id } = await seedRows(world, poor, TYPES, lines(3));

    expect(await refusal({ sample_rate: 1 }, { as: poor, id: dataset_id })).toEqual([
      402,
      'credits_insufficient',
      'credits',
    ]);
  });

  test('a run above those that the plan allows at once is refused', async () => {
    await translate({});

    const { status, problem } = await translate(
      {},
      { as: { ...owner, plan: { ...owner.plan, runs_at_once: 1 } } },
    );

    expect([status, problem.code]).toEqual([429, 'runs_limit_reached']);
  });
});

test('columns of the usual names need no mapping', async () => {
  const { dataset_id } = await seedRows(
    world,
    owner,
    { id: 'BIGINT', prompt: 'VARCHAR', completion: 'VARCHAR' },
    ['{"id":1,"prompt":"question","completion":"answer"}'],
    { configured_column_mapping: null },
  );

  const { body } = await translate({ sample_rate: 1 }, { id: dataset_id });

  expect(body.estimated_new_rows).toBe(2);
});
