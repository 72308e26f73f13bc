import { expect, test } from 'vitest';
import { completeSchema, findSchemaProblem } from '#shared/responses/decide/tool-schema.ts';

const withProperty = (property: unknown) => ({ type: 'object', properties: { a: property } });

function nested(levels: number): unknown {
  return levels === 0 ? { type: 'string' } : withProperty(nested(levels - 1));
}

test('a model can be given a schema with hundreds of thousands of parts', () => {
  expect(findSchemaProblem(withProperty({ anyOf: Array.from({ length: 300_000 }, () => true) }))).toBeNull();
});

test.each([
  [{ type: 'object' }],
  [{ type: 'object', properties: {}, required: [], additionalProperties: false }],
  [withProperty({ type: ['string', 'null'], enum: ['x', null] })],
  [withProperty({ anyOf: [{ type: 'integer' }, { const: 3 }] })],
  [withProperty({ type: 'array', items: { type: 'string' }, prefixItems: [true] })],
  // A property may have the name of a keyword.
  [withProperty({ type: 'object', properties: { type: { type: 'string' }, items: { type: 'number' } } })],
  [{ type: 'object', $defs: { node: withProperty({ $ref: '#/$defs/node' }) }, $ref: '#/$defs/node' }],
  [{ type: 'object', $defs: { node: { $anchor: 'node' } }, properties: { a: { $ref: '#node' } } }],
  [nested(24)],
])('a model can be given: %j', (schema) => {
  expect(findSchemaProblem(schema)).toBeNull();
});

test.each([
  [null],
  ['object'],
  [[]],
  [{}],
  [{ type: 'array' }],
  [{ type: ['object'] }],
  [withProperty(5)],
  [withProperty({ type: 'banana' })],
  [withProperty({ type: [] })],
  [{ type: 'object', properties: [] }],
  [{ type: 'object', required: 'a' }],
  [{ type: 'object', required: [1] }],
  [withProperty({ enum: [] })],
  [withProperty({ anyOf: [] })],
  [withProperty({ anyOf: { type: 'string' } })],
  [withProperty({ items: 'string' })],
  [withProperty({ $ref: 'https://elsewhere.test/schema.json' })],
  [withProperty({ $ref: '#/$defs/missing' })],
  [withProperty({ $ref: '#nowhere' })],
  [withProperty({ $ref: 7 })],
  [nested(25)],
])('no model can be given: %j', (schema) => {
  expect(findSchemaProblem(schema)).toMatch(/^(is|has|holds|names|lists|refers)/);
});

test.each<[object, object]>([
  [{ type: 'object' }, { type: 'object', properties: {} }],
  [withProperty({ type: 'array' }), withProperty({ type: 'array', items: {} })],
  [
    withProperty({ anyOf: [{ type: ['array', 'null'] }, { type: 'object' }] }),
    withProperty({
      anyOf: [
        { type: ['array', 'null'], items: {} },
        { type: 'object', properties: {} },
      ],
    }),
  ],
  [
    { type: 'object', $defs: { list: { type: 'array', items: { type: 'object' } } } },
    {
      type: 'object',
      $defs: { list: { type: 'array', items: { type: 'object', properties: {} } } },
      properties: {},
    },
  ],
  // What has them, names of properties and values stay.
  ...[
    withProperty({ type: 'array', prefixItems: [true] }),
    { type: 'object', properties: { items: { type: 'string', default: { type: 'object' } } } },
  ].map((same): [object, object] => [same, same]),
])('the schema of a tool gets the parts that providers require: %j', (schema, expected) => {
  expect(completeSchema(schema as Record<string, unknown>)).toEqual(expected);
});
