import { expect, test } from 'vitest';
import { specificationOf } from '#shared/adaptation/decide/resolve-specification.ts';
import { configuredMapping } from '#shared/answers/decide/row-mapping.ts';
import { materialReader } from '#shared/answers/decide/row-material.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { formColumns } from '#shared/exports/decide/form-columns.ts';
import { reconcile } from '#shared/growth/decide/combine/reconcile.ts';
import { type CombineSource, combineSource } from '#shared/growth/decide/combine/source.ts';
import { requireTexts } from '#shared/growth/decide/source.ts';
import type { ColumnMapping, ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';
import { findColumns, type TrainingColumns } from '#shared/training/decide/columns.ts';
import { readExample } from '#shared/training/decide/example.ts';
import { makeCaller, makeDataset } from '#test/helpers/records.ts';

const CELLS = new Map<string, string | null>([
  ['history', '[["My flight was cancelled.","I am sorry to hear that."]]'],
  ['tools', '[{"type":"function","function":{"name":"refund","parameters":{"type":"object"}}}]'],
  ['summary', 'A cancelled flight.'],
]);
const COLUMNS = [
  { name: 'history', type: 'JSON' },
  { name: 'tools', type: 'JSON' },
  { name: 'summary', type: 'VARCHAR' },
];
const datasetOf = (columns: readonly RowsColumn[], mapping: ConfiguredColumnMapping) =>
  makeDataset(makeCaller(), { columns: [...columns], configured_column_mapping: mapping });

/** A dataset that was adapted by one instruction for all rows, whose context is what is read by its name elsewhere. */
function instructed() {
  const mapping = { universal_prompt: 'Sum up.', completion: 'summary', context: ['history', 'tools'] };
  const dataset = datasetOf(COLUMNS, mapping);
  const specification = specificationOf({}, mapping, dataset, 'adapt');
  return { dataset, specification, shape: combineSource(dataset, COLUMNS, specification) };
}

/** The dataset that is made of its download. */
function made(shape: CombineSource, mapping = requireTexts(shape).mapping) {
  const columns = shape.columns.map(({ name, type }) => ({ name, type }));
  const dataset = datasetOf(columns, mapping);
  return { dataset, columns, shape: combineSource(dataset, columns, null) };
}

test('an example of an instruction for all rows has its history and its tools in the prompt, and not once more before it', () => {
  const { dataset, specification, shape } = instructed();
  const { prompt, completion } = materialReader(specification).original(CELLS);
  const columns = findColumns({ dataset, shape });
  if (columns === null) throw new Error('The dataset has no examples.');

  const example = readExample(
    columns,
    new Map([...CELLS, ['enhanced_prompt', prompt], ['enhanced_completion', completion]]),
    0,
  );

  expect(example).toMatchObject({
    messages: [{ role: 'user', content: expect.stringContaining('history: ') }],
  });
  expect(example).not.toHaveProperty('tools');
});

test('columns that the prompts contain are read by trainings, downloads and adaptations of datasets that are made of it as any', () => {
  const { shape } = instructed();
  const merged = reconcile([shape, shape]).mapping;

  for (const mapping of [requireTexts(shape).mapping, merged]) {
    expect(mapping.beside).toEqual({});
    const { dataset, columns, shape: again } = made(shape, mapping);
    expect(again.before).toBeUndefined();
    expect(findColumns({ dataset, shape: again })).not.toMatchObject({ history: 'history' });
    expect(findColumns({ dataset, shape: again })).not.toMatchObject({ tools: 'tools' });
    expect(formColumns(dataset, columns, null)).toMatchObject({ history: null, tools: null });
    const asked = { prompt: 'enhanced_prompt', completion: 'enhanced_completion' };
    const adapted = specificationOf({}, asked, dataset, 'adapt');
    expect(adapted.before).toBeUndefined();
    const third = made(combineSource(dataset, columns, adapted));
    expect(findColumns({ dataset: third.dataset, shape: third.shape })).not.toMatchObject({
      history: 'history',
    });
  }
});

test('a merge gives columns that the prompts of one source contain another name where another source is read by them', () => {
  const columns = [
    ...COLUMNS.slice(0, 2),
    { name: 'question', type: 'VARCHAR' },
    { name: 'answer', type: 'VARCHAR' },
  ];
  const mapping = { prompt: 'question', completion: 'answer', context: [] };
  const asked = combineSource(datasetOf(columns, mapping), columns, null);

  const { sources, mapping: merged } = reconcile([instructed().shape, asked]);

  const names = sources.map((own) => own.map(({ name }) => name));
  expect(names[0]).toEqual(expect.arrayContaining(['original_history', 'original_tools']));
  expect(names[1]).toEqual(expect.arrayContaining(['history', 'tools']));
  expect(merged.beside).toEqual({ history: 'history', tools: 'tools' });
});

const CHAT = { is_empty: false, not_chat: null, image_format: null };
const UPLOADS: readonly [string, DatasetRecord['columns'], ColumnMapping][] = [
  [
    'messages and a system prompt',
    [
      { name: 'messages', type: 'JSON', profile: CHAT },
      { name: 'system', type: 'VARCHAR' },
      { name: 'tools', type: 'JSON' },
    ],
    { chat: 'messages' },
  ],
  [
    'rendered texts and a system prompt',
    [
      { name: 'text', type: 'VARCHAR', profile: CHAT },
      { name: 'system', type: 'VARCHAR' },
    ],
    { chat: 'text' },
  ],
  [
    'Alpaca with a history of texts',
    [
      { name: 'instruction', type: 'VARCHAR' },
      { name: 'output', type: 'VARCHAR' },
      { name: 'system', type: 'VARCHAR' },
      { name: 'history', type: 'JSON', profile: { ...CHAT, unlike_name: true } },
    ],
    { prompt: 'instruction', completion: 'output' },
  ],
  [
    'texts beside columns that are no turns, system prompts or tools',
    [
      { name: 'question', type: 'VARCHAR' },
      { name: 'answer', type: 'VARCHAR' },
      { name: 'system', type: 'VARCHAR' },
      { name: 'history', type: 'JSON', profile: { ...CHAT, unlike_name: true } },
      { name: 'functions', type: 'JSON', profile: { ...CHAT, unlike_name: true } },
    ],
    { prompt: 'question', completion: 'answer' },
  ],
  [
    'texts beside columns that are called as those of runs are',
    ['question', 'answer', 'reasoning_trace', 'chosen', 'rejected'].map((name) => ({
      name,
      type: 'VARCHAR',
    })),
    { prompt: 'question', completion: 'answer' },
  ],
  [
    'an earlier download with reasoning',
    ['enhanced_prompt', 'enhanced_completion', 'reasoning_trace'].map((name) => ({ name, type: 'VARCHAR' })),
    { prompt: 'enhanced_prompt', completion: 'enhanced_completion' },
  ],
  [
    'an earlier download with reasoning as its context',
    ['enhanced_prompt', 'enhanced_completion', 'reasoning_trace'].map((name) => ({ name, type: 'VARCHAR' })),
    { prompt: 'enhanced_prompt', completion: 'enhanced_completion', context: ['reasoning_trace'] },
  ],
  [
    'texts with context that is called as system prompts are',
    [
      { name: 'prompt', type: 'VARCHAR' },
      { name: 'completion', type: 'VARCHAR' },
      { name: 'system', type: 'VARCHAR' },
    ],
    { prompt: 'prompt', completion: 'completion', context: ['system'] },
  ],
];

test.each(UPLOADS)(
  'a dataset that was made of %s reads what its source reads, adapted to anything or not',
  (_, columns, asked) => {
    for (const type of [null, 'instruction_dataset', 'preference_pairs'] as const) {
      const dataset = datasetOf(columns ?? [], configuredMapping(asked));
      const specification =
        type === null ? null : specificationOf({ training_type: type }, asked, dataset, 'adapt');
      const shape = combineSource(dataset, dataset.columns ?? [], specification);
      const readOf = (found: object | null) => {
        const { history, system, tools, context } = found as Record<string, unknown>;
        return { history, system, tools, context };
      };
      const tracesOf = (of: TrainingColumns) => findColumns(of)?.reasoning_trace;
      const pairOf = (of: TrainingColumns) => [findColumns(of)?.chosen, findColumns(of)?.rejected];
      const before = readOf(findColumns({ dataset, shape }));
      expect(pairOf(made(shape)), `${type}`).toEqual(pairOf({ dataset, shape }));
      expect(tracesOf(made(shape)), `${type}`).toBe(tracesOf({ dataset, shape }));

      // The names in the merge with pairs in another form, whose columns make no form together.
      const pairs = { prompt: 'asked', chosen: 'chosen', rejected: 'rejected', context: [] };
      const others = Object.values(pairs).flatMap((name) =>
        typeof name === 'string' ? { name, type: 'VARCHAR' } : [],
      );
      const merged = reconcile([shape, combineSource(datasetOf(others, pairs), others, null)]);
      for (const [mapping, own] of [
        [requireTexts(shape).mapping, shape.columns],
        [merged.mapping, merged.columns],
      ] as const) {
        const again = made({ ...shape, columns: own as CombineSource['columns'] }, mapping);
        expect(readOf(findColumns(again)), `${type}`).toEqual(before);
        // What rows that no run has adapted have beside their answers is about these in a merge, too.
        if (type !== null) expect(tracesOf(again), type).toBe(tracesOf({ dataset, shape }));
        // And what is made of it.
        const third = made(again.shape);
        expect(readOf(findColumns(third)), `${type}`).toEqual(before);
        expect(formColumns(again.dataset, again.columns, null)).toMatchObject({
          system: before.system ?? null,
          tools: before.tools ?? null,
          reasoning: tracesOf(again),
        });
      }
    }
  },
);

test.each([
  ['pairs of prompt and answer', { prompt: 'question', completion: 'answer' }],
  [
    'one instruction for all rows',
    { universal_prompt: 'Reply.', completion: 'answer', context: ['question'] },
  ],
])(
  'an adaptation of an earlier release, which does not say what stands before its prompts, is read like one that does: %s',
  (_, mapping) => {
    const columns = [
      { name: 'history', type: 'JSON' },
      { name: 'question', type: 'VARCHAR' },
      { name: 'answer', type: 'VARCHAR' },
    ];
    const dataset = datasetOf(columns, configuredMapping(mapping));
    const { before, ...earlier } = specificationOf({}, mapping, dataset, 'adapt');
    expect(before).toEqual({ history: 'history' });

    const shape = combineSource(dataset, columns, earlier);

    const { dataset: next, shape: again } = made(shape);
    expect(findColumns({ dataset, shape })).toMatchObject({ history: 'history' });
    expect(findColumns({ dataset: next, shape: again })).toMatchObject({ history: 'history' });
  },
);
