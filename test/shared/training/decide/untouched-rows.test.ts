import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainSpecification } from '#shared/adaptation/decide/plain-specification.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { rowTextsReader } from '#shared/exports/decide/row-texts.ts';
import { combineSource } from '#shared/growth/decide/combine/source.ts';
import { mendRow } from '#shared/review/decide/mend-row.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';
import { columnsOfSides } from '#shared/training/decide/comparison-sides.ts';
import { countReplies, readExample, readExamples } from '#shared/training/decide/example.ts';
import { columnsOfRequest } from '#shared/training/decide/resolve.ts';
import { readSides } from '#shared/training/decide/sides.ts';

type Cells = Readonly<Record<string, string | null>>;

const columnOf = (name: string, notChat: 'other' | null): RowsColumn =>
  ({ name, type: 'VARCHAR', profile: { not_chat: notChat, is_empty: false } }) as unknown as RowsColumn;
const TURNS = columnOf('messages', null);
const TEXT = columnOf('text', 'other');
const ANSWER = columnOf('answer', 'other');

/** The examples of a row as it was uploaded, and after a review that says nothing of it. */
function examplesOf(mapping: ConfiguredColumnMapping, columns: readonly RowsColumn[], cells: Cells) {
  const dataset = {
    dataset_id: 'd',
    kind: 'uploaded',
    columns,
    configured_column_mapping: mapping,
    image_column_formats: null,
  } as unknown as DatasetRecord;
  const specification = plainSpecification(mapping, dataset);
  const source = new Map(Object.entries(cells));
  const { prompt, completion } = rowTextsReader(specification).read(source, null);
  const rules = {
    base: 'source',
    wrong: 'keep',
    writesPrompts: mapping.chat !== undefined,
    scoresSafety: false,
  } as const;
  const { result } = mendRow({ row: 7, result: null, own: { prompt, completion } }, null, null, rules);
  return [null, specification].map((of) => {
    const shape = combineSource(dataset, columns, of);
    const read = columnsOfRequest({ dataset, shape }, {});
    const written = of === null ? [] : Object.entries(result.cells ?? {});
    const row = new Map([
      ...source,
      ...written.map(([name, cell]) => [name, cell as string | null] as const),
    ]);
    const all = { ...read, replies: 'all' } as const;
    return {
      example: readExample(read, row, 7),
      examples: readExamples(all, row, 7),
      counted: countReplies(all, row, 7),
    };
  });
}

/**
 * Both sides of a comparison of a row of a conversation that a review has left as it came, or whose answer it has written, if the row
 * can be compared.
 */
function sidesOf(mapping: ConfiguredColumnMapping, messages: string, answer: string | null) {
  const dataset = {
    dataset_id: 'd',
    kind: 'uploaded',
    columns: [TURNS],
    configured_column_mapping: mapping,
    image_column_formats: null,
  } as unknown as DatasetRecord;
  const specification = plainSpecification(mapping, dataset);
  const shape = combineSource(dataset, [TURNS], specification);
  const source = { dataset, shape, rows: 1, rowTokens: 1, isAdapted: true };
  const { original, adapted } = columnsOfSides(source, mapping, undefined);
  const { prompt, completion } = rowTextsReader(specification).read(new Map([['messages', messages]]), null);
  const row = new Map([
    ['messages', messages],
    ['enhanced_prompt', prompt],
    ['enhanced_completion', answer ?? completion],
  ]);
  return readSides([original, adapted], row, 7);
}

const call = { id: 'c', type: 'function', function: { name: 'sky', arguments: '{}' } };
const turn = (role: string, content: unknown, more: object = {}) => ({ role, content, ...more });
const turns = fc.array(
  fc.constantFrom(
    turn('system', 'Be brief.'),
    turn('user', 'Why?'),
    turn('user', 'Thanks'),
    turn('user', [{ type: 'image_url', image_url: { url: 'https://example.org/y.png' } }]),
    turn('assistant', ' So. '),
    turn('assistant', 'Which one?'),
    turn('assistant', ''),
    turn('assistant', 'Not so.', { weight: 0 }),
    turn('assistant', null, { tool_calls: [call] }),
    turn('tool', 'blue'),
  ),
  { maxLength: 7 },
);
const tools = [{ type: 'function', function: { name: 'sky' } }];
const conversation = fc.oneof(
  turns.map((all) => JSON.stringify(all)),
  turns.map((all) => JSON.stringify({ messages: all, tools })),
  fc.constantFrom('', 'no turns', '[]'),
);
const text = fc.constantFrom(null, '', ' So. ', 'Why?');

describe('a row of which no verdict changes anything', () => {
  test.each<[string, ConfiguredColumnMapping, RowsColumn[]]>([
    ['a chat', { chat: 'messages', context: [] }, [TURNS]],
    ['a prompt that is its own answer', { prompt: 'messages', context: [] }, [TURNS]],
    ['a prompt of text', { prompt: 'text', completion: 'answer', context: [] }, [TEXT, ANSWER]],
  ])('a row of %s makes the examples after a review that it made before', (_, mapping, columns) => {
    fc.assert(
      fc.property(conversation, text, text, (messages, asked, answer) => {
        const [before, after] = examplesOf(mapping, columns, { messages, text: asked, answer });
        expect(after).toEqual(before);
      }),
      { numRuns: 400 },
    );
  });
});

test('a row of a prompt of turns makes the example after a review that it made before, also where they end with replies', () => {
  const mapping = { prompt: 'messages', completion: 'answer', context: [] };
  const last = fc.constantFrom(turn('user', 'Why?'), turn('assistant', 'So.'));
  fc.assert(
    fc.property(turns, last, fc.constantFrom(' So. ', 'Why?'), (told, end, answer) => {
      const messages = JSON.stringify([...told, end]);
      const [before, after] = examplesOf(mapping, [TURNS, ANSWER], { messages, answer });
      expect(after).toEqual(before);
    }),
    { numRuns: 400 },
  );
});

test('a row of which a run has changed the last reply makes an example of each earlier one, too, in the turns that it has written', () => {
  const columns = {
    prompt: 'enhanced_prompt',
    completion: 'enhanced_completion',
    reasoning_trace: 'reasoning_trace',
    chosen: null,
    rejected: null,
    context: [],
    whole: 'messages',
    conversations: ['enhanced_prompt'],
    replies: 'all',
  } as const;
  const told = [
    turn('user', 'a'),
    turn('assistant', 'b'),
    turn('user', 'c'),
    turn('assistant', 'd', { weight: 0 }),
    turn('user', 'e'),
  ];
  const row = new Map<string, string | null>([
    ['messages', JSON.stringify([...told, turn('assistant', 'f')])],
    ['enhanced_prompt', JSON.stringify(told)],
    ['enhanced_completion', 'better'],
    ['reasoning_trace', 'since'],
  ]);

  const examples = readExamples({ ...columns, context: [], conversations: ['enhanced_prompt'] }, row, 7);

  expect(examples).toMatchObject([
    { completion: 'better', messages: { length: 5 }, reasoning: 'since' },
    { completion: 'b', messages: [{ content: 'a' }] },
  ]);
  expect((examples as readonly object[])[1]).not.toHaveProperty('reasoning');
  expect(countReplies({ ...columns, context: [], conversations: ['enhanced_prompt'] }, row, 7)).toMatchObject(
    {
      examples: 2,
    },
  );
});

test('a row of which a run has changed the last of two replies in a row is asked with the first', () => {
  const columns = {
    ...{ prompt: 'enhanced_prompt', completion: 'enhanced_completion', reasoning_trace: null },
    ...{ chosen: null, rejected: null, context: [], whole: 'messages', conversations: ['enhanced_prompt'] },
  };
  const told = [turn('user', 'a'), turn('assistant', 'b')];
  const row = new Map([
    ['messages', JSON.stringify([...told, turn('assistant', 'c')])],
    ['enhanced_prompt', JSON.stringify(told)],
    ['enhanced_completion', 'better'],
  ]);

  expect(readExample(columns, row, 7)).toMatchObject({ messages: told, completion: 'better' });
});

test('a row of which a run has changed the reply that it begins with makes an example without a prompt', () => {
  const mapping = { chat: 'messages', context: [] };
  const source = new Map([['messages', JSON.stringify([turn('assistant', 'Welcome')])]]);
  const { prompt } = rowTextsReader({ mapping }).read(source, null);
  const columns = {
    ...{ prompt: 'enhanced_prompt', completion: 'enhanced_completion', reasoning_trace: null },
    ...{ chosen: null, rejected: null, context: [], whole: 'messages', conversations: ['enhanced_prompt'] },
  };
  const row = new Map([...source, ['enhanced_prompt', prompt], ['enhanced_completion', 'better']] as const);

  expect(readExample(columns, row, 7)).toMatchObject({ messages: [{ content: '' }], completion: 'better' });
});

describe('a comparison of conversations', () => {
  test.each<[string, ConfiguredColumnMapping]>([
    ['chats', { chat: 'messages', context: [] }],
    ['prompts that are their own answers', { prompt: 'messages', context: [] }],
  ])(
    'both sides of a comparison of %s answer the same question, with all that was said before it',
    (_, mapping) => {
      fc.assert(
        fc.property(conversation, fc.constantFrom(null, 'Better.'), (messages, answer) => {
          const sides = sidesOf(mapping, messages, answer);
          if ('skip' in sides) return;
          const [original, adapted] = sides;
          expect(adapted?.messages).toEqual(original.messages);
          expect(adapted?.tools).toEqual(original.tools);
        }),
        { numRuns: 400 },
      );
    },
  );

  test('a comparison leaves out a row whose user speaks last, and whom nobody answered but the adaptation', () => {
    const messages = JSON.stringify([
      turn('user', 'Why?'),
      turn('assistant', 'So.'),
      turn('user', 'And how?'),
    ]);
    const mapping = { chat: 'messages', context: [] };

    expect(sidesOf(mapping, messages, 'Thus.')).toEqual({ skip: 'no completion (original)' });
    expect(sidesOf(mapping, messages, null)).toMatchObject([{ completion: 'So.' }, { completion: 'So.' }]);
  });
});
