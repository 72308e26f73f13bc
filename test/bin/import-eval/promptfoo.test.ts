import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { importPromptfoo } from '#bin/import-eval/promptfoo.ts';
import { grade } from '#shared/evals/decide/grade.ts';
import { programValues, pythonJob, pythonScore } from '#shared/evals/decide/python-job.ts';
import { CreateEvalRequest, CreateEvalRunRequest } from '#shared/evals/schema/eval.ts';
import { createWorkerSandbox } from '#shared/witnesses/adapters/worker-sandbox.ts';

const sandbox = createWorkerSandbox();
afterAll(() => sandbox.close());

const CONFIG = parse(`
description: Capitals
prompts:
  - 'What is the capital of {{country}}?'
  - '[{"role":"system","content":"Answer in a word."},{"role":"user","content":"Capital of {{ country }}?"}]'
providers: [openai:gpt-4o-mini]
defaultTest:
  assert:
    - type: not-contains
      value: as an AI
tests:
  - vars: {country: France, city: Paris}
    assert:
      - type: icontains
        value: '{{city}}'
      - type: regex
        value: '^[A-Z]'
  - vars: {country: Italy}
    assert:
      - type: contains-any
        value: [Rome, Roma]
      - type: llm-rubric
        value: is polite
`);
const MODELS = { model: 'qwen3-4b', judge: 'judge' };

test('prompts of Promptfoo become runs, tests rows and assertions graders, as the service takes them', () => {
  const { request, runs } = importPromptfoo(CONFIG, MODELS);

  expect(CreateEvalRequest.parse(request)).toMatchObject({
    name: 'Capitals',
    testing_criteria: [
      { type: 'python', pass_threshold: 1 },
      { type: 'label_model', model: 'judge' },
    ],
  });
  expect(runs).toHaveLength(2);
  for (const run of runs) CreateEvalRunRequest.parse(run);
  expect(runs[0]?.data_source).toMatchObject({
    model: 'qwen3-4b',
    input_messages: {
      template: [{ role: 'user', content: 'What is the capital of {{ item.vars.country }}?' }],
    },
    source: {
      content: [
        {
          item: {
            vars: { country: 'France' },
            assert: [
              { type: 'contains', value: 'as an AI', not: true },
              { type: 'icontains', value: 'Paris', not: false },
              { type: 'regex', value: '^[A-Z]', not: false },
            ],
            rubric: 'Any answer passes.',
          },
        },
        { item: { rubric: 'is polite' } },
      ],
    },
  });
  expect(runs[1]?.data_source).toMatchObject({
    input_messages: {
      template: [
        { role: 'system', content: 'Answer in a word.' },
        { role: 'user', content: 'Capital of {{ item.vars.country }}?' },
      ],
    },
  });
});

test.each([
  ['equals', 'Paris', 'Paris ', true],
  ['equals', 'Paris', 'Paris!', false],
  ['contains', 'ari', 'Paris', true],
  ['not-contains', 'ari', 'Paris', false],
  ['icontains-all', ['PAR', 'is'], 'Paris', true],
  ['contains-all', ['PAR', 'is'], 'Paris', false],
  ['starts-with', 'Par', 'Paris', true],
  ['regex', '\\d+', 'Paris 7', true],
  ['is-json', undefined, '{"a":1}', true],
  ['is-json', undefined, 'Paris', false],
])(
  'an assertion %s of %j holds for %j: %s',
  async (type, value, output_text, passed) => {
    const tests = [{ vars: {}, assert: [{ type, value }] }];
    const { request, runs } = importPromptfoo({ prompts: ['x'], tests }, MODELS);
    const [grader] = request.testing_criteria;
    const source = runs[0]?.data_source.source as { content: { item: Record<string, unknown> }[] };
    if (grader === undefined) throw new Error('There is no grader.');

    const result = await grade(
      grader,
      { item: source.content[0]?.item ?? {}, sample: { output_text } },
      {
        ask: async () => '',
        runPython: async (code, values) =>
          pythonScore(await sandbox.run(pythonJob(code, programValues(values) ?? ''))),
      },
    );

    expect(result).toMatchObject({ passed, error: null });
  },
  60_000,
);

test.each([
  [
    { tests: [{ assert: [{ type: 'javascript', value: 'x' }] }] },
    'Test 1: assertions of the type javascript',
  ],
  [{ tests: 'file://tests.csv' }, 'file://tests.csv'],
  [{ tests: [] }, 'no tests'],
  [{ prompts: ['file://prompt.txt'] }, 'Prompt 1 is in file://prompt.txt'],
  [{ prompts: ['{% if a %}b{% endif %}'] }, 'tags or filters'],
  [{ prompts: ['{{ a | upper }}'] }, 'tags or filters'],
  [{ tests: [{ vars: { a: ['b', 'c'] } }] }, 'variable a is a list'],
])('what cannot be imported is refused in words: %j', (changes, words) => {
  expect(() => importPromptfoo({ ...CONFIG, ...changes }, MODELS)).toThrow(words);
});

test('models of the service are asked for by name', () => {
  expect(() => importPromptfoo(CONFIG, {})).toThrow('openai:gpt-4o-mini');
  expect(() => importPromptfoo(CONFIG, { model: 'qwen3-4b' })).toThrow('--judge');
});
