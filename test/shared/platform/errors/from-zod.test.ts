import { expect, test } from 'vitest';
import * as z from 'zod';
import { AdaptRequest } from '#shared/adaptation/schema/adaptation.ts';
import { invalidField, parseInput } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { CreateResponseRequest } from '#shared/responses/schema/response-request.ts';
import { contracts } from '#shared/service/contracts/index.ts';

const Schema = z.strictObject({
  name: z.string().min(2),
  nested: z.strictObject({ list: z.array(z.strictObject({ count: z.int().min(1) })) }).optional(),
  mode: z.enum(['a', 'b']).optional(),
  either: z
    .union([z.strictObject({ x: z.string(), y: z.string() }), z.strictObject({ z: z.string() })])
    .optional(),
});

/** The refusal of a value; throws where it is accepted. */
function refusalOf(schema: z.ZodType, value: unknown, where: '' | 'query' | 'path' = ''): ServiceError {
  try {
    parseInput(where, schema, value);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('The value is valid.');
}

const refuse = (value: unknown, where: '' | 'query' | 'path' = ''): ServiceError =>
  refusalOf(Schema, value, where);

test.each([
  ['a missing field', {}, ['name']],
  [
    'a field of an element',
    { name: 'ok', nested: { list: [{ count: 1 }, { count: 0 }] } },
    ['nested.list[1].count'],
  ],
  ['an unknown key', { name: 'ok', nme: 1 }, ['nme']],
  ['several unknown keys, each', { name: 'ok', one: 1, two: 2 }, ['one', 'two']],
  ['a nested unknown key', { name: 'ok', nested: { list: [], extra: 1 } }, ['nested.extra']],
  [
    'an unknown key of an element',
    { name: 'ok', nested: { list: [{ count: 1, n: 1 }] } },
    ['nested.list[0].n'],
  ],
  ['everything that is wrong at once', { mode: 'c', name: '' }, ['name', 'mode']],
  ['what is no object', 7, ['body']],
])('the message names the path of %s', (_what, value, paths) => {
  const error = refuse(value);

  expect(error.details.map((detail) => detail.path)).toEqual(paths);
  for (const path of paths) expect(error.message).toContain(`${path}: `);
});

test.each(['query', 'path'] as const)('the message begins paths of the %s with its name', (where) => {
  expect(refuse({ nme: 1 }, where).details.map((detail) => detail.path)).toEqual([
    `${where}.name`,
    `${where}.nme`,
  ]);
});

test('the message lists what is allowed where there is a choice', () => {
  expect(refuse({ name: 'ok', mode: 'c' }).details).toEqual([
    { path: 'mode', message: 'must be one of "a", "b"', allowed: ['a', 'b'] },
  ]);
});

test('the message says of a union what the closest of its shapes lacks', () => {
  expect(refuse({ name: 'ok', either: { x: 'here' } }).details.map((detail) => detail.path)).toEqual([
    'either.y',
  ]);
});

test('the message never repeats a value that was sent', () => {
  const error = refuse({ name: 7, mode: 'canary', nested: { list: [{ count: 'canary' }] } });

  expect(JSON.stringify([error.message, error.details])).not.toContain('canary');
});

test('a rule that no schema can say has the same form', () => {
  const error = invalidField('a.b', 'does not fit', { allowed: [1] });

  expect(error).toMatchObject({
    code: 'invalid_request',
    message: 'a.b: does not fit',
    details: [{ path: 'a.b', message: 'does not fit', allowed: [1] }],
  });
});

test.each([
  ['a string that is a number', z.object({ f: z.string() }), { f: 1 }, 'must be a string, and is a number'],
  ['nothing', z.object({ f: z.string() }), {}, 'is required, and must be a string'],
  ['null', z.object({ f: z.int() }), { f: null }, 'is required, and must be an integer'],
  ['a fraction', z.object({ f: z.int() }), { f: 1.5 }, 'must be an integer, and is a number with a fraction'],
  ['an array', z.object({ f: z.object({}) }), { f: [] }, 'must be an object, and is an array'],
  ['an empty text', z.object({ f: z.string().min(1) }), { f: '' }, 'must not be empty'],
  [
    'a short text',
    z.object({ f: z.string().min(5) }),
    { f: 'abc' },
    'must have at least 5 characters, and has 3',
  ],
  [
    'a long text',
    z.object({ f: z.string().max(1) }),
    { f: 'abc' },
    'must have at most 1 character, and has 3',
  ],
  [
    'a long list',
    z.object({ f: z.array(z.int()).max(2) }),
    { f: [1, 2, 3] },
    'must have at most 2 entries, and has 3',
  ],
  ['a number too small', z.object({ f: z.int().min(1) }), { f: 0 }, 'must be at least 1'],
  ['a number at its bound', z.object({ f: z.number().gt(0) }), { f: 0 }, 'must be above 0'],
  ['a number too large', z.object({ f: z.number().max(1) }), { f: 2 }, 'must be at most 1'],
  ['a multiple', z.object({ f: z.number().multipleOf(5) }), { f: 7 }, 'must be a multiple of 5'],
  [
    'no UUID',
    z.object({ f: z.uuid() }),
    { f: 'x' },
    'must be a UUID, such as 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10',
  ],
  [
    'no time',
    z.object({ f: z.iso.datetime() }),
    { f: 'x' },
    'must be an ISO 8601 date-time, such as 2026-11-22T10:00:00Z',
  ],
  [
    'no URL',
    z.object({ f: z.url() }),
    { f: 'x' },
    'must be an absolute URL, such as https://example.org/file.csv',
  ],
  [
    'a pattern',
    z.object({ f: z.string().regex(/^a$/) }),
    { f: 'x' },
    'does not have the form that is expected here',
  ],
  ['one literal', z.object({ f: z.literal('a') }), { f: 'x' }, 'must be "a"'],
  [
    'a bad name in a map',
    z.object({ f: z.record(z.string().max(1), z.int()) }),
    { f: { ab: 1 } },
    'has a name that is not accepted here',
  ],
  ['an own rule', z.object({ f: z.int().refine(() => false) }), { f: 1 }, 'is not accepted here'],
])('the message says of %s what was expected and what came', (_what, schema, value, message) => {
  expect(refusalOf(schema, value).details[0]?.message).toBe(message);
});

test('the message lists the types of a union whose `type` is unknown', () => {
  const expansion = { type: 'convert', languages: ['de'], sample_rate: 1 };

  expect(refusalOf(AdaptRequest, { language_expansion: expansion }).details).toEqual([
    { path: 'language_expansion.type', message: 'must be one of "translate", "localize"' },
  ]);
});

test('a message of the schema goes before ours', () => {
  expect(refusalOf(z.object({ f: z.string().regex(/^a$/, 'must be an a') }), { f: 'x' }).message).toBe(
    'f: must be an a',
  );
});

test.each([
  ['a field of other services', CreateResponseRequest, { model: 'm', messages: [] }, ['`input`']],
  [
    'one of them with two names',
    CreateResponseRequest,
    { model: 'm', max_tokens: 1 },
    ['`max_output_tokens`'],
  ],
  ['a misspelling', AdaptRequest, { estimat: true }, ['`estimate`']],
  ['exchanged letters', AdaptRequest, { column_mappnig: {} }, ['`column_mapping`']],
  ['camel case', AdaptRequest, { columnMapping: {} }, ['`column_mapping`']],
  ['a field in the wrong place', AdaptRequest, { max_rows: 5 }, ['`job_specification.max_rows`']],
  [
    'a field two levels down',
    AdaptRequest,
    { deduplication: true },
    ['`recipe_specification.recipes.deduplication`'],
  ],
  ['a part of a name', AdaptRequest, { mapping: {} }, ['`column_mapping`']],
])('an unknown field that is %s names the nearest known', (_what, schema, value, names) => {
  const [detail] = refusalOf(schema, value).details;

  for (const name of names) expect(detail?.message).toContain(`did you mean ${name}`);
});

test('an unknown field that is near nothing names nothing', () => {
  expect(refuse({ name: 'ok', zzzzzzzz: 1 }).details[0]?.message).toBe(
    'is not a known field here; remove it or check its spelling and place',
  );
  expect(refuse({ name: 'ok', ['n'.repeat(100_000)]: 1 }).details[0]?.message).toContain('remove it');
});

/** How the schema library begins its own messages. */
const RAW =
  /^(Invalid|Too (big|small)|Unrecognized|Expected|Required|No matching)\b|undefined|NaN|9007199254740991/;

const wrong = [7, 'text', null, [], [7], {}, true, { a: { b: [1] } }];

/** Values of every kind for every field of a schema, one field at a time. */
function* wrongValues(schema: z.ZodType): Generator<unknown> {
  yield* wrong;
  const shape = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  for (const field of shape)
    for (const value of [...wrong, { type: 'x' }, [{ type: 'x' }], [[]], -1, 1e300, -1e300, 1.5, ''])
      yield { [field]: value };
}

test.each(
  contracts.flatMap(({ id, body, query, params }) =>
    [body, query, params].flatMap((schema) =>
      schema === undefined ? [] : [[id, schema as z.ZodType] as const],
    ),
  ),
)('no refusal of %s shows a message of the schema library', (_id, schema) => {
  for (const value of wrongValues(schema)) {
    const without = Object.fromEntries(
      Object.entries((value as object | null) ?? {}).filter(([, field]) => field !== null),
    );
    if (schema.safeParse(value).success || schema.safeParse(without).success) continue;
    for (const { message } of refusalOf(schema, value).details) expect(message).not.toMatch(RAW);
  }
});

test.each([
  [1.5, 'size: must be "max", or must be an integer, and is a number with a fraction'],
  ['lots', 'size: must be "max", or must be an integer, and is a string'],
  [0, 'size: must be at least 1'],
])('a value that may be a word or a number is told of both where it is neither: %j', (size, message) => {
  const schema = z.strictObject({ size: z.union([z.literal('max'), z.int().min(1)]) });

  expect(() => parseInput('', schema, { size })).toThrow(expect.objectContaining({ message }));
});

test('a value with more faults than the stack holds is refused like any other', () => {
  const schema = z.custom(() => {
    throw new RangeError('Maximum call stack size exceeded');
  });

  expect(() => parseInput('', schema, {})).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});
