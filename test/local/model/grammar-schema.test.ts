import { expect, it } from 'vitest';
import * as z from 'zod';
import { toGrammarSchema } from '#local/model/grammar-schema.ts';

it("the schema of a grammar takes what zod writes for a judge's answer", () => {
  const schema = z.toJSONSchema(
    z.strictObject({
      winner: z.enum(['A', 'B']),
      score: z.int().min(0).max(3),
      reason: z.string().max(80),
      tags: z.array(z.string()).max(2).optional(),
    }),
  );

  expect(toGrammarSchema(schema)).toEqual({
    type: 'object',
    properties: {
      winner: { enum: ['A', 'B'] },
      score: { enum: [0, 1, 2, 3] },
      reason: { type: 'string', maxLength: 80 },
      tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    },
    additionalProperties: false,
  });
});

it('the schema of a grammar takes a whole number without bounds of its own', () => {
  expect(toGrammarSchema(z.toJSONSchema(z.int()))).toEqual({ type: 'integer' });
});

it('the schema of a grammar counts bounds that are excluded', () => {
  expect(toGrammarSchema({ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 3 })).toEqual({
    enum: [1, 2],
  });
});

it('the schema of a grammar takes alternatives, several types and null', () => {
  expect(toGrammarSchema({ anyOf: [{ type: 'boolean' }, { const: 'none' }] })).toEqual({
    oneOf: [{ type: 'boolean' }, { enum: ['none'] }],
  });
  expect(toGrammarSchema({ type: ['string', 'null'], maxLength: 5 })).toEqual({
    oneOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }],
  });
});

it('the schema of a grammar takes definitions and references to them', () => {
  const schema = { $defs: { name: { type: 'string' } }, type: 'array', items: { $ref: '#/$defs/name' } };

  expect(toGrammarSchema(schema)).toEqual({
    $defs: { name: { type: 'string' } },
    type: 'array',
    items: { $ref: '#/$defs/name' },
  });
});

it('the schema of a grammar ignores annotations, and formats that only describe', () => {
  expect(toGrammarSchema({ title: 'T', description: 'D', type: 'string', format: 'email' })).toEqual({
    type: 'string',
  });
  expect(toGrammarSchema({ type: 'string', format: 'date' })).toEqual({ type: 'string', format: 'date' });
});

it.each([
  [{ type: 'string', pattern: '^a' }, 'schema.pattern'],
  [{ type: 'number', minimum: 0 }, 'schema.minimum'],
  [{ type: 'integer', minimum: 0 }, 'schema: a range'],
  [{ type: 'integer', minimum: 0, maximum: 5000 }, 'schema: a range'],
  [{ type: 'object', properties: { a: { allOf: [] } } }, 'schema.properties.a.type'],
  [{ type: 'array', items: { type: 'string' }, uniqueItems: true }, 'schema.uniqueItems'],
  [{ type: 'array' }, 'schema.items'],
  [{ $ref: '#' }, 'schema.$ref'],
  [{ enum: [{}] }, 'schema.enum'],
  [{}, 'schema.type'],
  [true, 'schema'],
])('the schema of a grammar refuses %j, naming %s', (schema, named) => {
  expect(() => toGrammarSchema(schema)).toThrow(
    expect.objectContaining({
      status: 400,
      code: 'invalid_json_schema',
      message: expect.stringContaining(named),
    }),
  );
});
