import { expect, test } from 'vitest';
import {
  type CardFacts,
  datasetCard,
  shardPath,
  withoutFrontMatter,
} from '#shared/publishing/decide/card.ts';

const FACTS: CardFacts = {
  name: 'support answers.csv',
  languages: ['en'],
  description: 'Questions of customers.',
  license: 'cc-by-4.0',
  columns: [
    { name: 'question', type: 'VARCHAR' },
    { name: 'score', type: 'DOUBLE' },
  ],
  run: {
    run_id: 'run-1',
    pipeline: 'adapt',
    version: 2,
    counts: {
      total: 10,
      changed: 6,
      kept: 3,
      dropped: 1,
      failed: 0,
      not_selected: 0,
      expanded: 4,
      expansion_failed: 0,
    },
    models: { answer: 'a-model', judge: 'b-model' },
    prompt_versions: {},
  },
  datasetId: 'dataset-1',
  sourceDatasetId: null,
  recipe: {
    prompt_rephrase: true,
    deduplication: false,
    reasoning_traces: false,
    grounding: false,
    length: 'concise',
    training_type: 'instruction_dataset',
    expansion: {
      type: 'localize',
      sample_rate: 0.5,
      targets: [
        { language: 'pt', country: 'BR' },
        { language: 'zh-Hant', country: 'TW' },
      ],
    },
  },
  evaluation: {
    status: 'succeeded',
    quality: {
      grade_before: 'C',
      score_before: 6.1,
      grade_after: 'B',
      score_after: 7.4,
      percentile_after: null,
      improvement_percent: 21.3,
    },
  },
  results: {
    score_interval_before: [5.5, 6.7],
    score_interval_after: [6.9, 7.9],
    judge: { mode: 'judge', model: 'b-model' },
  },
};

test.each([
  ['invent', 'The run `run-1` invented the rows.', 'Models wrote or edited rows.', true],
  ['expand', 'translated rows of another dataset', 'Models wrote or edited rows.', true],
  ['augment', 'wrote rows from those of another dataset', 'Models wrote or edited rows.', true],
  ['combine', 'combined rows of other datasets', 'in which models may have written', false],
  ['append', 'added rows to the dataset', 'as they were uploaded and added', false],
] as const)('a card says what a run of %s did', (pipeline, lineage, limit, isSynthetic) => {
  const run = { run_id: 'run-1', pipeline, counts: null, models: {}, prompt_versions: {} };
  const card = datasetCard({ ...FACTS, run, recipe: null, evaluation: null, results: null });

  expect(card).toContain(lineage);
  expect(card).toContain(limit);
  expect(card.includes('- synthetic')).toBe(isSynthetic);
  expect(card.includes('## Evaluation')).toBe(isSynthetic);
  expect(card).not.toContain('The grade is an estimate');
});

test('a card has what was measured: columns, lineage, recipe, grades with intervals and the judge', () => {
  const card = datasetCard(FACTS);

  expect(card.split('---')[1]).toBe(`
pretty_name: "support answers.csv"
license: "cc-by-4.0"
language:
- "en"
- "pt"
- "zh"
tags:
- tunesmith
- synthetic
configs:
- config_name: default
  data_files:
  - split: train
    path: data/train-*.parquet
`);
  expect(card).toContain('| `score` | `DOUBLE` |');
  expect(card).toContain('The run `run-1` adapted the rows of the dataset.');
  expect(card).toContain('Version 2 of the dataset.');
  expect(card).toContain('| changed | 6 |');
  expect(card).toContain('| `judge` | `b-model` |');
  expect(card).toContain('- Length of answers: `concise`');
  expect(card).toContain('Localized to `pt-BR`, `zh-Hant-TW`');
  expect(card).toContain('| Source | C | 6.1 | 5.5 to 6.7 |');
  expect(card).toContain('| These rows | B | 7.4 | 6.9 to 7.9 |');
  expect(card).toContain('The judge was `b-model`, on a sample of the rows.');
  expect(datasetCard(FACTS)).toBe(card);
});

test('rows as they were uploaded have no recipe, no grades and no tag that says models wrote them', () => {
  const card = datasetCard({
    ...FACTS,
    run: null,
    recipe: null,
    evaluation: null,
    results: null,
    license: null,
  });

  expect(card).not.toMatch(/license|synthetic|Recipe|Evaluation|Models wrote/);
  expect(card).toContain('The rows are those of its upload.');
  expect(card).toContain('nothing was checked or changed');
});

test('without a grade, an interval or a judge a card says so', () => {
  expect(datasetCard({ ...FACTS, evaluation: null })).toContain('The rows were not graded.');
  const card = datasetCard({ ...FACTS, results: { judge: { model: null } } });
  expect(card).toContain('| These rows | B | 7.4 | none |');
  expect(card).toContain('without a judge');
});

test('what callers have named is text, and no markup: in the front matter', () => {
  const card = datasetCard({ ...FACTS, name: 'x"\n---\nlicense: evil' });

  expect(card.split('\n').filter((line) => line.startsWith('license'))).toEqual(['license: "cc-by-4.0"']);
  expect(card.split('\n').filter((line) => line === '---')).toHaveLength(2);
});

test('what callers have named is text, and no markup: in headings, paragraphs and tables', () => {
  const card = datasetCard({
    ...FACTS,
    name: '<script>a</script> [b](javascript:c)',
    description: '# Not a heading\n![x](https://evil.example/y.png)',
    columns: [{ name: 'a | `b` | ``c``\n| d', type: 'VARCHAR' }],
  });

  expect(card).toContain('# \\<script\\>a\\</script\\> \\[b\\]\\(javascript:c\\)');
  expect(card).toContain('\\# Not a heading \\!\\[x\\]\\(https://evil\\.example/y\\.png\\)');
  expect(card).toContain('| ``` a \\| `b` \\| ``c`` \\| d ``` | `VARCHAR` |');
});

test('files have the names that loaders expect', () => {
  expect([shardPath(0, 1), shardPath(11, 12)]).toEqual([
    'data/train-00000-of-00001.parquet',
    'data/train-00011-of-00012.parquet',
  ]);
});

test('a card without its front matter is Markdown alone, and has all of it', () => {
  const card = datasetCard({ ...FACTS, name: 'a\n---\nb', description: '---\n# Not a heading' });
  const text = withoutFrontMatter(card);

  expect(text.startsWith('# a')).toBe(true);
  expect(card.endsWith(`---\n\n${text}`)).toBe(true);
  expect(withoutFrontMatter(text)).toBe(text);
});
