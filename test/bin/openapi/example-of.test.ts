import { expect, test } from 'vitest';
import * as z from 'zod';
import { exampleOf } from '#bin/openapi/example-of.ts';

const Parent = z.object({
  version: z.int().meta({ example: 1 }),
  made_by: z.enum(['upload', 'adapt']),
});
const Answer = z.object({
  dataset_id: z.uuid().meta({ example: '3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10' }),
  parents: z.array(Parent),
  last: Parent.nullable(),
  kind: z.literal('lineage'),
  is_complete: z.boolean(),
});

test('an answer has the examples of its fields, and is one of its schema', () => {
  const example = exampleOf('datasets.lineage', Answer);

  expect(example).toEqual({
    dataset_id: '3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10',
    parents: [{ version: 1, made_by: 'upload' }],
    last: { version: 1, made_by: 'upload' },
    kind: 'lineage',
    is_complete: true,
  });
  expect(Answer.parse(example)).toEqual(example);
});

test('a field without an example is named with what to do', () => {
  const schema = z.object({ rows: z.array(z.object({ note: z.string() })) });

  expect(() => exampleOf('datasets.lineage', schema)).toThrow(
    'no example of the answer.rows[].note in datasets.lineage: give the field one with .meta({ example })',
  );
});

test('what may be missing is there with an example only, and so is what may be null', () => {
  const Range = z.object({ first: z.int().optional(), last: z.int().nullable() });
  const Body = z.strictObject({
    name: z.string().optional().meta({ example: 'tickets' }),
    note: z.string().optional(),
    rows: z.array(z.string().meta({ example: 'Why?' })).optional(),
    shown: z.string().meta({ example: 'row 4' }).nullable(),
    hidden: z.string().nullable(),
    range: Range.nullable(),
    sort: z.enum(['name', 'size']).default('size'),
    cells: z.record(z.string(), z.json()).optional(),
  });

  expect(exampleOf('datasets.sort', Body)).toEqual({
    name: 'tickets',
    rows: ['Why?'],
    shown: 'row 4',
    hidden: null,
    range: null,
    sort: 'size',
  });
});

test('of alternatives the first with an example is taken', () => {
  const Input = z.union([
    z.int(),
    z.string().meta({ example: 'Why?' }),
    z.string().meta({ example: 'How?' }),
  ]);

  expect(exampleOf('responses.ask', z.object({ input: Input }), 'input')).toEqual({ input: 'Why?' });
});
