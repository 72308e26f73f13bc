import { describe, expect, test } from 'vitest';
import { turnsInDownload } from '#shared/answers/decide/turns-of-run.ts';
import type { DatasetKind } from '#shared/datasets/schema/dataset.ts';
import type { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import {
  findColumns,
  inferColumns,
  readMapping,
  type TrainingColumns,
} from '#shared/training/decide/columns.ts';
import type { TrainingColumnMapping } from '#shared/training/schema/training.ts';

interface Described {
  readonly names: readonly string[];
  readonly roles?: TrainingColumns['shape']['roles'];
  readonly configured?: ConfiguredColumnMapping;
  /** Columns in which every cell was seen to hold a conversation. */
  readonly chats?: readonly string[];
  readonly context?: readonly string[];
  readonly images?: readonly string[];
  /** Columns that hold something else than what is read of columns with their names. */
  readonly unlike?: readonly string[];
  readonly kind?: DatasetKind;
  /** Columns that a run has written. */
  readonly written?: readonly string[];
}

const sourceOf = ({
  names,
  roles = {},
  configured,
  chats = [],
  context = [],
  images = [],
  unlike = [],
  kind = 'uploaded',
  written = [],
}: Described): TrainingColumns => ({
  dataset: {
    kind,
    configured_column_mapping: configured ?? null,
    image_column_formats: Object.fromEntries(images.map((name) => [name, 'url' as const])),
    columns: names.map((name) => ({
      name,
      type: 'VARCHAR',
      profile: {
        is_empty: false,
        not_chat: chats.includes(name) ? null : { row: 0, problem: 'is no list' },
        image_format: null,
        ...(unlike.includes(name) ? { unlike_name: true } : {}),
      },
    })),
  },
  shape: {
    roles,
    context,
    columns: names.map((name) =>
      written.includes(name)
        ? { name, type: 'VARCHAR', result: name }
        : { name, type: 'VARCHAR', source: name },
    ),
  },
});

const ADAPTED = {
  names: ['question', 'answer', 'enhanced_prompt', 'enhanced_completion'],
  roles: { prompt: 'enhanced_prompt', completion: 'enhanced_completion' },
};
const NOTHING = {
  completion: null,
  reasoning_trace: null,
  chosen: null,
  rejected: null,
  context: [],
  conversations: [],
};

const ADAPTED_PAIRS: Described = {
  names: [...ADAPTED.names, 'chosen', 'rejected'],
  roles: { ...ADAPTED.roles, chosen: 'chosen', rejected: 'rejected' },
};

test.each<[string, Described, object]>([
  [
    'adapted rows are taken as they were enhanced',
    ADAPTED,
    { ...NOTHING, prompt: 'enhanced_prompt', completion: 'enhanced_completion' },
  ],
  [
    'their traces are taken too',
    { ...ADAPTED, names: [...ADAPTED.names, 'reasoning_trace'] },
    {
      ...NOTHING,
      prompt: 'enhanced_prompt',
      completion: 'enhanced_completion',
      reasoning_trace: 'reasoning_trace',
    },
  ],
  [
    'both answers of pairs are taken',
    {
      names: [...ADAPTED.names, 'chosen', 'rejected'],
      roles: { ...ADAPTED.roles, chosen: 'chosen', rejected: 'rejected' },
    },
    {
      ...NOTHING,
      prompt: 'enhanced_prompt',
      completion: 'enhanced_completion',
      chosen: 'chosen',
      rejected: 'rejected',
    },
  ],
  [
    'raw rows are taken by their own mapping, and a column that is called a trace is not one',
    { names: ['q', 'a', 'reasoning_trace'], roles: { prompt: 'q', completion: 'a' } },
    { ...NOTHING, prompt: 'q', completion: 'a' },
  ],
  [
    'rows without a mapping are taken by the usual names',
    { names: ['id', 'prompt', 'completion'] },
    { ...NOTHING, prompt: 'prompt', completion: 'completion' },
  ],
  [
    'pairs too',
    { names: ['prompt', 'chosen', 'rejected'] },
    { ...NOTHING, prompt: 'prompt', chosen: 'chosen', rejected: 'rejected' },
  ],
  [
    'a conversation holds its own answer',
    { names: ['talk'], configured: { chat: 'talk', context: [] } },
    { ...NOTHING, prompt: 'talk', conversations: ['talk'] },
  ],
  [
    'also one that is mapped as a prompt',
    { names: ['talk'], roles: { prompt: 'talk' }, chats: ['talk'] },
    { ...NOTHING, prompt: 'talk', conversations: ['talk'] },
  ],
  [
    'also one that a chat template has rendered as text',
    { names: ['text', 'id'], chats: ['text'] },
    { ...NOTHING, prompt: 'text', conversations: ['text'] },
  ],
  [
    'also one in the form of files for OpenAI',
    { names: ['messages', 'tools'], chats: ['messages'] },
    { ...NOTHING, prompt: 'messages', conversations: ['messages'], tools: 'tools' },
  ],
  [
    'a history and tools beside a mapping are read by name',
    {
      names: ['question', 'answer', 'history', 'functions'],
      roles: { prompt: 'question', completion: 'answer' },
    },
    { ...NOTHING, prompt: 'question', completion: 'answer', history: 'history', tools: 'functions' },
  ],
  [
    'columns that hold something else than what their names say are not',
    {
      names: ['question', 'answer', 'history', 'tools', 'functions'],
      roles: { prompt: 'question', completion: 'answer' },
      unlike: ['history', 'tools', 'functions'],
    },
    { ...NOTHING, prompt: 'question', completion: 'answer' },
  ],
  [
    'a history of texts by turns is one in a form that has it',
    {
      names: ['instruction', 'output', 'history'],
      roles: { prompt: 'instruction', completion: 'output' },
      unlike: ['history'],
    },
    { ...NOTHING, prompt: 'instruction', completion: 'output', history: 'history' },
  ],
  [
    'a history of texts by turns is none in a form that has no history',
    {
      names: ['prompt', 'completion', 'history'],
      roles: { prompt: 'prompt', completion: 'completion' },
      unlike: ['history'],
    },
    { ...NOTHING, prompt: 'prompt', completion: 'completion' },
  ],
  [
    'pairs in the form of files for OpenAI',
    { names: ['input', 'preferred_output', 'non_preferred_output'] },
    { ...NOTHING, prompt: 'input', chosen: 'preferred_output', rejected: 'non_preferred_output' },
  ],
  [
    'what a run delivers comes before the conversation that it was made of',
    { ...ADAPTED, names: ['messages', ...ADAPTED.names], chats: ['messages'] },
    { ...NOTHING, prompt: 'enhanced_prompt', completion: 'enhanced_completion' },
  ],
  ['also one that is called chat', { names: ['chat'] }, { ...NOTHING, prompt: 'chat' }],
  [
    'but not before the conversations of files for OpenAI',
    { names: ['chat', 'messages'], chats: ['messages'] },
    { ...NOTHING, prompt: 'messages', conversations: ['messages'] },
  ],
])('columns are found without a mapping: %s', (_, described, expected) => {
  expect(inferColumns(sourceOf(described))).toEqual(expected);
});

test('an alignment takes the pairs beside a conversation that is mapped, which other trainings take', () => {
  const beside: Described = {
    names: ['messages', 'prompt', 'chosen', 'rejected'],
    configured: { chat: 'messages', context: [] },
    chats: ['messages'],
  };
  const pair = { prompt: 'prompt', completion: null, chosen: 'chosen', rejected: 'rejected' };

  expect(inferColumns(sourceOf(beside), 'alignment')).toMatchObject(pair);
  expect(inferColumns(sourceOf(beside))).toMatchObject({
    ...NOTHING,
    prompt: 'messages',
    conversations: ['messages'],
  });
});

test.each([
  ['the turns before the last reply', ['talk'], 'talk'],
  ['whole conversations, as an earlier release did', undefined, undefined],
])('the conversations of which a run wrote %s are read beside these, or not', (_, conversations, whole) => {
  const source = sourceOf({
    names: ['talk', 'enhanced_prompt', 'enhanced_completion'],
    roles: ADAPTED.roles,
    chats: ['talk'],
    written: ['enhanced_prompt', 'enhanced_completion'],
  });

  const mapping = { prompt: 'talk', context: [] };
  const turns = turnsInDownload({ mapping, conversations }, source.shape.columns);

  expect(findColumns({ ...source, shape: { ...source.shape, turns } })?.whole).toBe(whole);
});

const PAIR_BESIDE = ['chosen', 'rejected'];

test.each<[string, Described]>([
  [
    'what a run has written',
    {
      ...ADAPTED,
      names: [...ADAPTED.names, ...PAIR_BESIDE],
      written: ['enhanced_prompt', 'enhanced_completion'],
    },
  ],
  ...(['translated', 'localized', 'extended', 'combined'] as const).map((kind): [string, Described] => [
    `prompts and answers of a ${kind} dataset`,
    { names: ['q', 'a', ...PAIR_BESIDE], roles: { prompt: 'q', completion: 'a' }, kind },
  ]),
])(
  'an alignment takes no columns called chosen and rejected for pairs beside %s, whose prompts are others',
  (_, described) => {
    const source = sourceOf(described);
    const { prompt, completion } = described.roles ?? {};

    expect(findColumns(source, 'alignment')).toMatchObject({
      prompt,
      completion,
      chosen: null,
      rejected: null,
    });
    expect(readMapping({ prompt, completion }, source, 'alignment')).toMatchObject({
      chosen: null,
      rejected: null,
    });
  },
);
test.each<[string, Described]>([
  ['prompts and answers', { names: ['q', 'a'], roles: { prompt: 'q', completion: 'a' } }],
  ['prompts alone', { names: ['q'], roles: { prompt: 'q' } }],
  ['prompts of turns', { names: ['q', 'a'], roles: { prompt: 'q', completion: 'a' }, chats: ['q'] }],
  [
    'conversations',
    { names: ['talk'], roles: { chat: 'talk' }, configured: { chat: 'talk', context: [] }, chats: ['talk'] },
  ],
  ['pairs', { names: ['q', 'b', 'w'], roles: { prompt: 'q', completion: 'b', chosen: 'b', rejected: 'w' } }],
  ['answers that are the better ones', { names: ['q'], roles: { prompt: 'q', completion: 'chosen' } }],
  ['prompts that are the better ones', { names: ['a'], roles: { prompt: 'chosen', completion: 'a' } }],
])('a request that says nothing trains on what one says that repeats the mapping: %s', (_, described) => {
  const source = sourceOf({ ...described, names: [...described.names, ...PAIR_BESIDE] });
  const { chat, prompt = chat, ...answers } = described.roles ?? {};
  const mapping = { ...(prompt === undefined ? {} : { prompt }), ...answers };

  expect(findColumns(source, 'alignment')).toEqual(readMapping(mapping, source, 'alignment'));
  const isWhole = answers.completion === undefined && chat === undefined;
  if (!isWhole) expect(findColumns(source)).toEqual(readMapping(mapping, source));
});

test.each<[string, Described]>([
  ['no column says what it is', { names: ['a', 'b'] }],
  ['a text is no conversation', { names: ['text'] }],
  ['there is a prompt alone', { names: ['q'], roles: { prompt: 'q' } }],
  ['a pair lacks one of its answers', { names: ['prompt', 'chosen'] }],
])('without a mapping: one is asked for where %s', (_, described) => {
  expect(findColumns(sourceOf(described))).toBeNull();
  expect(() => inferColumns(sourceOf(described))).toThrow(
    expect.objectContaining({
      code: 'column_mapping_required',
      message: expect.stringContaining(described.names.map((name) => JSON.stringify(name)).join(', ')),
    }),
  );
});

test('without a mapping: one is proposed by what columns are called', () => {
  const said = (names: string[]): string => {
    try {
      inferColumns(sourceOf({ names }));
    } catch (error) {
      return (error as ServiceError).message;
    }
    throw new Error('It was not refused.');
  };
  expect(said(['question', 'answer'])).toContain('send {"prompt":"question","completion":"answer"}');
  expect(said(['question', 'chosen', 'rejected'])).toContain(
    'send {"prompt":"question","chosen":"chosen","rejected":"rejected"}',
  );
});

describe('a mapping', () => {
  const source = sourceOf({ names: ['q', 'a', 'b', 'talk'], chats: ['talk'] });
  const refusal = (mapping: TrainingColumnMapping): ServiceError => {
    try {
      readMapping(mapping, source);
    } catch (error) {
      return error as ServiceError;
    }
    throw new Error('It was not refused.');
  };

  test('a mapping is taken as it is', () => {
    expect(readMapping({ prompt: 'q', completion: 'a', reasoning_trace: 'b' }, source)).toEqual({
      prompt: 'q',
      completion: 'a',
      reasoning_trace: 'b',
      chosen: null,
      rejected: null,
      context: [],
      conversations: [],
    });
    expect(readMapping({ prompt: 'talk' }, source)).toEqual({
      ...NOTHING,
      prompt: 'talk',
      conversations: ['talk'],
    });
  });

  test('a mapping names every column that is not there', () => {
    const error = refusal({ prompt: 'x', completion: 'a', chosen: 'y' });

    expect(error.code).toBe('column_unknown');
    expect(error.message).toContain("Selected column 'x' for prompt is not in this dataset");
    expect(error.message).toContain("Selected column 'y' for chosen is not in this dataset");
    expect(error.details).toMatchObject([
      { path: 'column_mapping.prompt', available: ['q', 'a', 'b', 'talk'] },
      { path: 'column_mapping.chosen' },
    ]);
  });

  test.each<[string, TrainingColumnMapping]>([
    ['column_mapping.prompt', { completion: 'a' }],
    ['column_mapping.prompt', {}],
    ['column_mapping.completion', { prompt: 'q' }],
    ['column_mapping.rejected', { prompt: 'q', chosen: 'a' }],
    ['column_mapping.chosen', { prompt: 'q', completion: 'a', rejected: 'b' }],
  ])('a mapping lacks %s: %o', (path, mapping) => {
    expect(refusal(mapping)).toMatchObject({ code: 'invalid_request', details: [{ path }] });
  });

  test.each<[string, Described, TrainingColumnMapping, object]>([
    [
      'the prompt beside an answer',
      ADAPTED,
      { completion: 'answer' },
      { prompt: 'enhanced_prompt', completion: 'answer' },
    ],
    [
      'the prompt of a dataset without answers of its own',
      { names: ['q', 'a'], roles: { prompt: 'q' } },
      { completion: 'a' },
      { prompt: 'q', completion: 'a' },
    ],
    [
      'the answer beside a prompt',
      ADAPTED,
      { prompt: 'question' },
      { prompt: 'question', completion: 'enhanced_completion' },
    ],
    [
      'the other answer of a pair',
      { names: ['prompt', 'chosen', 'rejected', 'worse'] },
      { rejected: 'worse' },
      { prompt: 'prompt', completion: null, chosen: 'chosen', rejected: 'worse' },
    ],
    [
      'all but the traces',
      { ...ADAPTED, names: [...ADAPTED.names, 'thought'] },
      { reasoning_trace: 'thought' },
      { prompt: 'enhanced_prompt', completion: 'enhanced_completion', reasoning_trace: 'thought' },
    ],
    ['all of them', ADAPTED, {}, { prompt: 'enhanced_prompt', completion: 'enhanced_completion' }],
    [
      'no answer to a conversation that is named',
      { ...ADAPTED, names: [...ADAPTED.names, 'talk'], chats: ['talk'] },
      { prompt: 'talk' },
      { prompt: 'talk', completion: null, conversations: ['talk'] },
    ],
  ])('a mapping is completed from the dataset: %s', (_, described, mapping, expected) => {
    expect(readMapping(mapping, sourceOf(described))).toMatchObject(expected);
  });

  test.each<[string, Described, TrainingColumnMapping, object]>([
    [
      'the pair of an adapted dataset',
      ADAPTED_PAIRS,
      { prompt: 'enhanced_prompt', completion: 'enhanced_completion' },
      { completion: 'enhanced_completion', chosen: 'chosen', rejected: 'rejected' },
    ],
    [
      'a pair whose better answer the mapping names',
      { names: ['q', 'a', 'worse'], roles: { prompt: 'q', chosen: 'a', rejected: 'worse' } },
      { prompt: 'q', completion: 'a' },
      { completion: 'a', chosen: 'a', rejected: 'worse' },
    ],
    [
      'columns that are called so',
      { names: ['q', 'a', 'chosen', 'rejected'] },
      { prompt: 'q', completion: 'a' },
      { completion: 'a', chosen: 'chosen', rejected: 'rejected' },
    ],
    [
      'the pair beside a conversation',
      { names: ['talk', 'chosen', 'rejected'], chats: ['talk'] },
      { prompt: 'talk' },
      { completion: null, chosen: 'chosen', rejected: 'rejected' },
    ],
    [
      'no pair of which one column is the prompt',
      { names: ['a', 'chosen', 'rejected'] },
      { prompt: 'chosen', completion: 'a' },
      { completion: 'a', chosen: null, rejected: null },
    ],
  ])(
    'a mapping of an alignment is completed by %s, and one of instructions is not',
    (_, described, mapping, expected) => {
      const source = sourceOf(described);

      expect(readMapping(mapping, source, 'alignment')).toMatchObject(expected);
      if (mapping.completion === undefined) return;
      expect(readMapping(mapping, source)).toMatchObject({ chosen: null, rejected: null });
    },
  );

  test('a mapping never takes one column for two roles', () => {
    expect(() =>
      readMapping({ completion: 'prompt' }, sourceOf({ names: ['prompt', 'completion'] })),
    ).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ path: 'column_mapping.prompt' })] }),
    );
  });
});

test('the prompts of an adapted conversation are conversations, and its answers are texts', () => {
  const adapted = {
    ...sourceOf({ ...ADAPTED, configured: { chat: 'question', context: [] } }),
    shape: {
      roles: ADAPTED.roles,
      context: [],
      columns: [
        { name: 'enhanced_prompt', type: 'VARCHAR', result: 'enhanced_prompt' },
        { name: 'enhanced_completion', type: 'VARCHAR', result: 'enhanced_completion' },
      ],
    },
  };

  expect(findColumns(adapted)?.conversations).toEqual(['enhanced_prompt']);
});

describe('the context of a dataset', () => {
  const source = sourceOf({
    ...ADAPTED,
    names: [...ADAPTED.names, 'page', 'picture'],
    context: ['page', 'picture', 'gone'],
    images: ['picture'],
  });

  test('the context of a dataset is part of its examples, but for images and columns that are gone', () => {
    expect(findColumns(source)?.context).toEqual(['page']);
  });

  test('the context of a dataset is part of them also where the caller names the columns, but for the prompt itself', () => {
    expect(readMapping({ prompt: 'question', completion: 'answer' }, source).context).toEqual(['page']);
    expect(readMapping({ prompt: 'page', completion: 'answer' }, source).context).toEqual([]);
  });
});

test.each([
  ['VARCHAR', ['instruction', 'output', 'system'], 'system'],
  ['BIGINT', ['instruction', 'output', 'system'], undefined],
  ['VARCHAR', ['question', 'answer', 'system'], undefined],
] as const)('a column `system` of type %s beside %j holds system prompts: %s', (type, names, system) => {
  const [prompt, completion] = names;
  const source = sourceOf({ names, roles: { prompt, completion } });
  const columns = source.dataset.columns?.map((column) =>
    column.name === 'system' ? { ...column, type } : column,
  );

  expect(findColumns({ ...source, dataset: { ...source.dataset, columns: columns ?? null } })?.system).toBe(
    system,
  );
});
