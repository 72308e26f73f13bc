import { readCells } from '#shared/answers/decide/read-cells.ts';
import { configuredMapping } from '#shared/answers/decide/row-mapping.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { ColumnMapping, RawColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { inferColumns } from '#shared/training/decide/columns.ts';
import { columnsOfExamples, readExample } from '#shared/training/decide/example.ts';
import { readTrainingSource } from '#shared/training/training-source.ts';
import { rowsOf, seedRows } from './combining.ts';
import type { World } from './world.ts';

const turns = [
  { role: 'user', content: 'What should I wear in Oslo?' },
  { role: 'assistant', content: 'A light jacket.' },
  { role: 'user', content: 'And in winter?' },
];
const system = { role: 'system', content: 'You are a guide.' };
const reply = { role: 'assistant', content: 'A coat.' };
const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }];
const functions = [{ name: 'clock', parameters: { type: 'object' } }];
const call = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'weather', arguments: '{}' } }],
};
const split = { prompt: 'prompt', completion: 'completion' };
/** Rows that are trained on, by what their columns hold, each with its mapping. */
export const TRAINED_ROWS: Readonly<Record<string, readonly [object, ColumnMapping | RawColumnMapping]>> = {
  texts: [
    { question: 'And in winter?', answer: 'A coat.' },
    { prompt: 'question', completion: 'answer' },
  ],
  'texts with context': [
    { question: 'And in winter?', answer: 'A coat.', page: 'It snows.' },
    { prompt: 'question', completion: 'answer', context: ['page'] },
  ],
  'texts with turns and a system prompt before them': [
    {
      instruction: 'And in winter?',
      output: 'A coat.',
      history: [['What should I wear in Oslo?', 'A light jacket.']],
      system: 'You are a guide.',
    },
    { prompt: 'instruction', completion: 'output' },
  ],
  'turns and replies': [{ prompt: [system, ...turns], completion: [reply] }, split],
  'turns and texts': [{ prompt: turns, completion: 'A coat.' }, split],
  'texts and whole conversations': [
    { prompt: 'And in winter?', completion: [...turns.slice(2), reply] },
    split,
  ],
  'requests with tools and calls': [{ prompt: { messages: turns, tools }, completion: [call] }, split],
  'texts beside columns of names that mean something elsewhere': [
    {
      question: 'And in winter?',
      answer: 'A coat.',
      system: 'Windows',
      history: ['network', 'printer'],
      tools: ['hammer'],
      functions: ['heating', 'water'],
    },
    { prompt: 'question', completion: 'answer' },
  ],
  'texts with context that is called as system prompts are': [
    { prompt: 'And in winter?', completion: 'A coat.', system: 'Windows' },
    { ...split, context: ['system'] },
  ],
  'texts with context that is called as turns are': [
    { instruction: 'And in winter?', output: 'A coat.', history: [['Oslo', 'Norway']] },
    { prompt: 'instruction', completion: 'output', context: ['history'] },
  ],
  'texts with context that is called as tools are': [
    { question: 'And in winter?', answer: 'A coat.', tools },
    { prompt: 'question', completion: 'answer', context: ['tools'] },
  ],
  'texts with turns that are a list of texts before them': [
    { instruction: 'And in winter?', output: 'A coat.', history: ['And in Oslo?', 'A light jacket.'] },
    { prompt: 'instruction', completion: 'output' },
  ],
  pairs: [
    { question: 'And in winter?', chosen: 'A coat.', rejected: 'A hat.' },
    { prompt: 'question', chosen: 'chosen', rejected: 'rejected' },
  ],
  'pairs with a system prompt before them': [
    { prompt: 'And in winter?', chosen: 'A coat.', rejected: 'A hat.', system: 'You are a guide.' },
    { prompt: 'prompt', chosen: 'chosen', rejected: 'rejected' },
  ],
  'texts with tools': [
    { question: 'And in winter?', answer: 'A coat.', tools },
    { prompt: 'question', completion: 'answer' },
  ],
  'prompts with functions': [{ prompt: 'And in winter?', completion: [call], functions }, split],
  conversations: [{ messages: [...turns, reply] }, { chat: 'messages' }],
  'conversations with tools': [{ talk: { messages: [...turns, call], tools } }, { chat: 'talk' }],
  'conversations with a system prompt before them': [
    { messages: [...turns, reply], system: 'You are a guide.' },
    { chat: 'messages' },
  ],
};

/** A dataset of one of these rows. */
export function seedTrainedRow(
  world: World,
  owner: Caller,
  [row, mapping]: readonly [object, ColumnMapping | RawColumnMapping],
): Promise<DatasetRecord> {
  const types = Object.entries(row).map(([name, cell]) => [
    name,
    typeof cell === 'string' ? 'VARCHAR' : 'JSON',
  ]);
  return seedRows(world, owner, Object.fromEntries(types), [JSON.stringify(row)], {
    configured_column_mapping: configuredMapping(mapping),
  });
}

/** The examples that a training takes of the rows of a dataset, each as if it were the first row. */
export async function trainedExamples(world: World, owner: Caller, datasetId: string) {
  const dataset = await world.store.datasets.require(owner, datasetId);
  const source = await readTrainingSource({ runs: world.store.runs, objects: world.objects }, dataset);
  const columns = inferColumns(source);
  const rows = await rowsOf(world, datasetId);
  return rows.map((row) => readExample(columns, readCells(row, columnsOfExamples(columns)), 0));
}
