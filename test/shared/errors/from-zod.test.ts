import { expect, test } from 'vitest';
import * as z from 'zod';
import { invalidField, invalidRequest } from '#shared/errors/from-zod.ts';

const Schema = z.strictObject({
  name: z.string().min(2),
  nested: z.strictObject({ list: z.array(z.strictObject({ count: z.int().min(1) })) }).optional(),
  mode: z.enum(['a', 'b']).optional(),
  either: z
    .union([z.strictObject({ x: z.string(), y: z.string() }), z.strictObject({ z: z.string() })])
    .optional(),
});

function refuse(value: unknown, where: '' | 'query' | 'path' = '') {
  const { error } = Schema.safeParse(value);
  if (error === undefined) throw new Error('The value is valid.');
  return invalidRequest(where, error);
}

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
])('names the path of %s', (_what, value, paths) => {
  const error = refuse(value);

  expect(error.details.map((detail) => detail.path)).toEqual(paths);
  for (const path of paths) expect(error.message).toContain(`${path}: `);
});

test.each(['query', 'path'] as const)('begins paths of the %s with its name', (where) => {
  expect(refuse({ nme: 1 }, where).details.map((detail) => detail.path)).toEqual([
    `${where}.name`,
    `${where}.nme`,
  ]);
});

test('lists what is allowed where there is a choice', () => {
  expect(refuse({ name: 'ok', mode: 'c' }).details).toEqual([
    { path: 'mode', message: 'must be one of "a", "b"', allowed: ['a', 'b'] },
  ]);
});

test('says of a union what the closest of its shapes lacks', () => {
  expect(refuse({ name: 'ok', either: { x: 'here' } }).details.map((detail) => detail.path)).toEqual([
    'either.y',
  ]);
});

test('never repeats a value that was sent', () => {
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
