import { expect, test } from 'vitest';
import { addedBy } from '#shared/adaptation/decide/added-columns.ts';
import { withMetadata } from '#shared/adaptation/decide/metadata-block.ts';
import { plainSpecification } from '#shared/adaptation/decide/plain-specification.ts';
import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import { contentOfColumns, modeOf } from '#shared/answers/decide/row-mapping.ts';
import { materialReader } from '#shared/answers/decide/row-material.ts';
import { columnsOfRow, formColumns } from '#shared/exports/decide/form-columns.ts';
import { combineSource } from '#shared/growth/decide/combine/source.ts';
import { readTurns, turnText, untilTrained } from '#shared/tabular/decide/chat-turns.ts';
import type { CanonicalChunk } from '#shared/tabular/decide/chunk-builder.ts';
import { ColumnProfiler } from '#shared/tabular/decide/column-profiler.ts';
import { adaptedColumns, type ExportColumn } from '#shared/tabular/decide/export-columns.ts';
import { historyTurns } from '#shared/tabular/decide/forms/history.ts';
import { callsOf } from '#shared/tabular/decide/forms/tool-calls.ts';
import { writeTrainingRow } from '#shared/tabular/decide/forms/training-row.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { findColumns } from '#shared/training/decide/columns.ts';
import { readExample } from '#shared/training/decide/example.ts';
import type { TrainedAnswer, TrainingExample } from '#shared/training/schema/training-job.ts';
import { makeCaller, makeDataset } from '#test/helpers/records.ts';

const told = { role: 'system', content: 'You are a guide.' };
const says = (content: string) => ({ role: 'user', content });
const replies = (content: string) => ({ role: 'assistant', content });
const call = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'weather', arguments: '{"in":"Oslo"}' } }],
};
const result = { role: 'tool', tool_call_id: 'a', content: 'Snow.' };
const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }];
const talk = [says('And now?'), replies('A jacket.'), says('And in winter?')];

const prompts = {
  'a text': 'And now?',
  'a turn': [says('And now?')],
  'a system prompt and a turn': [told, says('And now?')],
  turns: talk,
  'a request with tools': { messages: [says('And now?')], tools },
  'a call and its result': [says('And now?'), call, result],
  'a whole conversation': [told, ...talk, replies('A coat.')],
  'turns that end with two replies': [says('And now?'), replies('A jacket.'), replies('Or a coat.')],
  'turns that end with three replies': [
    says('And now?'),
    replies('A hat.'),
    replies('A cap.'),
    replies('So.'),
  ],
};
const completions = {
  'a text': 'A coat.',
  'a turn': [replies('A coat.')],
  'an exchange': [says('And now?'), replies('A coat.')],
  'a whole conversation': [...talk, replies('A coat.')],
  'a call': [call],
  'a call, its result and a reply': [call, result, replies('A coat.')],
  'a reply and one of the weight 0': [replies('A coat.'), says('No.'), { ...replies('Ah.'), weight: 0 }],
};
const conversations = {
  'a conversation': [told, ...talk, replies('A coat.')],
  'a conversation told by its developer': [{ ...told, role: 'developer' }, ...talk, replies('A coat.')],
  'a conversation with tools': { messages: [...talk, call, result, replies('A coat.')], tools },
  'a conversation that ends with a question': [...talk, replies('A coat.'), says('And in spring?')],
  'a conversation that ends with a call': [...talk, call, result],
  'a conversation that ends with a reply of the weight 0': [
    says('And now?'),
    replies('A coat.'),
    says('No.'),
    { ...replies('Ah.'), weight: 0 },
  ],
  'a conversation that ends with two replies': [says('And now?'), replies('A jacket.'), replies('A coat.')],
  'a conversation that ends with thanks': [says('And now?'), replies('A coat.'), says('Thanks')],
};
/** Columns beside those of the mapping. */
const beside = {
  nothing: {},
  history: { history: [['Hello', 'Good day.']] },
  system: { system: 'Be brief.' },
  tools: { tools },
  'context of two columns': { page: 'It snows.', place: 'Oslo' },
  all: { history: [['Hello', 'Good day.']], system: 'Be brief.', tools, page: 'It snows.', place: 'Oslo' },
};
/** The worse answer of a pair. */
const worse = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replaceAll('A coat.', 'Nothing.').replaceAll('Oslo', 'Bergen'));

type Mapped = Omit<ConfiguredColumnMapping, 'context'>;
type Shape = readonly [string, object, Mapped];
const shapes: readonly Shape[] = [
  ...Object.entries(prompts).flatMap(([of, prompt]) =>
    Object.entries(completions).flatMap(([by, completion]): Shape[] => [
      [`${of}, answered by ${by}`, { prompt, completion }, { prompt: 'prompt', completion: 'completion' }],
      [
        `${of}, with a pair of which each is ${by}`,
        { prompt, chosen: completion, rejected: worse(completion) },
        { prompt: 'prompt', chosen: 'chosen', rejected: 'rejected' },
      ],
    ]),
  ),
  ...Object.entries(conversations).flatMap(([of, messages]): Shape[] => [
    [of, { messages }, { chat: 'messages' }],
    [`${of} as its own prompt`, { messages }, { prompt: 'messages' }],
  ]),
];

const textOf = (cell: unknown): string => (typeof cell === 'string' ? cell : JSON.stringify(cell));

function profiled(row: Readonly<Record<string, unknown>>) {
  const [profiler, names] = [new ColumnProfiler(), Object.keys(row)];
  const body = Buffer.from(`${JSON.stringify(row)}\n`);
  profiler.look([{ body, firstRow: 0, rowCount: 1 } as unknown as CanonicalChunk], names);
  return profiler.profiled(
    names.map((name) => ({ name, type: typeof row[name] === 'string' ? 'VARCHAR' : 'JSON' })),
  );
}

/** What turns say, in whatever form they are written. */
function saidIn(turns: readonly object[] | string) {
  const read = readTurns(textOf(turns));
  if (typeof read === 'string') throw new Error(`A list of turns ${read}.`);
  return read.map((turn) => ({
    role: turn.role === 'developer' ? 'system' : turn.role,
    text: turnText(turn),
    calls: callsOf(turn).map(({ name, arguments: given }) => [name, JSON.parse(given)]),
  }));
}

const answered = (answer: TrainedAnswer | undefined) =>
  answer === undefined
    ? []
    : [typeof answer === 'string' ? replies(answer) : { role: 'assistant', ...answer }];

interface Said {
  readonly turns: ReturnType<typeof saidIn>;
  readonly pair: ReturnType<typeof saidIn>;
  readonly tools: readonly unknown[] | null;
  readonly reasoning: string | null;
}

const saidByExample = ({
  messages,
  completion,
  chosen,
  rejected,
  tools: given,
  reasoning,
}: TrainingExample): Said => ({
  turns: saidIn([...messages, ...answered(completion)]),
  pair: [...answered(chosen), ...answered(rejected)].flatMap((turn) => saidIn([turn])),
  tools: given ?? null,
  reasoning: reasoning ?? null,
});

// biome-ignore lint/suspicious/noExplicitAny: rows of four forms
type Written = any;

const reasoningIn = (turns: Written): string | null => turns.at(-1).reasoning_content ?? null;

/** What rows of each form say. OpenAI's API alone leaves out replies of the weight 0: those behind the last that is trained on stay. */
const readers = {
  openai: ({ messages, input, preferred_output, non_preferred_output, tools: given }: Written): Said => ({
    turns: saidIn(untilTrained(messages ?? input.messages)),
    reasoning: input === undefined ? reasoningIn(untilTrained(messages)) : null,
    pair: input === undefined ? [] : saidIn([...preferred_output, ...non_preferred_output]),
    tools: given ?? input?.tools ?? null,
  }),
  sharegpt: ({ conversations: turns, chosen, rejected, tools: given = 'null' }: Written): Said => ({
    turns: saidIn(turns),
    pair: chosen === undefined ? [] : saidIn([chosen, rejected]),
    tools: JSON.parse(given),
    reasoning: null,
  }),
  trl: ({ messages, prompt, completion = [], chosen, rejected, tools: given = null }: Written): Said => ({
    turns: saidIn(messages ?? [...prompt, ...completion]),
    reasoning: chosen === undefined ? reasoningIn(messages ?? completion) : null,
    pair: chosen === undefined ? [] : saidIn([...chosen, ...rejected]),
    tools: given,
  }),
  alpaca: ({ instruction, input, output, chosen, rejected, system, history = [] }: Written): Said => ({
    turns: saidIn([
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      ...historyTurns(JSON.stringify(history)),
      says([instruction, input].filter((text) => text !== '').join('\n')),
      ...(output === undefined ? [] : [replies(output)]),
    ]),
    pair: chosen === undefined ? [] : saidIn([replies(chosen), replies(rejected)]),
    tools: null,
    reasoning: null,
  }),
};

/** The same without tools, for which Alpaca has no place; null of what has their calls, or two turns of one speaker in a row. */
const inAlpaca = ({ turns, pair }: Said): Said | null =>
  [...turns, ...pair].some(({ role, calls }) => role === 'tool' || calls.length > 0) ||
  [...turns, ...pair.slice(0, 1)].some(({ role }, at, all) => role === all[at - 1]?.role)
    ? null
    : { turns, pair, tools: null, reasoning: null };

/** What a form has a place for. */
const inForm = (form: keyof typeof readers, said: Said): Said | null => {
  if (form === 'alpaca') return inAlpaca(said);
  return form === 'sharegpt' ? { ...said, reasoning: null } : said;
};

/** The cells of a row in a download, of those that it came with and those that a run has made. */
function cellsOf(
  columns: readonly ExportColumn[],
  own: ReadonlyMap<string, string | null>,
  result: Readonly<Record<string, string | null>>,
): Map<string, string | null> {
  const textOfColumn = (column: Pick<ExportColumn, 'source' | 'result'>): string | null =>
    result[column.result ?? ''] ?? own.get(column.source ?? '') ?? null;
  return new Map(
    columns.map((column) => [
      column.name,
      column.composed === undefined
        ? textOfColumn(column)
        : JSON.parse(column.composed.cell(column.composed.of.map(textOfColumn))),
    ]),
  );
}

/** The rows of a dataset as they came and, but for pairs, after an adaptation that adds metadata and reasoning traces alone. */
function versionsOf(row: Readonly<Record<string, unknown>>, mapped: Mapped) {
  const columns = profiled(row);
  const context = 'chat' in mapped ? [] : ['page', 'place'].filter((name) => name in row);
  const mapping = { ...mapped, context };
  const dataset = makeDataset(makeCaller(), { columns, configured_column_mapping: mapping });
  const cells = new Map(Object.entries(row).map(([name, cell]) => [name, textOf(cell)]));
  const version = (
    specification: AdaptationSpecification | null,
    made: ReadonlyMap<string, string | null>,
    name = 'as it was uploaded or adapted',
  ) => ({
    name,
    cells: made,
    source: { dataset, shape: combineSource(dataset, columns, specification) },
    columns: columnsOfRow(formColumns(dataset, columns, specification), made),
  });
  if ('chosen' in mapped) return [version(null, cells)];
  const specification = {
    mode: modeOf(mapping),
    mapping,
    ...contentOfColumns(mapping, columns),
    training_type: 'instruction_dataset',
    safety_categories: [],
    recipes: {},
    verification: 'off',
    reasoning_traces: true,
    prompt_metadata_injection: true,
  } as unknown as AdaptationSpecification;
  const reader = materialReader(specification);
  const { prompt, completion } = reader.original(cells);
  const plain = plainSpecification(mapping, dataset);
  const delivered = (name: string, result: Readonly<Record<string, string | null>>) =>
    version(plain, cellsOf(adaptedColumns(mapping, columns, addedBy(plain)), cells, result), name);
  const untouched = { enhanced_prompt: prompt, enhanced_completion: completion };
  const others = [
    delivered('not selected by max_rows', plain.mode === 'chat' ? untouched : {}),
    delivered('reviewed without a verdict', untouched),
    delivered('mended by a review', { ...untouched, enhanced_completion: 'Wool.' }),
  ];
  const adapted = (enhanced: string | null) =>
    version(
      specification,
      new Map<string, string | null>(cells)
        .set('enhanced_prompt', enhanced)
        .set('enhanced_completion', completion)
        .set('reasoning_trace', 'It is cold there.'),
    );
  const read = reader.read(cells);
  if ('skip' in read || read.prompt === '') return [version(null, cells), adapted(prompt), ...others];
  const described = withMetadata(read.prompt, { context: read.context, language: 'en', length: null });
  return [version(null, cells), adapted(prompt), adapted(read.promptCell(described)), ...others];
}

test.each(shapes)('a row of %s says in each form what its training reads', (_, own, mapping) => {
  const isPair = 'chosen' in mapping;
  for (const [name, others] of Object.entries(beside)) {
    for (const { name: version, cells, source, columns } of versionsOf({ ...own, ...others }, mapping)) {
      const found = findColumns(source, isPair ? 'alignment' : 'instruction');
      if (found === null) throw new Error('The row has no columns to train on.');
      const example = readExample(isPair ? { ...found, completion: null } : found, cells, 0);
      for (const form of ['openai', 'sharegpt', 'trl', 'alpaca'] as const) {
        const written = writeTrainingRow(form, columns, cells);
        const said = 'skip' in example ? null : saidByExample(example);
        expect(written && readers[form](written), `${form}, ${version}, beside ${name}`).toEqual(
          said && inForm(form, said),
        );
      }
    }
  }
});
