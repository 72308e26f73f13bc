import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseInput } from '#shared/platform/errors/from-zod.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { bodies } from '#test/helpers/sample-bodies.ts';

type Fields = Readonly<Record<string, unknown>>;

interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** The paths of the fields of a schema, as far as the example has the objects that contain them. */
function fieldsOf(schema: JsonSchema, example: unknown, root = schema): string[][] {
  const named =
    schema.$ref === undefined ? schema : (root.$defs?.[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if (typeof example !== 'object' || example === null) return [];
  return Object.entries(named.properties ?? {}).flatMap(([name, inner]) => [
    [name],
    ...fieldsOf(inner, (example as Fields)[name], root).map((path) => [name, ...path]),
  ]);
}

function withField(body: unknown, [name = '', ...rest]: readonly string[], value: unknown): Fields {
  const { [name]: inner, ...others } = body as Fields;
  if (rest.length > 0) return { ...others, [name]: withField(inner, rest, value) };
  return value === undefined ? others : { ...others, [name]: value };
}

const cases = contracts.flatMap(({ id, body }) => {
  if (body === undefined) return [];
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return fieldsOf(schema, bodies[id]).flatMap((path) => {
    const parse = (value: unknown): unknown => parseInput('', body, withField(bodies[id], path, value));
    return body.safeParse(withField(bodies[id], path, undefined)).success
      ? [
          {
            id,
            path: path.join('.'),
            parse,
            takesNull: body.safeParse(withField(bodies[id], path, null)).success,
          },
        ]
      : [];
  });
});

test('an optional field that is null is a field left out, of every endpoint', () => {
  const left = cases.filter(({ takesNull }) => !takesNull);

  expect(left.length).toBeGreaterThan(100);
  for (const { id, path, parse } of left) expect(parse(null), `${path} of ${id}`).toEqual(parse(undefined));
});

test('a required field that is null is missed', () => {
  const schema = z.object({ name: z.string(), more: z.int().optional() });

  expect(() => parseInput('', schema, { name: null, more: null })).toThrow(
    expect.objectContaining({
      details: [{ path: 'name', message: 'is required, and must be a string' }],
    }),
  );
});

test('a null inside of a union is left out, and one inside of a list is not', () => {
  const schema = z.object({
    tool: z.union([z.object({ url: z.string(), key: z.string().optional() }), z.string()]),
    names: z.array(z.string()).optional(),
  });

  expect(parseInput('', schema, { tool: { url: 'x', key: null }, names: null })).toEqual({
    tool: { url: 'x' },
  });
  expect(() => parseInput('', schema, { tool: 'x', names: [null] })).toThrow('names[0]');
});
