import { expect, test } from 'vitest';
import { AdaptRequest } from '#shared/adaptation/schema/adaptation.ts';
import {
  adaptRequestOf,
  DEFAULTS,
  launchRequestOf,
  PATHS,
  problemOfColumn,
  problemsOfAnswer,
  problemsOfSettings,
  referencesOf,
  type Settings,
} from '../../../console/src/adapt/settings.ts';
import { adaptRequestOfArm } from '../../../console/src/pilots/words.ts';

const MAPPING = { prompt: 'question', completion: 'answer' };
const requestOf = (changes: Partial<Settings>) => adaptRequestOf(MAPPING, { ...DEFAULTS, ...changes });

const EVERYTHING: Settings = {
  trainingType: 'preference_pairs',
  promptRephrase: false,
  deduplication: true,
  reasoningTraces: true,
  verification: 'correct',
  verificationRows: ' 500 ',
  drop: ['completion_empty', 'contaminated', 'answer_invalid'],
  benchmarks: 'First text.\n\nSecond text,\nof two lines.\n',
  answerSchema: '{"type":"object"}',
  maxRows: ' 50 ',
  batch: true,
  reuse: false,
  length: 'concise',
  blueprint: 'Be friendly.',
  safety: ['hate', 'violence'],
  hallucinationMitigation: true,
  expansion: 'localize',
  languages: '',
  pairs: 'es-mx, zh-Hant-TW',
  samplePercent: '12.5',
};

test('the request says nothing of what is as by default, but that no rows are added: left out, the last expansion would be repeated', () => {
  expect(requestOf({})).toEqual({ column_mapping: MAPPING, language_expansion: null });
  expect(requestOf({ expansion: 'previous' })).toEqual({ column_mapping: MAPPING });
});

test('the request has every setting, as the service takes it', () => {
  const request = adaptRequestOf(MAPPING, EVERYTHING);

  expect(request).toEqual({
    column_mapping: MAPPING,
    recipe_specification: {
      recipes: {
        prompt_rephrase: false,
        deduplication: true,
        reasoning_traces: true,
        verification: 'correct',
        verification_rows: 500,
        lint: {
          drop: ['completion_empty', 'contaminated', 'answer_invalid'],
          benchmarks: ['First text.', 'Second text,\nof two lines.'],
          answer_schema: { type: 'object' },
        },
      },
    },
    job_specification: { max_rows: 50, processing: 'batch' },
    reuse: false,
    brand_controls: {
      length: 'concise',
      safety_categories: ['hate', 'violence'],
      hallucination_mitigation: true,
      blueprint: 'Be friendly.',
    },
    training_type: 'preference_pairs',
    language_expansion: {
      type: 'localize',
      pairs: [
        { language: 'es', country: 'MX' },
        { language: 'zh-Hant', country: 'TW' },
      ],
      sample_rate: 0.125,
    },
  });
  expect(AdaptRequest.safeParse(request).success).toBe(true);
});

test('the request reaches every field of the service’s request that is meant for callers', () => {
  const request = launchRequestOf({ ...adaptRequestOf(MAPPING, EVERYTHING), estimate: true }, 'key');

  // The arm of a pilot is adapted from the page of the pilot.
  const ofArm = adaptRequestOfArm({ pilot_id: 'p', recommendation: null }, 1);
  expect(Object.keys({ ...request, ...ofArm }).sort()).toEqual(Object.keys(AdaptRequest.shape).sort());
  const fieldsOf = (name: 'job_specification' | 'brand_controls') =>
    Object.keys(AdaptRequest.shape[name].unwrap().shape).sort();
  expect(Object.keys(request.job_specification ?? {}).sort()).toEqual(fieldsOf('job_specification'));
  expect(Object.keys(request.brand_controls ?? {}).sort()).toEqual(fieldsOf('brand_controls'));
  const { recipes } = AdaptRequest.shape.recipe_specification.unwrap().shape;
  expect(Object.keys(request.recipe_specification?.recipes ?? {}).sort()).toEqual(
    Object.keys(recipes.unwrap().shape).sort(),
  );
});

test('the request has benchmarks and schema only where rows are dropped by them', () => {
  const { recipe_specification: recipes } = requestOf({
    drop: ['personal_data'],
    benchmarks: 'Text.',
    answerSchema: '{}',
  });

  expect(recipes).toEqual({ recipes: { lint: { drop: ['personal_data'] } } });
  expect(referencesOf({ benchmarks: 'Text.', answerSchema: '{}' })).toEqual({
    benchmarks: ['Text.'],
    answer_schema: {},
  });
  expect(referencesOf({ benchmarks: ' \n\n', answerSchema: '{' })).toEqual({});
});

test('the request translates into the languages that are typed, however they are separated', () => {
  expect(
    requestOf({ expansion: 'translate', languages: 'de, fr;zh-Hans  it', samplePercent: '50' })
      .language_expansion,
  ).toEqual({ type: 'translate', languages: ['de', 'fr', 'zh-Hans', 'it'], sample_rate: 0.5 });
});

test('the request has the key of a launch beside the other settings of the job', () => {
  expect(launchRequestOf(requestOf({ maxRows: '5' }), 'k').job_specification).toEqual({
    max_rows: 5,
    idempotency_key: 'k',
  });
});

test('problems of the settings: there are none by default, and none where everything is set', () => {
  expect(problemsOfSettings(DEFAULTS).size).toBe(0);
  expect(problemsOfSettings(EVERYTHING).size).toBe(0);
});

test.each<[string, Partial<Settings>]>([
  [PATHS.maxRows, { maxRows: '0' }],
  [PATHS.maxRows, { maxRows: '1.5' }],
  [PATHS.answerSchema, { answerSchema: '[1]' }],
  [PATHS.answerSchema, { answerSchema: '{' }],
  [PATHS.answerSchema, { drop: ['answer_invalid'] }],
  [PATHS.benchmarks, { drop: ['contaminated'], benchmarks: ' ' }],
  [PATHS.languages, { expansion: 'translate' }],
  [PATHS.pairs, { expansion: 'localize' }],
  [PATHS.pairs, { expansion: 'localize', pairs: 'es-MX, german' }],
  [PATHS.samplePercent, { expansion: 'translate', languages: 'de', samplePercent: '' }],
  [PATHS.samplePercent, { expansion: 'translate', languages: 'de', samplePercent: '101' }],
])('problems of the settings name the field %s where the settings are %j', (path, changes) => {
  expect([...problemsOfSettings({ ...DEFAULTS, ...changes }).keys()]).toEqual([path]);
});

test('an error of the service stands at the field that its path names, as a sentence', () => {
  const problems = problemsOfAnswer([
    { path: 'job_specification.max_rows', message: 'must be at most 100' },
    { path: 'language_expansion.languages[1]', message: 'is not known.' },
    { path: 'language_expansion.languages[2]', message: 'is not known' },
    { path: 'recipe_specification.recipes.lint.answer_schema.pattern', message: 'is not supported' },
    { path: 'column_mapping', message: 'maps nothing to improve' },
  ]);

  expect([...problems]).toEqual([
    [PATHS.maxRows, 'Must be at most 100.'],
    [PATHS.languages, 'Is not known. Is not known.'],
    [PATHS.answerSchema, 'Is not supported.'],
    [PATHS.mapping, 'Maps nothing to improve.'],
  ]);
});

test('an error of the service stands at the column that the field names', () => {
  const mapping = { prompt: 'question', context: ['topic', 'note'] };
  const problems = problemsOfAnswer([
    { path: 'column_mapping.prompt', message: 'there is no column "question"' },
    { path: 'column_mapping.context[1]', message: 'there is no column "note"' },
  ]);

  expect(problemOfColumn(problems, mapping, 'question')).toBe('There is no column "question".');
  expect(problemOfColumn(problems, mapping, 'note')).toBe('There is no column "note".');
  expect(problemOfColumn(problems, mapping, 'topic')).toBeUndefined();
});

test('the request counts rows for the model only where it is asked', () => {
  expect(requestOf({ verification: 'off', verificationRows: '5' }).recipe_specification).toEqual({
    recipes: { verification: 'off' },
  });
  expect(requestOf({ verificationRows: '5' }).recipe_specification).toBeUndefined();
  expect(
    problemsOfSettings({ ...DEFAULTS, verification: 'flag', verificationRows: '0' }).get(
      PATHS.verificationRows,
    ),
  ).toContain('whole number');
  expect(problemsOfSettings({ ...DEFAULTS, verification: 'off', verificationRows: '0' }).size).toBe(0);
});
