import { describe, expect, it } from 'vitest';
import { createRowProgram } from '#shared/adaptation/decide/adapt-rows.ts';
import { addedBy } from '#shared/adaptation/decide/added-columns.ts';
import { specificationOf } from '#shared/adaptation/decide/resolve-specification.ts';
import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import type { AdaptRequest, RunRequest } from '#shared/adaptation/schema/adaptation.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { learnProfile, materialReader } from '#shared/answers/decide/row-material.ts';
import { combineSource } from '#shared/growth/decide/combine/source.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import { lacksPair } from '#shared/runs/decide/outcomes.ts';
import { adaptedColumns } from '#shared/tabular/decide/export-columns.ts';
import { joinRows } from '#shared/tabular/decide/join-rows.ts';
import type { ColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';
import { inferColumns } from '#shared/training/decide/columns.ts';
import { columnsOfExamples, readExample } from '#shared/training/decide/example.ts';
import { askingInTests, replying } from '#test/helpers/replying-model.ts';

const detectLanguage = await loadLanguageDetector();
const ANSWER =
  'Go to bed at the same hour every day, and keep screens out of the bedroom, since their light keeps you awake for longer.';
const ROWS = [
  ['how do i sleep better', 'go to bed'],
  ['What is the capital of France?', 'The capital of France is Paris, which lies on the Seine in the north.'],
  ['explain photosynthesis plz', 'its when plants make food from teh sun'],
] as const;

type Shape = (text: string, role: 'user' | 'assistant') => unknown;

const text: Shape = (content) => content;
const turns: Shape = (content, role) => [{ role, content }];
const TOOLS = [
  { type: 'function', function: { name: 'sky', parameters: { type: 'object', properties: {} } } },
];
const SHAPES: Readonly<Record<string, Shape>> = {
  turns,
  'turns as text': (content, role) => JSON.stringify([{ role, content }]),
  'turns of ShareGPT': (value, role) => [{ from: role === 'user' ? 'human' : 'gpt', value }],
  'requests with messages and tools': (content, role) => ({ messages: [{ role, content }], tools: TOOLS }),
};

const isOfTurns = (shape: Shape): boolean => shape !== text;

function datasetOf(prompt: Shape, completion: Shape) {
  const column = (name: string, shape: Shape): RowsColumn => ({
    name,
    type: 'JSON',
    profile: {
      is_empty: false,
      not_chat: isOfTurns(shape) ? null : { row: 0, problem: 'is not a JSON array of turns' },
      image_format: null,
    },
  });
  const columns = [column('prompt', prompt), column('completion', completion)];
  const lines = ROWS.map(([asked, answered]) =>
    JSON.stringify({ prompt: prompt(asked, 'user'), completion: completion(answered, 'assistant') }),
  );
  return { columns, lines };
}

async function adapted(
  prompt: Shape,
  completion: Shape,
  request: Partial<AdaptRequest | RunRequest>,
  mapping: ColumnMapping = { prompt: 'prompt', completion: 'completion' },
) {
  const { columns, lines } = datasetOf(prompt, completion);
  const dataset = { columns, image_column_formats: null, language_expansion: null };
  const resolved = specificationOf(request, mapping, dataset, 'adapt');
  // As workers read it.
  const specification = RunRequestObject.shape.specification.parse(resolved) as AdaptationSpecification;
  const profile = learnProfile(lines, specification, detectLanguage);
  const rows = [];
  for (const line of lines) {
    const model = replying(ANSWER);
    const program = createRowProgram({
      specification,
      rewriteModel: model.client,
      answerModel: model.client,
      arbiter: { compare: async () => ({ winner: 'second' }) } as never,
      detectLanguage,
      profile,
      contextTokensMax: 8000,
      readImageFile: async () => null,
      fetchImage: async () => null,
      searcher: null,
    });
    const result = await program.run(readCells(line, program.columns), askingInTests(), newCallMeter());
    rows.push({ result, asked: model.requests.map(({ messages }) => messages) });
  }
  return { columns, lines, specification, rows };
}

type Adapted = Awaited<ReturnType<typeof adapted>>;

/** The rows of the download. */
async function delivered({ columns, lines, specification, rows }: Adapted): Promise<string[]> {
  const results = rows.map(({ result }, row) => `${JSON.stringify({ row, ...result })}\n`).join('');
  const body = async function* (content: string) {
    yield Buffer.from(content);
  };
  const joined: Buffer[] = [];
  for await (const block of joinRows({
    columns: adaptedColumns(specification.mapping, columns, addedBy(specification)),
    source: body(lines.map((line) => `${line}\n`).join('')),
    results: body(results),
    withoutResult: 'keep',
  }))
    joined.push(Buffer.from(block));
  return Buffer.concat(joined).toString('utf8').trim().split('\n');
}

async function examples(run: Adapted) {
  const { columns, specification } = run;
  const dataset = {
    kind: 'uploaded' as const,
    columns,
    configured_column_mapping: specification.mapping,
    image_column_formats: null,
  };
  const shape = combineSource({ dataset_id: 'a', ...dataset }, columns, specification);
  const found = inferColumns({ dataset, shape });
  const lines = await delivered(run);
  return lines.map((line, row) => readExample(found, readCells(line, columnsOfExamples(found)), row));
}

const lastText = (cell: string | null | undefined): unknown => {
  const value = JSON.parse(cell ?? 'null') as unknown;
  const list = (Array.isArray(value) ? value : (value as { messages: unknown[] }).messages) as {
    content: string;
  }[];
  return list.at(-1)?.content;
};

const REQUESTS: Readonly<Record<string, Partial<AdaptRequest | RunRequest>>> = {
  'no controls': {},
  'a length': { brand_controls: { length: 'detailed' } },
  'pairs of answers': { training_type: 'preference_pairs' },
  'a metadata block': { recipe_specification: { recipes: { prompt_metadata_injection: true } } },
};

describe('pictures in turns', () => {
  const seen = (content: unknown, role: 'user' | 'assistant') => [
    {
      role,
      content:
        role === 'assistant'
          ? content
          : [
              { type: 'text', text: content },
              { type: 'image_url', image_url: { url: 'https://images.test/a.png' } },
            ],
    },
  ];

  it.each<[string, ColumnMapping]>([
    ['prompts', { prompt: 'prompt', completion: 'completion' }],
    ['conversations', { chat: 'prompt' }],
  ])(
    'a picture in turns is kept in a column of %s, and a row that was changed without it says so',
    async (_, mapping) => {
      const shape: Shape =
        mapping.chat === undefined
          ? seen
          : (content, role) => [
              ...seen(content, role),
              ...(turns('its a cat i think, on teh sofa', 'assistant') as object[]),
            ];
      const { rows } = await adapted(shape, text, {}, mapping);

      expect(rows.map(({ result }) => result.outcome)).toContain('changed');
      for (const { result } of rows) {
        expect(result.cells.enhanced_prompt).toContain('https://images.test/a.png');
        const codes = (result.notes ?? []).map(({ code }) => code);
        expect(codes.includes('parts_unseen')).toBe(result.outcome === 'changed');
      }
    },
  );

  it('a picture in turns is shown to nobody: no steps lead to an answer about it', async () => {
    const request = { recipe_specification: { recipes: { reasoning_traces: true } } };
    const { rows } = await adapted(seen, text, request);

    for (const { result } of rows) expect(result.cells.reasoning_trace).toBeNull();
  });

  it.each(['a length', 'pairs of answers', 'no controls'])(
    'a picture in turns is shown to nobody: with %s what an answer says of it stays',
    async (controls) => {
      const request = REQUESTS[controls] ?? {};
      const { rows } = await adapted(seen, text, request);

      for (const [n, { result }] of rows.entries()) {
        expect(result.edit?.kind ?? 'mended').toBe('mended');
        expect(result.cells.enhanced_completion).not.toContain(ANSWER);
        if (controls === 'a length' && n === 1)
          expect(result).toMatchObject({ outcome: 'kept', reason: { code: 'parts_unseen' } });
        if (controls === 'pairs of answers') {
          expect(result.cells).toMatchObject({ chosen: null, rejected: null });
          expect(result.outcome === 'kept' ? result.reason?.code : 'parts_unseen').toBe('parts_unseen');
        }
      }
    },
  );

  it('a picture in turns is shown to nobody: a row without an answer is kept', async () => {
    const { rows } = await adapted(seen, () => null, {});

    for (const { result, asked } of rows) {
      expect({ asked, ...result }).toMatchObject({
        asked: [],
        outcome: 'kept',
        reason: { code: 'parts_unseen' },
      });
    }
  });
});

it.each<[string, Shape, Shape]>([
  ['prompt_empty', () => '', text],
  ['chat_invalid', () => [{ role: 'user' }], text],
  [
    'chat_call',
    turns,
    (_, role) => [
      {
        role,
        content: null,
        tool_calls: [{ id: '1', type: 'function', function: { name: 'sky', arguments: '{}' } }],
      },
    ],
  ],
])('a row that is kept unread lacks the pair that was asked for: %s', async (code, prompt, completion) => {
  const [pairs, plain] = [
    await adapted(prompt, completion, { training_type: 'preference_pairs' }),
    await adapted(prompt, completion, {}),
  ];

  for (const { result, asked } of pairs.rows) {
    expect({ asked, ...result }).toMatchObject({ asked: [], outcome: 'kept', reason: { code } });
    expect(result.cells).toMatchObject({ chosen: null, rejected: null });
    expect(lacksPair(result)).toBe(true);
  }
  for (const { result } of plain.rows) expect(lacksPair(result)).toBe(false);
});

describe.each(Object.entries(SHAPES))('a column of %s', (_, shape) => {
  it.each(Object.entries(REQUESTS))(
    'prompts and completions that are turns are adapted as texts are: %s',
    async (__, request) => {
      const plain = await adapted(text, text, request);

      for (const [prompt, completion] of [
        [shape, shape],
        [shape, text],
        [text, shape],
      ] as const) {
        const read = await adapted(prompt, completion, request);

        for (const [row, { result, asked }] of read.rows.entries()) {
          const expected = plain.rows[row] as (typeof plain.rows)[number];
          expect(asked).toEqual(expected.asked);
          const cells = { ...result.cells };
          if (isOfTurns(prompt)) cells.enhanced_prompt = lastText(cells.enhanced_prompt) as string;
          expect({ ...result, cells }).toEqual(expected.result);
        }
        expect(read.rows.map(({ result }) => result.outcome)).toContain('changed');
      }
    },
  );

  it('prompts and completions that are turns are delivered as turns, and trained on as texts are', async () => {
    const [plain, read] = [await adapted(text, text, {}), await adapted(shape, shape, {})];

    const withoutTools = (await examples(read)).map((example) => ({ ...example, tools: undefined }));
    expect(withoutTools).toEqual(await examples(plain));
    for (const [row, line] of (await delivered(read)).entries()) {
      const { enhanced_completion: completion } = JSON.parse(line) as Record<string, string>;
      const content = plain.rows[row]?.result.cells.enhanced_completion;
      expect(JSON.parse(completion ?? '')).toEqual([{ role: 'assistant', content }]);
    }
  });

  it.each<[string, ColumnMapping]>([
    ['prompts alone', { prompt: 'prompt' }],
    ['completions alone', { completion: 'completion' }],
    [
      'completions of an instruction for all rows',
      { universal_prompt: 'Sum it up.', completion: 'completion', context: ['note'] },
    ],
  ])('turns are read as texts are where they are %s', (__, mapping) => {
    const readAs = (each: Shape) => {
      const { columns, lines } = datasetOf(each, each);
      const dataset = { columns, image_column_formats: null, language_expansion: null };
      const reader = materialReader(specificationOf({}, mapping, dataset, 'adapt'));
      return lines.map((line) => {
        const cells = readCells(JSON.stringify({ note: 'It rains.', ...JSON.parse(line) }), reader.columns);
        const { promptCell: ___, ...material } = reader.read(cells) as { promptCell?: unknown };
        return { material, completion: reader.original(cells).completion };
      });
    };

    expect(readAs(shape)).toEqual(readAs(text));
  });
});
