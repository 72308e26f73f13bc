import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asChat } from '#shared/growth/decide/combine/turns.ts';
import { RESULTS_JOINT, readTurns } from '#shared/tabular/decide/chat-turns.ts';
import { writeTrainingRow } from '#shared/tabular/decide/forms/training-row.ts';
import { TURNS_MAX } from '#shared/tabular/decide/limits.ts';
import { readExamples } from '#shared/training/decide/example.ts';

const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const said = (role: string, content: string | null, rest = {}) => ({ role, content, ...rest });

/** Rows with a text of JSON that nests so deep, by what it is the text of. */
const rows: Readonly<Record<string, (depth: number) => Readonly<Record<string, string>>>> = {
  'the arguments of a call': (depth) => ({
    chat: JSON.stringify([
      said('user', 'Go.'),
      said('assistant', null, {
        tool_calls: [{ type: 'function', function: { name: 'go', arguments: `{"to":${deep(depth)}}` } }],
      }),
      said('tool', 'There.'),
      said('assistant', 'Gone.'),
    ]),
  }),
  'the call of a turn of ShareGPT': (depth) => ({
    chat: JSON.stringify([
      { from: 'human', value: 'Go.' },
      { from: 'function_call', value: `{"name":"go","arguments":{"to":${deep(depth)}}}` },
      { from: 'observation', value: 'There.' },
      { from: 'gpt', value: 'Gone.' },
    ]),
  }),
  'its tools': (depth) => ({
    prompt: 'Go.',
    completion: 'Gone.',
    tools: `[{"name":"go","parameters":${deep(depth)}}]`,
  }),
  'the tools of its prompt': (depth) => ({
    prompt: JSON.stringify({
      messages: [said('user', 'Go.')],
      tools: `[{"name":"go","parameters":${deep(depth)}}]`,
    }),
    completion: 'Gone.',
  }),
  'its history': (depth) => ({ prompt: 'Go.', completion: 'Gone.', history: deep(depth) }),
};

const depths = [50, 490, 600, 6000, 100_000];

const trainingColumns = (row: Readonly<Record<string, string>>) => ({
  chat: 'chat' in row ? 'chat' : null,
  prompt: 'prompt' in row ? 'prompt' : null,
  completion: 'completion' in row ? 'completion' : null,
  chosen: null,
  rejected: null,
  context: [],
  system: null,
  tools: 'tools' in row ? 'tools' : null,
  history: 'history' in row ? 'history' : null,
  reasoning: null,
  conversations: ['chat', ...(row.prompt?.startsWith('{') === true ? ['prompt'] : [])],
});

test.each(Object.entries(rows))(
  'a row can be downloaded, trained on and merged however deep %s nest',
  (_, rowOf) => {
    for (const depth of depths) {
      const row = rowOf(depth);
      const cells = new Map(Object.entries(row));
      const columns = trainingColumns(row);

      for (const form of ['openai', 'sharegpt', 'alpaca', 'trl'] as const) {
        const written = writeTrainingRow(form, columns, cells);
        expect(() => JSON.stringify(written)).not.toThrow();
      }
      const examples = readExamples(
        {
          prompt: columns.chat ?? 'prompt',
          completion: columns.completion,
          chosen: null,
          rejected: null,
          context: [],
          reasoning_trace: null,
          conversations: columns.conversations,
          ...(columns.tools === null ? {} : { tools: columns.tools }),
          ...(columns.history === null ? {} : { history: columns.history }),
        },
        cells,
        0,
      );
      expect(() => JSON.stringify(examples)).not.toThrow();
      const column = (name: string) => ({ name, type: 'VARCHAR', source: name });
      const merged = asChat(
        'chat',
        {
          dataset_id: 'dataset',
          columns: Object.keys(row).map(column),
          roles: { prompt: columns.chat ?? 'prompt', completion: 'completion' },
          conversations: columns.conversations,
          context: [],
          training_type: 'instruction_dataset',
          is_multimodal: false,
          image: null,
          file_columns: [],
        },
        'VARCHAR',
      );
      if (!('composed' in merged)) throw new Error('The merge composes no column.');
      expect(
        typeof merged.composed?.cell([row[columns.chat ?? 'prompt'] ?? null, row.completion ?? null]),
      ).toBe('string');
    }
  },
);

test('tools and calls that nest as deep as readers follow are kept', () => {
  const row = rows['its tools']?.(490) ?? {};
  const written = writeTrainingRow('trl', trainingColumns(row), new Map(Object.entries(row)));

  expect(JSON.stringify(written)).toContain(deep(490));
});

test('a conversation of more turns than any has is read as none, and costs no memory for each', () => {
  const turn = JSON.stringify(said('user', 'a'));
  const results = JSON.stringify({ from: 'observation', value: RESULTS_JOINT.repeat(TURNS_MAX) });

  expect(readTurns(`[${Array(TURNS_MAX).fill(turn).join(',')}]`)).toHaveLength(TURNS_MAX);
  expect(
    readTurns(
      `[${Array(TURNS_MAX + 1)
        .fill(turn)
        .join(',')}]`,
    ),
  ).toBe('has more than 10000 turns');
  expect(readTurns(`[${'0,'.repeat(1_000_000)}0]`)).toBe('has more than 10000 turns');
  expect(readTurns(`[${results}]`)).toBe('has more than 10000 turns');
});

/** Places that parse a text of JSON otherwise, with the reason. */
const otherwise: Readonly<Record<string, string>> = {
  'shared/tabular/decide/measure-json.ts': 'parseWithin itself',
  'shared/tabular/decide/csv-reader.ts': 'texts that the reader has quoted',
  'shared/tabular/decide/traces/json-values.ts': 'looks at the depth first',
  'shared/tabular/decide/json-table-reader.ts': 'keys, which are texts',
  'shared/tabular/decide/json-layout.ts': 'a key, which is a text',
  'shared/tabular/decide/images/image-cell.ts': 'looks at two members alone',
  'shared/tabular/decide/raw-object.ts': 'a text',
  'shared/tabular/decide/text-header.ts': 'a text',
  'shared/tabular/decide/csv-writer.ts': 'a text',
  'shared/tabular/decide/json-text-reader.ts': 'the columns of the reader itself',
  'shared/tabular/decide/redacted-rows.ts': 'a text, and whether a text is JSON',
  'shared/tabular/decide/documents/text-table.ts': 'whether a line is JSON',
  'shared/growth/decide/pool/vector-shard.ts': 'the header of a file of the service',
};

test('texts of JSON in rows are parsed where their depth is bounded', () => {
  const folders = ['shared/tabular/decide', 'shared/training/decide', 'shared/growth/decide'];
  const found = folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((file) => file.endsWith('.ts') && /\bJSON\.parse\(/.test(readFileSync(file, 'utf8')));

  expect(found.filter((file) => !(file in otherwise))).toEqual([]);
  expect(Object.keys(otherwise).filter((file) => !found.includes(file))).toEqual([]);
});
