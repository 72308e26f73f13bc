import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/autoscientist/recommend-hyperparams.ts';
import { assembleRun } from '#shared/lifecycle/assemble-run.ts';
import { endAdaptation } from '#shared/lifecycle/end-adaptation.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { READ_BYTES_MAX } from '#shared/training/require-examples.ts';
import { finishBatches, noBatchJobs, startRun } from '#test/helpers/active-run.ts';
import { seedRows } from '#test/helpers/combining.ts';
import { NOW, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

const TEXT = { question: 'VARCHAR', answer: 'VARCHAR' };
const linesOf = (count: number, padding = ''): string[] =>
  Array.from({ length: count }, (_, n) => JSON.stringify({ question: `q${n}`, answer: `a${padding}` }));
const recommend = (body: Record<string, unknown>, as = owner) => world.call(handler, { as, body });

test('a recommendation is that for the rows of the dataset and those that are to be added', async () => {
  const { dataset_id } = await seedRows(world, owner, TEXT, linesOf(1000));

  const alone = (await recommend({ dataset_id })).body;
  const augmented = (
    await recommend({ dataset_id, augmentation_domain_rows: 3000, augmentation_general_rows: 1000 })
  ).body;

  expect(alone).toMatchObject({ model: 'google/gemma-3-4b-it', hyperparams: { n_epochs: 4, lora_r: 16 } });
  expect(augmented).toMatchObject({ model: 'Qwen/Qwen3.5-9B', hyperparams: { n_epochs: 2, lora_r: 32 } });
  expect((await recommend({ dataset_id })).body).toEqual(alone);
});

test('a recommendation for one row is refused, with the minimum of the model', async () => {
  const { dataset_id } = await seedRows(world, owner, TEXT, linesOf(1));

  const { status, problem } = await recommend({ dataset_id });

  expect([status, problem.code]).toEqual([400, 'invalid_request']);
  expect(problem.details).toMatchObject([{ path: 'dataset_id', minimum: 40, rows: 1 }]);
  expect((await recommend({ dataset_id, augmentation_domain_rows: 1 })).status).toBe(200);
});

test('a recommendation is for the rows that can be used: others change neither its model nor its epochs', async () => {
  const usable = linesOf(600);
  const others = usable.map((line) => JSON.stringify({ ...JSON.parse(line), answer: ' ' }));
  const alone = await seedRows(world, owner, TEXT, usable);
  const { dataset_id } = await seedRows(world, owner, TEXT, [...others, ...usable]);

  const { body } = await recommend({ dataset_id });

  expect(body).toEqual((await recommend({ dataset_id: alone.dataset_id })).body);
  expect(body.model).toBe('HuggingFaceTB/SmolLM2-135M-Instruct');
  const none = await seedRows(world, owner, TEXT, others);
  expect((await recommend({ dataset_id: none.dataset_id })).problem.message).toContain(
    'has 600 rows, of which 0 can be used',
  );
});

test('a recommendation takes the rows of a large dataset to be like the first of them, which it reads', async () => {
  const spare = 'x'.repeat(4000);
  const lines = linesOf(10_000).map((line, n) =>
    JSON.stringify({ ...JSON.parse(line), ...(n % 2 === 0 ? {} : { answer: '' }), spare }),
  );
  const { dataset_id } = await seedRows(world, owner, { ...TEXT, spare: 'VARCHAR' }, lines);
  const usable = await seedRows(world, owner, TEXT, linesOf(5000));
  const model = 'HuggingFaceTB/SmolLM2-135M-Instruct';
  let bytes = 0;
  const { read } = world.objects;
  world.objects.read = async (key) => {
    const body = await read(key);
    bytes += body?.length ?? 0;
    return body;
  };

  const { body } = await recommend({ dataset_id, model });

  expect(bytes).toBeLessThan(1.5 * READ_BYTES_MAX);
  expect(body).toEqual((await recommend({ dataset_id: usable.dataset_id, model })).body);
});

test('a recommendation of a large dataset, of whose first rows none can be used, is made for all of its rows', async () => {
  const [spare, model] = ['x'.repeat(4000), 'HuggingFaceTB/SmolLM2-135M-Instruct'];
  const lines = linesOf(10_000).map((line, n) =>
    JSON.stringify({ ...JSON.parse(line), ...(n < 9990 ? { answer: '' } : {}), spare }),
  );
  const { dataset_id } = await seedRows(world, owner, { ...TEXT, spare: 'VARCHAR' }, lines);
  const usable = await seedRows(world, owner, TEXT, linesOf(10_000));

  const { body } = await recommend({ dataset_id, model });

  expect(body).toEqual((await recommend({ dataset_id: usable.dataset_id, model })).body);
});

test('a recommendation is for the model that the caller names', async () => {
  const { dataset_id } = await seedRows(world, owner, TEXT, linesOf(1000));

  const { body } = await recommend({ dataset_id, model: 'openai/gpt-oss-20b' });

  expect(body.model).toBe('openai/gpt-oss-20b');
});

test('a recommendation takes a model whose context holds long rows', async () => {
  const { dataset_id } = await seedRows(world, owner, TEXT, linesOf(1000, 'x'.repeat(75_000)));

  // A row of 75,000 bytes is taken to have 25,000 tokens, and a long one four times as many.
  expect((await recommend({ dataset_id })).body.model).toBe('google/gemma-3-4b-it');
  expect((await recommend({ dataset_id, augmentation_domain_rows: 40_000 })).body.model).toBe(
    'google/gemma-3-4b-it',
  );
});

test('a recommendation for preference pairs is one of SFT, as creation is, and of DPO where alignment is asked for', async () => {
  const pairs = Array.from({ length: 1000 }, (_, n) => ({ question: `q${n}`, answer: 'a', worse: 'b' }));
  const lines = pairs.map((pair) => JSON.stringify(pair));
  const { dataset_id } = await seedRows(world, owner, { ...TEXT, worse: 'VARCHAR' }, lines, {
    configured_column_mapping: { prompt: 'question', chosen: 'answer', rejected: 'worse', context: [] },
  });

  expect((await recommend({ dataset_id })).body.hyperparams).not.toHaveProperty('dpo_beta');
  const { body } = await recommend({ dataset_id, training_method: 'alignment' });
  expect(body.hyperparams).toMatchObject({
    dpo_beta: 0.1,
    learning_rate: 1e-5,
  });
});

test('a recommendation counts the rows that a run delivered, not those that it dropped', async () => {
  const active = await startRun(world, { rows: 30 });
  await finishBatches(world, active, (row) => (row < 10 ? 'dropped' : 'changed'));
  const { datasets, runs, trainings } = world.store;
  const { context } = active;
  const ports = {
    datasets,
    runs,
    trainings,
    objects: world.objects,
    endRun: world.endRun,
    endBatchJobs: noBatchJobs,
  };
  await assembleRun(ports, context, { now: NOW });
  await endAdaptation(ports, context, null, NOW);
  const modelFor = async (augmentation_domain_rows: number) =>
    (await recommend({ dataset_id: active.run.dataset_id, augmentation_domain_rows }, active.caller)).body
      .model;

  expect(await modelFor(980)).toBe('google/gemma-3-4b-it');
  expect(await modelFor(979)).not.toBe('google/gemma-3-4b-it');
});

test('a dataset with an image as its context is refused, a dataset that is not adapted, one of another team', async () => {
  const image = await seedRows(world, owner, TEXT, linesOf(3), {
    configured_column_mapping: { prompt: 'question', image: 'answer', context: ['answer'] },
  });
  const waiting = await seedDataset(world.store, owner, { state: 'awaiting_input' });
  const stranger = await seedTeam(world.store, 0);

  const [seen, early, foreign] = [
    await recommend({ dataset_id: image.dataset_id }),
    await recommend({ dataset_id: waiting.dataset_id }),
    await recommend({ dataset_id: image.dataset_id }, stranger),
  ];

  expect(seen.problem).toMatchObject({ statusCode: 422, code: 'dataset_untrainable' });
  expect(seen.problem.message).toContain('image');
  expect(early.problem).toMatchObject({ statusCode: 422, code: 'dataset_untrainable' });
  expect(early.problem.message).toContain('adapt it first');
  expect(foreign.problem).toMatchObject({ statusCode: 404, code: 'dataset_not_found' });
});

test('a model that no trainer knows is refused, with those that are known', async () => {
  const { dataset_id } = await seedRows(world, owner, TEXT, linesOf(3));

  const { problem } = await recommend({ dataset_id, model: 'nobody/nothing' });

  expect(problem).toMatchObject({ statusCode: 422, code: 'model_unsupported' });
  expect(problem.details?.[0]).toMatchObject({
    path: 'model',
    available: expect.arrayContaining(['Qwen/Qwen3.5-9B']),
  });
});

test.each([
  ['augmentation_domain_rows', 40_001],
  ['augmentation_domain_rows', -1],
  ['augmentation_general_rows', 50_001],
  ['augmentation_general_rows', 0.5],
])('%s of %d is refused', async (field, value) => {
  const { problem } = await recommend({ dataset_id: 'any', [field]: value });

  expect(problem).toMatchObject({ statusCode: 400, details: [{ path: field }] });
});
