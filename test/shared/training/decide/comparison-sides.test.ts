import { expect, test } from 'vitest';
import { columnsOfSides } from '#shared/training/decide/comparison-sides.ts';
import type { TrainingSource } from '#shared/training/decide/resolve.ts';
import { readSides } from '#shared/training/decide/sides.ts';

const FILE = ['question', 'answer', 'note'];
const MAPPED = { prompt: 'question', completion: 'answer', context: [] };

/** An adapted dataset, of whose file some columns are empty. */
const adapted = (...empty: string[]): TrainingSource => ({
  dataset: {
    kind: 'uploaded' as const,
    configured_column_mapping: MAPPED,
    image_column_formats: null,
    columns: FILE.map((name) => ({
      name,
      type: 'VARCHAR',
      profile: {
        is_empty: empty.includes(name),
        not_chat: { row: 0, problem: 'is no list' },
        image_format: null,
      },
    })),
  },
  shape: {
    context: [],
    roles: { prompt: 'enhanced_prompt', completion: 'enhanced_completion' },
    columns: [
      ...FILE.map((name) => ({ name, type: 'VARCHAR', source: name })),
      { name: 'enhanced_prompt', type: 'VARCHAR', result: 'enhanced_prompt' },
      { name: 'enhanced_completion', type: 'VARCHAR', result: 'enhanced_completion' },
    ],
  },
  rows: 60,
  rowTokens: 100,
  isAdapted: true,
});

test.each(['question', 'answer'])('a mapped column %s without a cell is refused, and named', (name) => {
  expect(() => columnsOfSides(adapted(name), MAPPED, undefined)).toThrow(
    expect.objectContaining({ code: 'dataset_untrainable', message: expect.stringContaining(`"${name}"`) }),
  );
});

test('another column replaces an empty one', () => {
  const { original } = columnsOfSides(adapted('answer'), MAPPED, { prompt: 'question', completion: 'note' });

  expect(original).toMatchObject({ prompt: 'question', completion: 'note' });
});

test('an empty column of another role does not matter', () => {
  expect(columnsOfSides(adapted('note'), MAPPED, undefined).original).toMatchObject(MAPPED);
});

test('an original that is a column of whole conversations is compared with answers that other columns had', () => {
  const source = adapted();
  const messages = { name: 'messages', type: 'VARCHAR' };
  const dataset = {
    ...source.dataset,
    columns: [
      ...(source.dataset.columns ?? []),
      { ...messages, profile: { is_empty: false, not_chat: null, image_format: null } },
    ],
  };
  const shape = { ...source.shape, columns: [...source.shape.columns, { ...messages, source: 'messages' }] };
  const sides = columnsOfSides({ ...source, dataset, shape } as TrainingSource, MAPPED, {
    prompt: 'messages',
  });
  const turns = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Why?' },
    { role: 'assistant', content: 'So.' },
  ];
  const cells = new Map([
    ...Object.entries({ messages: JSON.stringify(turns), question: 'Why?', answer: 'So.' }),
    ...Object.entries({ enhanced_prompt: 'Why, please?', enhanced_completion: 'Because.' }),
  ]);

  const read = readSides([sides.original, sides.adapted], cells, 3);
  expect(read).not.toHaveProperty('skip');
  expect(JSON.stringify(read)).toContain('So.');
});
