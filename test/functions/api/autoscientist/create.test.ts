import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#functions/api/autoscientist/create.ts';
import type { Voucher } from '#shared/access/decide/vouchers/record.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import { createTraining } from '#shared/training/create-training.ts';
import { seedRows } from '#test/helpers/combining.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { faultsOf } from '#test/helpers/store-contract.ts';
import { endTrainingNow, launchTraining, SMALL_MODEL, seedTrainable } from '#test/helpers/training.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
  dataset = await seedTrainable(world, owner);
});

const create = (body: Record<string, unknown> = {}, as = owner) =>
  world.call(handler, { as, body: { dataset_id: dataset.dataset_id, ...body } });
const recordOf = async (id: string) => {
  const record = await world.store.trainings.find(owner.team_id, id);
  if (record === null) throw new Error('There is no such training.');
  return record;
};
const balance = async () => {
  const found = await world.store.ledger.findBalance(owner.team_id);
  return { available: found?.available, held: found?.held, runs: found?.active_runs };
};

test('a training is answered with all that was left open resolved, and its execution is started', async () => {
  const { status, body } = await create();

  expect(status).toBe(202);
  expect(body).toEqual({
    id: expect.any(String),
    dataset_id: dataset.dataset_id,
    dataset_version: 1,
    model: SMALL_MODEL,
    status: 'pending',
    created_at: expect.any(String),
    completed_at: null,
    iterations_completed: 0,
    max_iterations: 3,
    target_win_rate: 0.7,
    best_win_rate: null,
    best_win_rate_method: null,
    training_method: 'instruction',
    data_format: 'chat',
    best_hyperparams: null,
    column_mapping: null,
    download_available: false,
    error: null,
  });
  expect(world.executions.started.get(body.id)).toEqual({
    run_id: body.id,
    dataset_id: dataset.dataset_id,
    team_id: owner.team_id,
  });
  expect(await balance()).toEqual({ available: 100, held: 0, runs: 1 });
});

test('a training leaves its dataset as it is', async () => {
  await create();

  expect(await world.store.datasets.find(dataset.dataset_id)).toEqual(dataset);
});

test('a training keeps what its caller fixed, what follows from it, and why', async () => {
  const mapping = { prompt: 'answer', completion: 'question' };
  const { body } = await create({
    column_mapping: mapping,
    data_format: 'instruction',
    hyperparams: { lora_r: 8, n_epochs: 1 },
    max_iterations: 10,
    target_win_rate: 1,
  });

  const record = await recordOf(body.id);
  expect(body).toMatchObject({
    column_mapping: mapping,
    data_format: 'instruction',
    max_iterations: 10,
    target_win_rate: 1,
  });
  expect(record).toMatchObject({
    source_rows: 60,
    source_run_id: null,
    trainer: 'gpu',
    data_format: 'instruction',
    columns: { prompt: 'answer', completion: 'question', reasoning_trace: null },
    overrides: { lora_r: 8, n_epochs: 1 },
    recommended: [{ method: 'sft', hyperparams: { lora_r: 8, lora_alpha: 16, n_epochs: 1 } }],
  });
  expect(record.explanation.join(' ')).toContain('n_epochs, lora_r');
});

test('a training keeps the budget of the plan for the rows that it adds', async () => {
  const plan = { ...DEFAULT_PLAN, tokens_per_run: 5000, minutes_per_run: 30 };
  const { body } = await create({ augmentation_domain_rows: 10 }, { ...owner, plan });

  expect((await recordOf(body.id)).augmentation_budget).toEqual({
    tokens: 5000,
    minutes: 30,
    unbilled_tokens: 20_000_000,
  });
});

test('a training of a constant schedule is one', async () => {
  const { body } = await create({ hyperparams: { lr_scheduler_type: 'constant' } });

  expect((await recordOf(body.id)).overrides.lr_scheduler_type).toBe('constant');
});

test('a training of preferences has two stages where rows are pairs, and is one of instructions where they are not', async () => {
  const pairs = await seedTrainable(world, owner, 60, {
    configured_column_mapping: { prompt: 'question', chosen: 'answer', rejected: 'worse', context: [] },
  });
  const asked = { training_method: 'alignment' };

  const [aligned, downgraded] = [
    (await create({ ...asked, dataset_id: pairs.dataset_id })).body,
    (await create(asked)).body,
  ];

  expect([aligned.training_method, downgraded.training_method]).toEqual(['alignment', 'instruction']);
  expect((await recordOf(aligned.id)).recommended.map(({ method }) => method)).toEqual(['sft', 'dpo']);
  expect((await recordOf(downgraded.id)).explanation.join(' ')).toContain('downgraded');
});

test('credits are reserved for rows that are added, and for nothing else', async () => {
  await create({ augmentation_domain_rows: 101, augmentation_general_rows: 100 });

  expect(await balance()).toEqual({ available: 70, held: 30, runs: 1 });
  expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
});

test('credits that a team lacks are named', async () => {
  const { problem } = await create({ augmentation_general_rows: 1001 });

  expect(problem).toMatchObject({ statusCode: 402, code: 'credits_insufficient' });
  expect(await balance()).toEqual({ available: 100, held: 0, runs: 0 });
});

test('credits are not spent on more rows than the plan allows', async () => {
  const small = { ...owner, plan: { ...DEFAULT_PLAN, rows_per_launch: 50 } };

  const { problem } = await create({ augmentation_domain_rows: 51 }, small);

  expect(problem).toMatchObject({ statusCode: 403, code: 'plan_limit_exceeded' });
  expect(problem.details[0]?.path).toBe('augmentation_domain_rows');
});

test('credits return where the execution could not be started, and the dataset can be trained on anew', async () => {
  world.executions.failStarts(new Error('no'));
  const asked = { augmentation_domain_rows: 100, idempotency_key: 'k' };

  expect((await create(asked)).problem.code).toBe('service_unavailable');
  expect(await balance()).toEqual({ available: 100, held: 0, runs: 0 });
  world.executions.failStarts(null);

  expect((await create(asked)).status).toBe(202);
});

describe('a dataset of which too few rows can be used', () => {
  const seed = (lines: readonly object[]) =>
    seedRows(
      world,
      owner,
      { question: 'VARCHAR', answer: 'VARCHAR', spare: 'VARCHAR' },
      lines.map((line) => JSON.stringify(line)),
      { configured_column_mapping: { prompt: 'question', completion: 'answer', context: [] } },
    );
  const sixty = (answerOf: (n: number) => string) =>
    seed(Array.from({ length: 60 }, (_, n) => ({ question: `q${n}`, answer: answerOf(n), spare: 'a' })));

  test('a dataset of which no row can be used is refused with the count and the reason', async () => {
    const { dataset_id } = await sixty(() => ' ');

    const { status, problem } = await create({ dataset_id });

    expect([status, problem.code]).toEqual([422, 'dataset_untrainable']);
    expect(problem.message).toContain('and 0 rows of the dataset can be used (60 have no completion)');
    expect(await balance()).toMatchObject({ held: 0, runs: 0 });
  });

  test('a dataset with fewer rows than its model needs is refused, unless rows are added', async () => {
    const { dataset_id } = await sixty((n) => (n < 39 ? 'a' : ''));

    expect((await create({ dataset_id })).problem.message).toContain(
      'and 39 rows of the dataset can be used (21 have no completion)',
    );
    expect((await create({ dataset_id, augmentation_domain_rows: 1 })).status).toBe(202);
  });

  test('a dataset with enough rows for a larger model, but too few that can be used, gets the model of these', async () => {
    const lines = Array.from({ length: 1200 }, (_, n) => ({ question: `q${n}`, answer: n < 400 ? 'a' : '' }));
    const { dataset_id } = await seed(lines);

    const { status, body } = await create({ dataset_id });

    expect([status, body.model]).toEqual([202, SMALL_MODEL]);
    const { recommended, effective_rows } = await recordOf(body.id);
    expect(effective_rows).toBe(400);
    const alone = await create({ dataset_id: (await seed(lines.slice(0, 400))).dataset_id });
    expect((await recordOf(alone.body.id)).recommended).toEqual(recommended);
  });

  test.each<[string, (n: number) => string]>([
    ['no row has a prompt', () => ' '],
    ['one row alone has a prompt', (n) => (n === 7 ? 'Why?' : '')],
  ])('a dataset of texts of which %s is refused: no model of it could be compared', async (_, question) => {
    const lines = Array.from({ length: 60 }, (_, n) => ({ question: question(n), answer: `Text ${n}.` }));
    const { dataset_id } = await seed(lines);

    const { status, problem } = await create({ dataset_id });

    expect([status, problem.code]).toEqual([422, 'dataset_untrainable']);
    expect(problem.message).toContain('too few different rows of the dataset have a prompt');
    expect(await balance()).toMatchObject({ held: 0, runs: 0 });
  });

  test('texts without a prompt are trained on beside rows that have one', async () => {
    const lines = Array.from({ length: 60 }, (_, n) => ({ question: n < 2 ? `q${n}` : '', answer: `a${n}` }));

    expect((await create({ dataset_id: (await seed(lines)).dataset_id })).status).toBe(202);
  });

  test('a dataset with other columns that can be used is taken by these', async () => {
    const { dataset_id } = await sixty(() => '');

    expect((await create({ dataset_id, column_mapping: { completion: 'spare' } })).status).toBe(202);
  });
});

describe('vouchers', () => {
  const seedVoucher = (fields: Partial<Voucher> = {}) =>
    world.store.vouchers.create({
      code: 'SPRING',
      percent: 25,
      uses: 0,
      uses_max: 1,
      valid_until: null,
      team_id: null,
      created_at: '2026-01-01T00:00:00.000Z',
      revoked_at: null,
      ...fields,
    });
  const asked = { voucher: 'SPRING', augmentation_domain_rows: 100 };

  test('vouchers take their share off, and are used by the launch', async () => {
    await seedVoucher();

    const { body } = await create(asked);

    expect(await balance()).toMatchObject({ available: 92, held: 8 });
    expect((await world.store.vouchers.find('SPRING'))?.uses).toBe(1);
    expect(await recordOf(body.id)).toMatchObject({ voucher: 'SPRING', discount_percent: 25 });
  });

  test('vouchers are not used by a launch that is refused', async () => {
    await seedVoucher();

    await create({ ...asked, augmentation_domain_rows: 2000 });
    await create({ ...asked, hyperparams: { batch_size: 9 } });

    expect((await world.store.vouchers.find('SPRING'))?.uses).toBe(0);
  });

  test('vouchers are not used by a training that costs nothing, but checked', async () => {
    await seedVoucher();

    const { body } = await create({ voucher: 'SPRING' });
    await endTrainingNow(world, await recordOf(body.id), {});

    expect((await world.store.vouchers.find('SPRING'))?.uses).toBe(0);
    expect((await create({ voucher: 'AUTUMN' })).problem).toMatchObject({ code: 'voucher_invalid' });
  });

  test('vouchers stay used by a training that succeeded', async () => {
    await seedVoucher();
    const { body } = await create(asked);

    await endTrainingNow(world, await recordOf(body.id), { billedCredits: 8 });

    expect((await world.store.vouchers.find('SPRING'))?.uses).toBe(1);
  });

  test('vouchers are given back by a training that was cancelled before it cost anything', async () => {
    await seedVoucher();
    const { body } = await create(asked);

    await endTrainingNow(world, await recordOf(body.id), { error: 'run_cancelled' });

    expect((await world.store.vouchers.find('SPRING'))?.uses).toBe(0);
    expect(await balance()).toMatchObject({ available: 100, held: 0 });
  });

  test('vouchers are redeemed as often as they may be, also by launches at once', async () => {
    await seedVoucher({ uses_max: 1 });
    const other = await seedTrainable(world, owner);

    const answers = await Promise.all([create(asked), create({ ...asked, dataset_id: other.dataset_id })]);

    expect(answers.map(({ status }) => status).sort()).toEqual([202, 400]);
    expect((await world.store.vouchers.find('SPRING'))?.uses).toBe(1);
  });

  test.each<[string, Partial<Voucher> | null, RegExp]>([
    ['unknown', null, /not a voucher/],
    ['another team’s', { team_id: 'other' }, /not a voucher/],
    ['expired', { valid_until: '2026-01-02T00:00:00.000Z' }, /expired/],
    ['used up', { uses: 1 }, /used up/],
    ['revoked', { revoked_at: '2026-01-02T00:00:00.000Z' }, /revoked/],
  ])('vouchers that are %s are refused', async (_, fields, message) => {
    if (fields !== null) await seedVoucher(fields);

    const { problem } = await create(asked);

    expect(problem).toMatchObject({ statusCode: 400, code: 'voucher_invalid' });
    expect(problem.details[0]).toMatchObject({ path: 'voucher', message: expect.stringMatching(message) });
    expect(await balance()).toMatchObject({ available: 100, runs: 0 });
  });
});

test('an idempotency key answers the training as it stands now, as long as that is active', async () => {
  const first = (await create({ idempotency_key: 'k' })).body;
  await world.store.trainings.recordProgress(first.id, { status: 'running', iterations_completed: 1 });

  const again = (await create({ idempotency_key: 'k' })).body;

  expect(again).toEqual({ ...first, status: 'running', iterations_completed: 1 });
  expect(world.executions.started.size).toBe(1);
});

test('an idempotency key is free once the training has ended', async () => {
  const first = (await create({ idempotency_key: 'k' })).body;
  await endTrainingNow(world, await recordOf(first.id), {});

  const { status, body } = await create({ idempotency_key: 'k' });

  expect(status).toBe(202);
  expect(body.id).not.toBe(first.id);
  expect(body.status).toBe('pending');
});

test('an idempotency key begins a new training where the one it stood for ends while the request is looked at', async () => {
  const first = (await create({ idempotency_key: 'k' })).body;
  const { store, launchRun } = world;
  let isFirst = true;
  const ports = {
    ...store,
    objects: world.objects,
    trainers: ['gpu'] as const,
    launchRun: (async (input) => {
      const answered = await launchRun(input);
      if (isFirst) await endTrainingNow(world, await recordOf(first.id), {});
      isFirst = false;
      return answered;
    }) as typeof launchRun,
  };
  const request = { dataset_id: dataset.dataset_id, idempotency_key: 'k' };

  const { id } = await createTraining(ports, { caller: owner, request, now: Date.now() });

  expect(id).not.toBe(first.id);
  expect((await recordOf(id)).status).toBe('pending');
});

test('an idempotency key belongs to one request', async () => {
  await create({ idempotency_key: 'k' });

  const { problem } = await create({ idempotency_key: 'k', max_iterations: 1 });

  expect(problem).toMatchObject({ statusCode: 422, code: 'idempotency_mismatch' });
  expect(problem.details[0]?.path).toBe('idempotency_key');
});

test('an idempotency key is that of one dataset', async () => {
  const other = await seedTrainable(world, owner);
  const first = (await create({ idempotency_key: 'k' })).body;

  const { body } = await create({ idempotency_key: 'k', dataset_id: other.dataset_id });

  expect(body.id).not.toBe(first.id);
});

test('a dataset has one training at once', async () => {
  const { experiment_id } = await launchTraining(world, dataset);

  const { problem } = await create();

  expect(problem).toMatchObject({ statusCode: 409, code: 'training_running' });
  expect(problem.message).toContain(experiment_id);
});

test('a team has as many runs at once as its plan allows', async () => {
  const small = { ...owner, plan: { ...DEFAULT_PLAN, runs_at_once: 1 } };
  const other = await seedTrainable(world, owner);
  await create({}, small);

  const { problem } = await create({ dataset_id: other.dataset_id }, small);

  expect(problem).toMatchObject({ statusCode: 429, code: 'runs_limit_reached' });
});

test('another team’s dataset is refused, and one that there is not', async () => {
  const foreign = await create({}, strangerTo(owner));
  const missing = await create({ dataset_id: crypto.randomUUID() });

  expect([foreign.problem.code, missing.problem.code]).toEqual(['dataset_not_found', 'dataset_not_found']);
});

test.each<[string, Partial<DatasetRecord>]>([
  ['waits for its adaptation', { state: 'awaiting_input' }],
  ['is being adapted', { state: 'running', run_id: 'r' }],
  [
    'has an image as context',
    {
      state: 'succeeded',
      configured_column_mapping: { prompt: 'question', image: 'answer', context: ['answer'] },
    },
  ],
])('a dataset that %s is refused', async (_, fields) => {
  const { dataset_id } = await seedDataset(world.store, owner, fields);

  const { problem } = await create({ dataset_id });

  expect(problem).toMatchObject({ statusCode: 422, code: 'dataset_untrainable' });
});

test.each([
  ['surprise', { surprise: 1 }],
  ['hyperparams.surprise', { hyperparams: { surprise: 1 } }],
  ['column_mapping.context', { column_mapping: { prompt: 'question', context: ['answer'] } }],
  ['max_iterations', { max_iterations: 0 }],
  ['max_iterations', { max_iterations: 11 }],
  ['target_win_rate', { target_win_rate: 0 }],
  ['target_win_rate', { target_win_rate: 1.01 }],
  ['data_format', { data_format: 'preference' }],
  ['training_method', { training_method: 'dpo' }],
  ['augmentation_domain_rows', { augmentation_domain_rows: 40_001 }],
  ['augmentation_general_rows', { augmentation_general_rows: 50_001 }],
  ['idempotency_key', { idempotency_key: '' }],
  ['dataset_id', { dataset_id: undefined }],
  ['hyperparams.n_epochs', { hyperparams: { n_epochs: 0 } }],
  ['hyperparams.n_epochs', { hyperparams: { n_epochs: 21 } }],
  ['hyperparams.learning_rate', { hyperparams: { learning_rate: 9e-9 } }],
  ['hyperparams.learning_rate', { hyperparams: { learning_rate: 0.011 } }],
  ['hyperparams.lora_r', { hyperparams: { lora_r: 0 } }],
  ['hyperparams.lora_r', { hyperparams: { lora_r: 65 } }],
  ['hyperparams.lora_r', { hyperparams: { lora_r: 7.5 } }],
  ['hyperparams.lora_dropout', { hyperparams: { lora_dropout: -0.1 } }],
  ['hyperparams.lora_dropout', { hyperparams: { lora_dropout: 1.1 } }],
  ['hyperparams.batch_size', { hyperparams: { batch_size: 0 } }],
  ['hyperparams.lr_scheduler_type', { hyperparams: { lr_scheduler_type: 'polynomial' } }],
  ['hyperparams.min_lr_ratio', { hyperparams: { min_lr_ratio: -0.1 } }],
  ['hyperparams.min_lr_ratio', { hyperparams: { min_lr_ratio: 1.1 } }],
  ['hyperparams.scheduler_num_cycles', { hyperparams: { scheduler_num_cycles: -1 } }],
  ['hyperparams.scheduler_num_cycles', { hyperparams: { scheduler_num_cycles: 5 } }],
  ['hyperparams.warmup_ratio', { hyperparams: { warmup_ratio: -0.1 } }],
  ['hyperparams.warmup_ratio', { hyperparams: { warmup_ratio: 2 } }],
  ['hyperparams.max_grad_norm', { hyperparams: { max_grad_norm: -1 } }],
  ['hyperparams.weight_decay', { hyperparams: { weight_decay: -0.1 } }],
  ['hyperparams.dpo_beta', { hyperparams: { dpo_beta: 0.04 } }],
  ['hyperparams.dpo_beta', { hyperparams: { dpo_beta: 0.91 } }],
  ['hyperparams.rpo_alpha', { hyperparams: { rpo_alpha: -1 } }],
  ['hyperparams.simpo_gamma', { hyperparams: { simpo_gamma: -1 } }],
  ['hyperparams.training_type', { hyperparams: { training_type: 'qlora' } }],
])('%s out of its range is refused: %o', async (path, body) => {
  const { problem } = await create(body);

  expect(problem).toMatchObject({ statusCode: 400, code: 'invalid_request' });
  expect(problem.details[0]?.path).toBe(path);
});

test.each([
  { n_epochs: 1, learning_rate: 1e-8, lora_r: 1, lora_alpha: 1, lora_dropout: 0, min_lr_ratio: 0 },
  { scheduler_num_cycles: 0, warmup_ratio: 0, max_grad_norm: 0, weight_decay: 0 },
  { dpo_beta: 0.05, rpo_alpha: 0, simpo_gamma: 0 },
  { n_epochs: 20, learning_rate: 0.01, lora_r: 64, lora_alpha: 128, lora_dropout: 1, min_lr_ratio: 1 },
  { scheduler_num_cycles: 4, warmup_ratio: 1, dpo_beta: 0.9 },
])('the ends of a range are in it: %o is refused', async (hyperparams) => {
  expect((await create({ hyperparams })).status).toBe(202);
});
