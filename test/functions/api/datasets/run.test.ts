import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/run.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
  dataset = await seedDataset(world.store, owner);
});

const run = (body: unknown) =>
  world.call(handler, { as: owner, params: { dataset_id: dataset.dataset_id }, body });
const mapping = { prompt: 'question', completion: 'answer' };

test('every answer says that the route is deprecated and what takes its place', async () => {
  const success = await run({ estimate: true });
  const failure = await run({ surprise: 1 });

  for (const { headers } of [success, failure]) {
    expect(headers).toMatchObject({
      deprecation: 'true',
      link: '</api/v1/datasets/{dataset_id}/adapt>; rel="successor-version"',
    });
  }
});

test('POST /run starts a run like /adapt', async () => {
  const { body } = await run({ column_mapping: mapping });

  expect(body).toMatchObject({ estimate: false, estimatedCreditsConsumed: 2 });
  expect(world.executions.started.has(body.run_id ?? '')).toBe(true);
});

test('POST /run takes a chat beside the prompt that it requires, and says that the conversations are what it reads', async () => {
  dataset = await seedDataset(world.store, owner, {
    columns: ['question', 'answer', 'turns'].map((name) => ({ name, type: 'VARCHAR' })),
  });
  const column_mapping = { ...mapping, chat: 'turns', context: ['answer'] };

  const { body: estimate } = await run({ column_mapping, estimate: true });
  const { body } = await run({ column_mapping });

  const notes = [expect.stringContaining('the columns of prompt, completion, context are not read')];
  expect(estimate.notes).toEqual(notes);
  expect(body.notes).toEqual(notes);
  const { specification } = JSON.parse(world.objects.text(`runs/${body.run_id}/request.json`));
  expect(specification).toMatchObject({ mode: 'chat', mapping: { chat: 'turns', context: [] } });
});

test.each([
  ['preference_pairs', { training_type: 'preference_pairs', prompt_metadata_injection: false }],
  ['prompt_metadata_injection', { training_type: 'instruction_dataset', prompt_metadata_injection: true }],
] as const)('POST /run takes the recipe %s, which only it knows', async (recipe, expected) => {
  const { body } = await run({
    column_mapping: mapping,
    recipe_specification: { recipes: { [recipe]: true } },
  });

  const { specification } = JSON.parse(world.objects.text(`runs/${body.run_id}/request.json`));
  expect(specification).toMatchObject(expected);
});

test.each([
  [false, 'preference_pairs'],
  [true, 'instruction_dataset'],
])(
  'POST /run refuses the recipe preference_pairs of %s beside the training_type %s, and takes it beside the other',
  async (pairs, type) => {
    const send = (training_type: string) =>
      run({
        column_mapping: mapping,
        training_type,
        recipe_specification: { recipes: { preference_pairs: pairs } },
      });

    const { problem } = await send(type);
    expect(problem).toMatchObject({ statusCode: 400, code: 'invalid_request' });
    expect(problem.message).toContain(`recipe_specification.recipes.preference_pairs: is ${pairs}`);

    expect((await send(pairs ? 'preference_pairs' : 'instruction_dataset')).status).toBe(200);
  },
);

test('blanks completions for what they say in a category that is asked for', async () => {
  const { body } = await run({ column_mapping: mapping, brand_controls: { safety_categories: ['hate'] } });

  const { specification } = JSON.parse(world.objects.text(`runs/${body.run_id}/request.json`));
  expect(specification.safety).toEqual({ categories: ['hate'], blanks_violations: true });
});

test('POST /run names the misspelled field of a mapping', async () => {
  const { problem } = await run({ column_mapping: { pompt: 'question' } });

  expect(problem).toMatchObject({ statusCode: 400, code: 'invalid_request' });
  expect(problem.details.map((detail) => detail.path)).toContain('column_mapping.pompt');
});

test('POST /run estimates without a mapping by that of the dataset, like /adapt', async () => {
  dataset = await seedDataset(world.store, owner, {
    columns: ['question', 'answer', 'picture'].map((name) => ({ name, type: 'VARCHAR' })),
    configured_column_mapping: { ...mapping, image: 'picture', context: ['picture'] },
  });

  const { body } = await run({ estimate: true });

  expect(body).toMatchObject({ multimodalPricingApplied: true, creditMultiplier: 10 });
});
