import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/adapt.ts';
import { handler as run } from '#functions/api/datasets/run.ts';
import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { DOCUMENT_COLUMNS } from '#shared/tabular/decide/documents/document-row.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { faultsOf } from '#test/helpers/store-contract.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
  dataset = await seedDataset(world.store, owner, {
    row_count: 250,
    columns: ['question', 'answer', 'note', 'picture'].map((name) => ({ name, type: 'VARCHAR' })),
  });
});

const mapping = { prompt: 'question', completion: 'answer' };
const adapt = (body: unknown, as = owner, on = dataset) =>
  world.call(handler, { as, params: { dataset_id: on.dataset_id }, body });
const balance = () => world.store.ledger.findBalance(owner.team_id);
const reload = () => world.store.datasets.find(dataset.dataset_id);

test('a real run reserves a credit for each hundred rows begun, moves the dataset and starts the machine', async () => {
  const { body } = await adapt({ column_mapping: { ...mapping, context: ['note'] } });

  expect(body).toEqual({
    run_id: expect.any(String),
    version: 2,
    estimatedMinutes: expect.any(Number),
    estimateBasis: expect.stringMatching(/^assumed: /),
    estimatedCreditsConsumed: 3,
    estimate: false,
    multimodalPricingApplied: false,
  });
  expect(await balance()).toMatchObject({ available: 97, held: 3 });
  expect(await reload()).toMatchObject({
    state: 'running',
    run_id: body.run_id,
    configured_column_mapping: { ...mapping, context: ['note'] },
  });
  expect([...world.executions.started.values()]).toEqual([
    { run_id: body.run_id, dataset_id: dataset.dataset_id, team_id: owner.team_id },
  ]);
});

test('an estimate of pairs says that rows without one are not billed', async () => {
  const { body } = await adapt({
    column_mapping: mapping,
    training_type: 'preference_pairs',
    estimate: true,
  });

  expect(body.notes).toEqual([expect.stringContaining('null as chosen and rejected, and are not billed')]);
});

test.each([
  [251, ['job_specification.max_rows is 251, and the dataset has 250 rows: all of them are processed.']],
  [250, undefined],
  [undefined, undefined],
])(
  'a real run with max_rows %s says in the estimate what a limit above the rows does',
  async (maxRows, notes) => {
    const { body } = await adapt({
      column_mapping: mapping,
      estimate: true,
      ...(maxRows === undefined ? {} : { job_specification: { max_rows: maxRows } }),
    });

    expect(body.notes).toEqual(notes);
    expect(body.estimatedCreditsConsumed).toBe(3);
  },
);

test('a real run leaves the workers a specification with every default resolved', async () => {
  const { body } = await adapt({ column_mapping: mapping });

  const { specification } = RunRequestObject.parse(
    JSON.parse(world.objects.text(`runs/${body.run_id}/request.json`)),
  );
  expect(specification).toEqual({
    mode: 'prompt_and_completion',
    mapping: { ...mapping, context: [] },
    image_format: null,
    training_type: 'instruction_dataset',
    prompt_rephrase: true,
    deduplication: false,
    reasoning_traces: false,
    prompt_metadata_injection: false,
    length: null,
    blueprint: null,
    safety: null,
    grounding: false,
    max_rows: null,
    lint: null,
    expansion: null,
  });
});

test('a real run tells the workers the controls that were asked for', async () => {
  const { body } = await adapt({
    column_mapping: mapping,
    recipe_specification: { version: '2026-04', recipes: { prompt_rephrase: false } },
    brand_controls: { length: 'concise', blueprint: 'Be kind.' },
    job_specification: { max_rows: 101 },
  });

  const { specification } = RunRequestObject.parse(
    JSON.parse(world.objects.text(`runs/${body.run_id}/request.json`)),
  );
  expect(specification).toMatchObject({
    prompt_rephrase: false,
    length: 'concise',
    blueprint: 'Be kind.',
    max_rows: 101,
  });
  expect(body.estimatedCreditsConsumed).toBe(2);
});

test('a real run sets nothing apart of a language expansion, which null clears', async () => {
  const expansion = { type: 'translate' as const, languages: ['de'], sample_rate: 0.5 };
  const expanded = await seedDataset(world.store, owner, { language_expansion: expansion });

  await adapt({ column_mapping: mapping, language_expansion: null }, owner, expanded);

  expect(await world.store.datasets.find(expanded.dataset_id)).toMatchObject({ language_expansion: null });
});

test('a real run that leaves the language expansion out changes nothing of it', async () => {
  const expansion = { type: 'translate' as const, languages: ['de'], sample_rate: 0.5 };
  const expanded = await seedDataset(world.store, owner, { language_expansion: expansion });

  await adapt({ column_mapping: mapping }, owner, expanded);

  expect(await world.store.datasets.find(expanded.dataset_id)).toMatchObject({
    language_expansion: expansion,
  });
});

test.each([
  [1, 1],
  [100, 1],
  [101, 2],
  [250, 3],
  [251, 3],
  [1_000_000, 3],
])('an estimate with max_rows %i of 250 rows costs %i credits', async (max_rows, credits) => {
  const { body } = await adapt({ estimate: true, job_specification: { max_rows } });

  expect(body.estimatedCreditsConsumed).toBe(credits);
});

test('an estimate starts nothing, reserves nothing and needs no mapping', async () => {
  const { body } = await adapt({ estimate: true });

  expect(body).toMatchObject({ run_id: null, estimate: true, estimatedCreditsConsumed: 3 });
  expect(await balance()).toMatchObject({ available: 100, held: 0 });
  expect(await reload()).toEqual(dataset);
  expect(world.executions.started.size).toBe(0);
});

test.each([
  [{ prompt: 'question', completion: 'answer', image: 'picture', context: ['picture'] }, 30, true],
  [{ chat: 'note', image: 'picture', context: ['picture'] }, 30, true],
  [{ prompt: 'question', chosen: 'answer', rejected: 'note', context: [] }, 3, false],
])('an estimate without a mapping is priced by that of the dataset: %j', async (own, credits, multimodal) => {
  const adapted = await seedDataset(world.store, owner, {
    row_count: 250,
    columns: dataset.columns,
    configured_column_mapping: own,
    image_column_formats: { picture: 'url' },
  });

  expect((await adapt({ estimate: true }, owner, adapted)).body).toMatchObject({
    estimatedCreditsConsumed: credits,
    multimodalPricingApplied: multimodal,
  });
});

test('an estimate is what the run then reserves', async () => {
  const request = { column_mapping: mapping, job_specification: { max_rows: 150 } };

  const { body: quote } = await adapt({ ...request, estimate: true });
  await adapt(request);

  expect((await balance())?.held).toBe(quote.estimatedCreditsConsumed);
});

test('checks the mapping that it is given', async () => {
  const { problem } = await adapt({
    estimate: true,
    column_mapping: { prompt: 'query', completion: 'answer' },
  });

  expect(problem.code).toBe('column_unknown');
});

test('an estimate is given while a run is active', async () => {
  await adapt({ column_mapping: mapping });

  expect((await adapt({ estimate: true })).body.estimate).toBe(true);
});

test.each([
  ['column_mapping.prompt', { prompt: 'question', chat: 'note' }],
  ['column_mapping.completion', { completion: 'answer', chat: 'note' }],
  ['column_mapping.context', { chat: 'note', context: ['answer'] }],
  ['column_mapping.universal_prompt', { chat: 'note', universal_prompt: 'Say it.' }],
  ['column_mapping.universal_prompt', { universal_prompt: 'Say it.', prompt: 'question', context: ['note'] }],
  ['column_mapping.universal_prompt', { universal_prompt: 'Say it.' }],
  ['column_mapping.universal_prompt', { universal_prompt: 'Say it.', context: [] }],
  ['column_mapping.universal_prompt', { universal_prompt: ' ', context: ['note'] }],
  ['column_mapping.image', { image: 'picture' }],
  ['column_mapping.image', { image: 'picture', context: ['note'] }],
  ['column_mapping.image', { image: 'question', prompt: 'question' }],
  ['column_mapping.image', { image: 'note', chat: 'note' }],
  ['column_mapping', { context: ['note'] }],
  ['column_mapping', {}],
  ['column_mapping.completion', { prompt: 'question', completion: 'question' }],
  ['column_mapping.context', { prompt: 'question', completion: 'answer', context: ['note', 'answer'] }],
  ['column_mapping.pompt', { pompt: 'question' }],
  ['column_mapping.prompt', { prompt: '' }],
  ['column_mapping.context[0]', { prompt: 'question', context: [7] }],
])('a 400 names the field: %s of the mapping %j', async (path, column_mapping) => {
  const { status, problem } = await adapt({ column_mapping });

  expect([status, problem.code]).toEqual([400, 'invalid_request']);
  expect(problem.details.map((detail) => detail.path)).toContain(path);
});

test.each([
  ['job_specification.max_rows', { job_specification: { max_rows: 0 } }],
  ['job_specification.max_rows', { job_specification: { max_rows: 1.5 } }],
  ['job_specification.max_rows', { job_specification: { max_rows: '5' } }],
  ['job_specification.idempotency_key', { job_specification: { idempotency_key: '' } }],
  ['job_specification.priority', { job_specification: { priority: 1 } }],
  ['brand_controls.length', { brand_controls: { length: 'endless' } }],
  ['brand_controls.safety_categories[0]', { brand_controls: { safety_categories: ['spam'] } }],
  ['brand_controls.blueprint', { brand_controls: { blueprint: 'x'.repeat(20_001) } }],
  ['training_type', { training_type: 'rlhf' }],
  ['estimate', { estimate: 'yes' }],
  [
    'recipe_specification.recipes.preference_pairs',
    { recipe_specification: { recipes: { preference_pairs: true } } },
  ],
  ['language_expansion.sample_rate', { language_expansion: { type: 'translate', languages: ['de'] } }],
  [
    'language_expansion.sample_rate',
    { language_expansion: { type: 'translate', languages: ['de'], sample_rate: 1.01 } },
  ],
  [
    'language_expansion.pairs',
    { language_expansion: { type: 'translate', languages: ['de'], pairs: [], sample_rate: 0.5 } },
  ],
  ['surprise', { surprise: true }],
])('a 400 names the field: %s', async (path, fields) => {
  const { status, problem } = await adapt({ column_mapping: mapping, ...fields });

  expect([status, problem.code]).toEqual([400, 'invalid_request']);
  expect(problem.details.map((detail) => detail.path)).toContain(path);
});

test.each([
  ['column_mapping.prompt', { prompt: 'query', completion: 'answer' }],
  ['column_mapping.completion', { prompt: 'question', completion: 'Answer' }],
  ['column_mapping.context[1]', { ...mapping, context: ['note', 'missing'] }],
])(
  'a 400 names the field: %s of an unknown column, and lists those that there are',
  async (path, column_mapping) => {
    const { status, problem } = await adapt({ column_mapping });

    expect([status, problem.code]).toEqual([400, 'column_unknown']);
    expect(problem.details).toMatchObject([{ path, available: ['question', 'answer', 'note', 'picture'] }]);
    expect(problem.message).toContain('"question", "answer", "note", "picture"');
    expect(await balance()).toMatchObject({ held: 0 });
  },
);

test('a 400 names the field: column_mapping where a run has none', async () => {
  const { status, problem } = await adapt({});

  expect([status, problem.code]).toEqual([400, 'column_mapping_required']);
  const available = dataset.columns?.map(({ name }) => name);
  expect(problem.details[0]).toMatchObject({ path: 'column_mapping', available });
  const [said = ''] = /\{.*\}/.exec(problem.message) ?? [];
  expect((await adapt({ column_mapping: JSON.parse(said) })).status).toBe(200);
});

test.each([
  [['prompt', 'chosen', 'rejected']],
  [['system', 'question', 'chosen', 'rejected']],
  [['input', 'preferred_output', 'non_preferred_output']],
])(
  'a 400 names the field: column_mapping where a run on pairs has none, and says which of %j to adapt',
  async (names) => {
    const columns = names.map((name) => ({ name, type: 'VARCHAR' }));
    const pairs = await seedDataset(world.store, owner, { row_count: 250, columns });

    const { problem } = await adapt({}, owner, pairs);

    const [said = ''] = /\{.*\}/.exec(problem.message) ?? [];
    expect((await adapt({ column_mapping: JSON.parse(said) }, owner, pairs)).status).toBe(200);
  },
);

test('a 400 names the field: column_mapping where a run has none, with as many columns as an error lists', async () => {
  const columns = Array.from({ length: 3000 }, (_, n) => ({ name: `column ${n}`, type: 'VARCHAR' }));
  const wide = await seedDataset(world.store, owner, { row_count: 250, columns });

  const { problem } = await adapt({}, owner, wide);

  expect(problem.message).toMatch(/"column 0", .* and \d+ more\./);
  expect(JSON.stringify(problem).length).toBeLessThan(20_000);
});

test('a 400 names the field: column_mapping where a run on documents has none, and says the mapping that makes instructions', async () => {
  const documents = await seedDataset(world.store, owner, {
    file_format: 'pdf',
    row_count: 250,
    columns: [...DOCUMENT_COLUMNS],
  });

  const { problem } = await adapt({}, owner, documents);

  expect(problem.code).toBe('column_mapping_required');
  const [said = ''] = /\{.*\}/.exec(problem.message) ?? [];
  expect((await adapt({ column_mapping: JSON.parse(said) }, owner, documents)).status).toBe(200);
});

test.each([
  [['languages[1]'], { type: 'translate', languages: ['de', 'klingonese', 'pt'], sample_rate: 0.5 }],
  [['languages[0]', 'languages[1]'], { type: 'translate', languages: ['xx', 'und'], sample_rate: 0.5 }],
  [['pairs[0].country'], { type: 'localize', pairs: [{ country: 'XX', language: 'de' }], sample_rate: 1 }],
  [
    ['pairs[1].language'],
    {
      type: 'localize',
      pairs: [
        { country: 'CH', language: 'de' },
        { country: 'br', language: 'qq' },
      ],
      sample_rate: 1,
    },
  ],
])(
  'a 400 names the language or country that is not known, with a sample of those that are: %j',
  async (paths, language_expansion) => {
    const { status, problem } = await adapt({ estimate: true, language_expansion });

    expect([status, problem.code]).toEqual([400, 'language_unsupported']);
    expect(problem.details.map(({ path }) => path)).toEqual(
      paths.map((path) => `language_expansion.${path}`),
    );
    expect(problem.details[0]?.sample).toEqual(
      expect.arrayContaining([expect.stringMatching(/^[A-Za-z]{2}/)]),
    );
  },
);

describe('a deduplication', () => {
  const recipe_specification = { recipes: { deduplication: true } };
  const large = () => seedDataset(world.store, owner, { row_count: 10_000_001 });

  test('a deduplication of more rows than can be compared is refused, priced or real, with the limit', async () => {
    for (const estimate of [true, false]) {
      const { status, problem } = await adapt(
        { column_mapping: mapping, recipe_specification, estimate },
        owner,
        await large(),
      );

      expect([status, problem.code]).toEqual([400, 'invalid_request']);
      expect(problem.details).toMatchObject([
        { path: 'recipe_specification.recipes.deduplication', limit: 10_000_000 },
      ]);
    }
  });

  test('a deduplication of a sample that can be compared is taken, and priced as if no row repeated another', async () => {
    const { body } = await adapt(
      {
        column_mapping: mapping,
        recipe_specification,
        job_specification: { max_rows: 1000 },
        estimate: true,
      },
      owner,
      await large(),
    );

    expect(body.estimatedCreditsConsumed).toBe(10);
  });
});

test('safety categories are looked for in every row, and no completion is blanked for them', async () => {
  const { body } = await adapt({
    column_mapping: mapping,
    brand_controls: { safety_categories: ['hate', 'hate', 'sexual'] },
  });

  const { specification } = JSON.parse(world.objects.text(`runs/${body.run_id}/request.json`));
  expect(specification.safety).toEqual({ categories: ['hate', 'sexual'], blanks_violations: false });
});

test.each([
  ['brand_controls.hallucination_mitigation', { brand_controls: { hallucination_mitigation: true } }],
])('a 422 names what this installation cannot do: %s', async (path, fields) => {
  const { status, problem } = await adapt({ column_mapping: mapping, ...fields });

  expect([status, problem.code]).toEqual([422, 'not_available_yet']);
  expect(problem.details.map((detail) => detail.path)).toEqual([path]);
  expect(problem.message).toContain(path);
});

test('a 422 names what this installation cannot do: also for an estimate', async () => {
  const { problem } = await adapt({
    estimate: true,
    brand_controls: { hallucination_mitigation: true },
  });

  expect(problem.code).toBe('not_available_yet');
});

test('a 422 names what this installation cannot do: a web search, priced or real, where no search provider is configured', async () => {
  for (const estimate of [true, false]) {
    const { problem } = await adapt({
      column_mapping: mapping,
      estimate,
      brand_controls: { hallucination_mitigation: true },
    });

    expect(problem.code).toBe('not_available_yet');
    expect(problem.message).toContain('brand_controls.hallucination_mitigation: needs a web search');
  }
});

test('a 422 names what this installation cannot do: but not for what is asked to be off', async () => {
  const { status } = await adapt({
    column_mapping: mapping,
    recipe_specification: { recipes: { deduplication: false, reasoning_traces: false } },
    brand_controls: { safety_categories: [], hallucination_mitigation: false },
    training_type: 'instruction_dataset',
  });

  expect(status).toBe(200);
});

test('a refusal of credits says how many are needed and how many there are', async () => {
  const poor = await seedTeam(world.store, 2);
  const theirs = await seedDataset(world.store, poor, { row_count: 250 });

  const { status, problem } = await adapt({ column_mapping: mapping }, poor, theirs);

  expect([status, problem.code]).toEqual([402, 'credits_insufficient']);
  expect(problem.details[0]).toMatchObject({ needed: 3, available: 2 });
  expect(await world.store.datasets.find(theirs.dataset_id)).toMatchObject({ state: 'awaiting_input' });
});

test('a refusal of the plan says how many rows it allows', async () => {
  const small = { ...owner, plan: { ...owner.plan, name: 'small', rows_per_launch: 200 } };

  const { status, problem } = await adapt({ column_mapping: mapping }, small);
  const fewer = await adapt({ column_mapping: mapping, job_specification: { max_rows: 200 } }, small);

  expect([status, problem.code]).toEqual([403, 'plan_limit_exceeded']);
  expect(problem.details[0]).toMatchObject({ path: 'job_specification.max_rows', limit: 200 });
  expect(fewer.status).toBe(200);
});

test('a refusal of a second run on the dataset is a 409 that clients do not repeat', async () => {
  await adapt({ column_mapping: mapping });

  const { status, headers, problem } = await adapt({ column_mapping: mapping });

  expect([status, problem.code]).toEqual([409, 'dataset_running']);
  expect(headers['x-should-retry']).toBe('false');
  expect(await balance()).toMatchObject({ held: 3 });
});

test('a refusal of more runs at once than the plan allows is a 429', async () => {
  const single = { ...owner, plan: { ...owner.plan, runs_at_once: 1 } };
  const other = await seedDataset(world.store, owner);
  await adapt({ column_mapping: mapping }, single);

  const { status, headers, problem } = await adapt({ column_mapping: mapping }, single, other);

  expect([status, problem.code]).toEqual([429, 'runs_limit_reached']);
  expect(headers['x-should-retry']).toBe('false');
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
});

test.each([
  ['awaiting_upload', /complete the upload/],
  ['awaiting_preprocessing', /start-adaption/],
  ['ingesting', /being read/],
  ['failed', /error_data/],
] as const)('a refusal of a dataset without rows that is %s says what it waits for', async (state, says) => {
  const empty = await seedDataset(world.store, owner, { state, row_count: null, columns: null });

  const real = await adapt({ column_mapping: mapping }, owner, empty);
  const estimate = await adapt({ estimate: true }, owner, empty);

  expect(real.problem).toMatchObject({ statusCode: 409, code: 'dataset_not_ready' });
  expect(real.problem.message).toMatch(says);
  expect(estimate.problem.code).toBe('dataset_not_ready');
});

test('a refusal of a start that failed returns the credits', async () => {
  world.executions.failStarts(new Error('the machine is gone'));

  const { status, problem, text } = await adapt({ column_mapping: mapping });

  expect([status, problem.code]).toEqual([503, 'service_unavailable']);
  expect(text).not.toContain('the machine is gone');
  expect(await balance()).toMatchObject({ available: 100, held: 0 });
  expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
});

test('a refusal of a start that failed leaves the dataset as it was, and later quotes what they were', async () => {
  const before = await world.store.datasets.find(dataset.dataset_id);
  const quote = async () => (await adapt({ estimate: true, column_mapping: mapping })).body;
  const quoted = await quote();
  world.executions.failStarts(new Error('the machine is gone'));

  const { status } = await adapt({
    column_mapping: mapping,
    language_expansion: { type: 'translate', languages: ['es'], sample_rate: 1 },
  });

  expect(status).toBe(503);
  const {
    updated_at: _at,
    latest_version: _version,
    ...after
  } = (await world.store.datasets.find(dataset.dataset_id)) as DatasetRecord;
  expect(before).toMatchObject(after);
  expect(await quote()).toEqual(quoted);
});

describe('an idempotency key', () => {
  const keyed = { column_mapping: mapping, job_specification: { idempotency_key: 'once' } };

  test('an idempotency key answers the first response byte for byte, and starts nothing more', async () => {
    const first = await adapt(keyed);

    const again = await adapt(keyed);

    expect(again.text).toBe(first.text);
    expect(await balance()).toMatchObject({ held: 3 });
    expect(world.executions.started.size).toBe(1);
  });

  test('an idempotency key of /adapt is refused by /run, which reads the same request in another way, and answers there', async () => {
    const onRun = (body: typeof keyed) =>
      world.call(run, { as: owner, params: { dataset_id: dataset.dataset_id }, body });
    await adapt(keyed);

    const { status, problem } = await onRun(keyed);

    expect([status, problem.code]).toEqual([422, 'idempotency_mismatch']);

    const other = await seedDataset(world.store, owner);
    const params = { dataset_id: other.dataset_id };
    const first = await world.call(run, { as: owner, params, body: keyed });
    expect((await world.call(run, { as: owner, params, body: keyed })).text).toBe(first.text);
    expect((await adapt(keyed, owner, other)).status).toBe(422);
  });

  test('an idempotency key with another body is a 422', async () => {
    await adapt(keyed);

    const { status, problem } = await adapt({ ...keyed, brand_controls: { length: 'concise' } });

    expect([status, problem.code]).toEqual([422, 'idempotency_mismatch']);
    expect(problem.details[0]?.path).toBe('job_specification.idempotency_key');
  });

  test('an idempotency key belongs to its dataset', async () => {
    const other = await seedDataset(world.store, owner);
    const first = await adapt(keyed);

    const second = await adapt(keyed, owner, other);

    expect(second.body.run_id).not.toBe(first.body.run_id);
  });

  test.each([
    ['a web search', { hasSearch: true }, { brand_controls: { hallucination_mitigation: true } }],
    [
      'batch jobs',
      { hasBatchJobs: true },
      { job_specification: { idempotency_key: 'once', processing: 'batch' } },
    ],
  ])('an idempotency key answers also when %s was removed since', async (_, installed, asked) => {
    const request = {
      as: owner,
      params: { dataset_id: dataset.dataset_id },
      body: { ...keyed, ...asked },
    };
    const first = await world.call(handler, request, installed);

    expect(first.status).toBe(200);
    expect((await world.call(handler, request)).text).toBe(first.text);
    expect((await adapt({ ...keyed, ...asked, estimate: true })).problem.code).toBe('not_available_yet');
  });

  test('an idempotency key answers also when the credits are used up since', async () => {
    const poor = await seedTeam(world.store, 3);
    const theirs = await seedDataset(world.store, poor, { row_count: 250 });
    const first = await adapt(keyed, poor, theirs);

    expect((await adapt(keyed, poor, theirs)).text).toBe(first.text);
  });
});

describe('a real run that verifies answers', () => {
  const verified = (recipes: object, more: object = {}) =>
    adapt({ column_mapping: mapping, recipe_specification: { recipes }, ...more });
  const specificationOf = async (body: { run_id: string | null }) =>
    RunRequestObject.parse(JSON.parse(world.objects.text(`runs/${body.run_id}/request.json`))).specification;

  test.each([
    [{}, undefined],
    [{ verification: 'off' }, 'off'],
    [{ verification: 'flag' }, 'flag'],
    [{ verification: 'correct' }, 'correct'],
  ])(
    'a real run that verifies answers by %j keeps apart what was left out and what was switched off',
    async (recipes, verification) => {
      const { body } = await verified(recipes);

      expect((await specificationOf(body)).verification).toBe(verification);
    },
  );

  test('a real run that verifies answers is quoted by the rows that the model is asked about', async () => {
    const minutes = async (recipes: object) =>
      (await verified(recipes, { estimate: true })).body.estimatedMinutes;
    const [none, some, all] = [
      await minutes({}),
      await minutes({ verification: 'flag', verification_rows: 50 }),
      await minutes({ verification: 'flag' }),
    ];

    expect(none).toBeLessThan(some);
    expect(some).toBeLessThan(all);
    expect(await minutes({ verification: 'off' })).toBe(none);
    expect(await minutes({ verification: 'flag', verification_rows: 250 })).toBe(all);
    const { notes } = (await verified({ verification: 'flag', verification_rows: 50 }, { estimate: true }))
      .body;
    expect(notes).toEqual([
      'The model is asked whether answers are true about 50 of 250 rows: those that are doubted without it come first.',
    ]);
  });

  test('a real run that verifies rows without answers of their own says that the model is asked about none, and takes no longer', async () => {
    const quoteOf = async (recipes: object) =>
      (await verified(recipes, { column_mapping: { prompt: mapping.prompt }, estimate: true })).body;
    const [plain, asking] = [await quoteOf({}), await quoteOf({ verification: 'flag' })];

    expect(asking.estimatedMinutes).toBe(plain.estimatedMinutes);
    expect(asking.notes).toContain(
      'verification asks the model about no row: it needs a column of prompts and one of completions.',
    );
  });

  test.each([{}, { verification: 'off' }])(
    'a real run that verifies answers takes no bound of rows without a model to ask: %j',
    async (recipes) => {
      const refused = await verified({ ...recipes, verification_rows: 5 });

      expect(refused.status).toBe(400);
      expect(JSON.stringify(refused.problem)).toContain(
        'recipe_specification.recipes.verification_rows: counts',
      );
      expect(world.executions.started.size).toBe(0);
    },
  );

  test.each([0, -1, 1.5, '5', 1_000_001])(
    'a real run that verifies answers refuses %j as a number of rows',
    async (verification_rows) => {
      expect((await verified({ verification: 'flag', verification_rows })).status).toBe(400);
    },
  );
});
