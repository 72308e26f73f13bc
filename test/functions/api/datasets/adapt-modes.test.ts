import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/adapt.ts';
import { handler as get } from '#functions/api/datasets/get.ts';
import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { ColumnProfile } from '#shared/tabular/schema/rows-manifest.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;

const seen = (fields: Partial<ColumnProfile> = {}): ColumnProfile => ({
  is_empty: false,
  not_chat: { row: 0, problem: 'is not a JSON array of turns' },
  image_format: null,
  ...fields,
});

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
  dataset = await seedDataset(world.store, owner, {
    row_count: 250,
    image_column_formats: { picture: 'url' },
    columns: [
      { name: 'question', type: 'VARCHAR', profile: seen() },
      { name: 'answer', type: 'VARCHAR', profile: seen() },
      { name: 'turns', type: 'JSON', profile: seen({ not_chat: null }) },
      { name: 'broken', type: 'JSON', profile: seen({ not_chat: { row: 7, problem: 'has no turns' } }) },
      { name: 'nothing', type: 'VARCHAR', profile: seen({ not_chat: null, is_empty: true }) },
      { name: 'picture', type: 'VARCHAR', profile: seen({ image_format: 'url' }) },
      { name: 'links', type: 'VARCHAR', profile: seen({ mapped_image_format: 'url' }) },
      { name: 'unseen', type: 'VARCHAR' },
    ],
  });
});

const adapt = (body: unknown, overrides = {}) =>
  world.call(handler, { as: owner, params: { dataset_id: dataset.dataset_id }, body }, overrides);
const specificationOf = (runId: string | null) =>
  RunRequestObject.parse(JSON.parse(world.objects.text(`runs/${runId}/request.json`))).specification;

test.each([
  ['prompt_and_completion', { prompt: 'question', completion: 'answer' }],
  ['prompt_only', { prompt: 'question', context: ['answer'] }],
  ['completion_only', { completion: 'answer' }],
  ['chat', { chat: 'turns' }],
  ['universal_prompt', { universal_prompt: 'Sum it up.', context: ['question'] }],
  ['universal_prompt', { universal_prompt: 'Describe it.', image: 'picture', completion: 'answer' }],
])('a mapping says by its fields how rows are read: %s: %j', async (mode, column_mapping) => {
  const { body } = await adapt({ column_mapping });

  expect(specificationOf(body.run_id)).toMatchObject({ mode, mapping: column_mapping });
});

test.each([false, true])(
  'a mapping whose context names its prompt is refused, also for an estimate: %s',
  async (estimate) => {
    const { status, problem } = await adapt({
      estimate,
      column_mapping: { prompt: 'question', completion: 'answer', context: ['question'] },
    });

    expect([status, problem.details[0]?.path]).toEqual([400, 'column_mapping.context']);
    expect(problem.message).toContain('leave it out');
  },
);

test('an adaptation reads the system prompts and the turns before prompts that a training reads, unless a role has them', async () => {
  const text = (name: string) => ({ name, type: 'VARCHAR', profile: seen() });
  const columns = ['instruction', 'output', 'system', 'history'].map(text);
  const beforeOf = async (names: readonly string[], mapping: object) => {
    const other = await seedDataset(world.store, owner, {
      columns: columns.filter(({ name }) => names.includes(name)),
    });
    const params = { dataset_id: other.dataset_id };
    const body = { column_mapping: { prompt: 'instruction', completion: 'output', ...mapping } };
    return specificationOf((await world.call(handler, { as: owner, params, body })).body.run_id).before;
  };

  const all = ['instruction', 'output', 'system', 'history'];
  expect(await beforeOf(all, {})).toEqual({ history: 'history', system: 'system' });
  expect(await beforeOf(all, { context: ['system'] })).toEqual({ history: 'history' });
  expect(await beforeOf(['instruction', 'output'], {})).toBeUndefined();
});

test('a conversation and a dataset-wide instruction are rephrased only where that is asked for', async () => {
  const { body } = await adapt({
    column_mapping: { chat: 'turns' },
    recipe_specification: { recipes: { prompt_rephrase: true } },
  });
  expect(specificationOf(body.run_id).prompt_rephrase).toBe(true);

  const other = await seedDataset(world.store, owner);
  const params = { dataset_id: other.dataset_id };
  const plain = { column_mapping: { universal_prompt: 'Sum it up.', context: ['question'] } };
  const answer = await world.call(handler, { as: owner, params, body: plain });
  expect(specificationOf(answer.body.run_id).prompt_rephrase).toBe(false);
});

test('a column of conversations that holds something else is a 400 that names the row', async () => {
  const { status, problem } = await adapt({ column_mapping: { chat: 'broken' } });

  expect([status, problem.code]).toEqual([400, 'invalid_request']);
  expect(problem.details).toMatchObject([{ path: 'column_mapping.chat', row: 7, problem: 'has no turns' }]);
  expect(problem.message).toContain('row 7 of "broken" has no turns');
});

test('a column of conversations that holds nothing at all is a 400', async () => {
  const { status, problem } = await adapt({ column_mapping: { chat: 'nothing' } });

  expect([status, problem.details[0]?.path]).toEqual([400, 'column_mapping.chat']);
});

test('a column of conversations is checked for an estimate too, and never where it was not looked at', async () => {
  expect((await adapt({ estimate: true, column_mapping: { chat: 'question' } })).status).toBe(400);
  expect((await adapt({ estimate: true, column_mapping: { chat: 'unseen' } })).status).toBe(200);
});

describe('an image column', () => {
  const column_mapping = { prompt: 'question', completion: 'answer', image: 'picture' };

  test('an image column is added to the context, costs ten credits for each hundred rows, and says so', async () => {
    const quote = { multimodalPricingApplied: true, creditMultiplier: 10, estimatedCreditsConsumed: 30 };

    expect((await adapt({ column_mapping, estimate: true })).body).toMatchObject(quote);
    const { body } = await adapt({ column_mapping });

    expect(body).toMatchObject(quote);
    expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({ held: 30 });
    expect(specificationOf(body.run_id)).toMatchObject({
      image_format: 'url',
      mapping: { ...column_mapping, context: ['picture'] },
    });
    const shown = await world.call(get, { as: owner, params: { dataset_id: dataset.dataset_id } });
    expect(shown.body).toMatchObject({
      configured_column_mapping: { image: 'picture', context: ['picture'] },
      image_column_formats: { picture: 'url' },
    });
  });

  test('an image column stands once among the context where the caller lists it there', async () => {
    const { body } = await adapt({
      column_mapping: { ...column_mapping, context: ['turns', 'picture', 'turns'] },
    });

    expect(specificationOf(body.run_id).mapping.context).toEqual(['turns', 'picture']);
  });

  test.each([
    ['holds no images', 'turns', 400],
    ['is empty', 'nothing', 400],
    ['was not looked at', 'unseen', 200],
    ['holds links without an image’s extension', 'links', 200],
  ])('an image column that %s (%s) is a %i', async (_, image, expected) => {
    const { status, text } = await adapt({ column_mapping: { ...column_mapping, image }, estimate: true });

    expect(status).toBe(expected);
    if (expected === 400) expect(JSON.parse(text).details).toMatchObject([{ path: 'column_mapping.image' }]);
  });

  describe('where the model sees none', () => {
    const ask = (estimate: boolean) => {
      const answerModel = { id: 'text-only-8b', seesImages: false };
      return adapt({ column_mapping, estimate }, { answerModel });
    };

    test('a launch is refused, naming the model', async () => {
      const { status, problem } = await ask(false);

      expect([status, problem.code]).toEqual([422, 'model_cannot_see']);
      expect(problem.details).toMatchObject([{ path: 'column_mapping.image', model: 'text-only-8b' }]);
      expect(problem.message).toContain('"text-only-8b"');
      expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({ held: 0 });
    });

    test('an estimate is priced as images are, and says that a launch would be refused', async () => {
      const { body } = await ask(true);

      expect(body).toMatchObject({ multimodalPricingApplied: true, creditMultiplier: 10, estimate: true });
      expect(body.notes).toEqual([expect.stringMatching(/launch would be refused.*"text-only-8b"/)]);
    });
  });
});

describe('the lint recipe', () => {
  const column_mapping = { prompt: 'question', completion: 'answer' };
  const ask = (lint: object, mapping: object = column_mapping) =>
    adapt({ column_mapping: mapping, recipe_specification: { recipes: { lint } } });

  test('the lint recipe is what the workers are told', async () => {
    const lint = { drop: ['contaminated'], benchmarks: ['one two three four five six seven eight'] };

    expect(specificationOf((await ask(lint)).body.run_id).lint).toEqual(lint);
  });

  test.each<[string, object, object, string]>([
    ['for a check without its benchmarks', { drop: ['contaminated'] }, column_mapping, 'benchmarks'],
    [
      'for a schema that cannot be read',
      { drop: ['answer_invalid'], answer_schema: { type: 'x' } },
      column_mapping,
      'answer_schema.type',
    ],
    ['for completions that are not mapped', { drop: ['completion_empty'] }, { prompt: 'question' }, 'drop'],
    ['for nothing', { drop: [] }, column_mapping, 'drop'],
  ])('the lint recipe is refused %s, priced or real', async (_, lint, mapping, field) => {
    const { status, problem } = await ask(lint, mapping);

    expect([status, problem.code]).toEqual([400, 'invalid_request']);
    expect(problem.details[0]?.path).toBe(`recipe_specification.recipes.lint.${field}`);
    expect(world.executions.started.size).toBe(0);
  });
});
