import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/evals/create.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { CONTAINS, EVAL } from '#test/helpers/evaluating.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

test('an eval of stored completions is refused with what to take instead', async () => {
  const body = { ...EVAL, data_source_config: { type: 'stored_completions' } };
  const { status, problem } = await world.call(handler, { as: owner, body });

  expect([status, problem.error?.param]).toEqual([400, 'data_source_config.type']);
  expect(problem.message).toContain('create the eval with logs');
});

test('an eval is answered with the schema of what its templates name', async () => {
  const { body } = await world.call(handler, { as: owner, body: { ...EVAL, metadata: { team: 'a' } } });

  expect(body).toMatchObject({
    id: expect.stringMatching(/^eval_[0-9a-f]{32}$/),
    object: 'eval',
    name: 'Capitals',
    metadata: { team: 'a' },
    testing_criteria: [CONTAINS],
    data_source_config: {
      type: 'custom',
      schema: { properties: { item: { type: 'object' }, sample: { type: 'object' } }, required: ['item'] },
    },
  });
});

test('an eval refuses graders that contradict themselves, by their path', async () => {
  const fault = async (...testing_criteria: object[]) => {
    const { problem } = await world.call(handler, { as: owner, body: { ...EVAL, testing_criteria } });
    return problem.error?.param;
  };
  const multi = { type: 'multi', name: 'all', graders: { one: CONTAINS }, calculate_output: 'two' };

  expect(await fault(CONTAINS, CONTAINS)).toBe('testing_criteria[1].name');
  expect(await fault(CONTAINS, multi)).toBe('testing_criteria[1].calculate_output');
  expect(await fault({ ...CONTAINS, operation: 'near' })).toBe('testing_criteria[0].operation');
  expect(await fault()).toBe('testing_criteria');
});

test('an eval is refused where it does not fit into an item of the table', async () => {
  const long = Array.from({ length: 4 }, (_, n) => ({
    ...CONTAINS,
    name: `${n}`,
    input: 'x'.repeat(90_000),
  }));
  const { problem } = await world.call(handler, { as: owner, body: { ...EVAL, testing_criteria: long } });

  expect(problem.message).toContain('300000 bytes');
});

test('an eval has twenty graders at most, those within others counted', async () => {
  const graders = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`g${n}`, CONTAINS]));
  const multi = (name: string) => ({ type: 'multi', name, graders, calculate_output: 'g0' });

  const { problem } = await world.call(handler, {
    as: owner,
    body: { ...EVAL, testing_criteria: [multi('one'), multi('two')] },
  });

  expect(problem).toMatchObject({ statusCode: 400, code: 'invalid_request' });
  expect(problem.message).toContain('has 22 graders');
});

test.each([
  ['a number', { of: 1 }, 'data_source_config.metadata.of'],
  ['a name of more than 64 characters', { ['a'.repeat(65)]: 'b' }, 'data_source_config.metadata'],
])(
  'metadata that no stored response can have is refused, and the refusal says where: %s',
  async (_, metadata, path) => {
    const { problem } = await world.call(handler, {
      as: owner,
      body: { ...EVAL, data_source_config: { type: 'logs', metadata } },
    });

    expect(problem).toMatchObject({ statusCode: 400, code: 'invalid_request' });
    expect(problem.error?.param).toContain(path);
  },
);

test('a grader whose template names nothing of a row is refused, within others too', async () => {
  const judge = {
    ...{ type: 'score_model', name: 'score', model: 'scripted' },
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'Is {{ output_text }} good?' }] }],
  };
  const multi = { type: 'multi', name: 'all', graders: { judge }, calculate_output: 'judge' };
  const refuse = async (grader: object) =>
    (await world.call(handler, { as: owner, body: { ...EVAL, testing_criteria: [grader] } })).problem;

  const problems = [await refuse({ ...CONTAINS, reference: '{{ answer }}' }), await refuse(multi)];

  expect(problems.map(({ error }) => error?.param)).toEqual([
    'testing_criteria[0].reference',
    'testing_criteria[0].graders.judge.input[0].content',
  ]);
  expect(problems[1]?.message).toContain('{{ output_text }}');
});

test('an eval keeps numbers and schemas that the table itself could not hold', async () => {
  const nested = JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`);
  const score = {
    ...{ type: 'score_model', name: 'score', model: 'scripted', range: [-1e300, 5e-324] },
    input: [{ role: 'user', content: 'How good is it?' }],
  };

  const { body } = await world.call(handler, {
    as: owner,
    body: {
      ...EVAL,
      data_source_config: { type: 'custom', item_schema: nested },
      testing_criteria: [score],
    },
  });

  expect(body.testing_criteria).toMatchObject([{ range: [-1e300, 5e-324] }]);
});
