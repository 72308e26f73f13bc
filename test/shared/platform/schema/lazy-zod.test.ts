import { expect, test } from 'vitest';
import * as zod from 'zod';
import * as lazy from '#shared/platform/schema/lazy-zod.ts';

type Zod = typeof zod;

/** Schemas of every kind that the service has, by either zod. */
function schemasOf(z: Zod) {
  const Id = z.uuid().describe('An id.').meta({ example: 'x' });
  const Row = z.object({ id: Id, text: z.string().min(1).max(5).optional() }).meta({ id: 'Row' });
  const Node = z.object({
    name: z.string(),
    get children() {
      return z.array(Node).optional();
    },
  });
  const Kind = z.enum(['a', 'b', 'c']);
  return {
    strict: z.strictObject({ ...Row.shape, at: z.iso.datetime(), day: z.iso.date().nullable() }),
    loose: z.looseObject({ n: z.coerce.number().int().min(2) }),
    extended: Row.extend({ more: z.literal(1) }).partial(),
    picked: z.strictObject(Row.pick({ text: true }).required().shape),
    recursive: Node,
    union: z.union([z.int().min(1), z.string().regex(/^x/, 'must begin with x'), z.null()]),
    events: z.discriminatedUnion('type', [
      z.object({ type: z.literal('a'), n: z.number().multipleOf(0.5) }),
      z.object({ type: z.literal('b'), rows: z.array(Row).max(1) }),
    ]),
    kinds: z.enum([...Kind.exclude(['c']).options, 'd']),
    record: z.record(Kind, z.tuple([z.boolean(), z.unknown()])),
    partial: z.partialRecord(Kind, z.json()),
    refined: z
      .object({ low: z.number(), high: z.number().default(3) })
      .refine(({ low, high }) => low <= high, 'low is above high')
      .transform(({ low, high }) => high - low),
    texts: z.object({ n: z.preprocess(String, z.string().max(1)) }).catchall(z.string()),
    file: z.file(),
    custom: z.custom<string>((value) => value === 'ours').or(z.never()),
  };
}

const ID = '0b9f0a52-6a52-4a4b-8a53-0c9a3f0f2f11';
const inputs: readonly unknown[] = [
  ...[undefined, null, 0, 1, 1.5, 'xy', 'a', 'd', 'ours', [], {}],
  { id: ID, text: 'row', at: '2026-01-01T00:00:00Z', day: null },
  { id: 'no', text: '', at: 'now', day: '2026-02-30', also: 1 },
  { n: '3', other: true },
  { n: '1' },
  { more: 1 },
  { more: 2, text: 'too long' },
  { text: 'text' },
  { name: 'a', children: [{ name: 'b', children: [{ name: 3 }] }] },
  { name: 'a', children: [{ name: 'b' }] },
  { type: 'a', n: 0.25 },
  { type: 'b', rows: [{ id: ID }, { id: ID }] },
  { type: 'c' },
  { a: [true, 1], b: [false, 2], c: [true, 3] },
  { a: [1] },
  { low: 4 },
  { low: 1 },
];

test('schemas that are built when used parse like those of zod, and find the same issues', () => {
  const ours = schemasOf(lazy as unknown as Zod);
  for (const [name, schema] of Object.entries(schemasOf(zod))) {
    for (const input of inputs) {
      const { success, data, error } = schema.safeParse(input);
      const found = ours[name as keyof typeof ours].safeParse(input);

      expect([name, found.success, found.data, found.error?.issues]).toEqual([
        name,
        success,
        data,
        error?.issues,
      ]);
    }
  }
});

test('options, values and shapes are those of zod, and so is the class', () => {
  const z = lazy as unknown as Zod;
  const union = z.discriminatedUnion('type', [z.object({ type: z.literal('a') })]);

  expect(z.enum(['a', 'b']).options).toEqual(['a', 'b']);
  expect(z.enum({ A: 'a' }).options).toEqual(['a']);
  expect(union.options.map(({ shape }) => shape.type.value)).toEqual(['a']);
  expect(z.literal(['a']).value).toBe('a');
  expect(z.object({ a: z.string() }).keyof().options).toEqual(['a']);
  expect(z.string().optional() instanceof zod.ZodOptional).toBe(true);
  expect('safeParse' in z.string()).toBe(true);
});

test('a schema is built when it is first used, once, with those that it contains', () => {
  const z = lazy as unknown as Zod;
  // Building it fails.
  const bad = z.object({ a: z.string() }).pick({ b: true } as never);
  const holder = z.object({ bad: bad.optional().describe('Never built.') });
  const good = z.object({ a: z.string() });

  expect(holder.shape.bad).toBeDefined();
  expect(() => holder.safeParse({})).toThrow('Unrecognized key: "b"');
  expect(good._zod).toBe(good._zod);
});
