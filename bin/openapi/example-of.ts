import * as z from 'zod';

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly example?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly $ref?: string;
}

/**
 * The example of an answer, from the examples of its fields: `.meta({ example })` in the schema.
 * @throws if a field has none, and its type does not say what it can be
 */
export function exampleOf(endpointId: string, response: z.ZodType): unknown {
  const root = z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' }) as Schema & {
    readonly $defs?: Readonly<Record<string, Schema>>;
  };
  const exampleAt = (schema: Schema, path: string): unknown => {
    if (schema.example !== undefined) return schema.example;
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return schema.enum[0];
    if (schema.$ref !== undefined)
      return exampleAt(root.$defs?.[schema.$ref.split('/').at(-1) ?? ''] ?? {}, path);
    if (schema.properties !== undefined) {
      const fields = Object.entries(schema.properties);
      return Object.fromEntries(fields.map(([name, field]) => [name, exampleAt(field, `${path}.${name}`)]));
    }
    if (schema.items !== undefined) return [exampleAt(schema.items, `${path}[]`)];
    if (schema.anyOf?.[0] !== undefined) return exampleAt(schema.anyOf[0], path);
    if (schema.type === 'boolean') return true;
    throw new Error(
      `The answer of ${endpointId} has no example of ${path}: give the field one with .meta({ example }), or the whole ` +
        'answer one in bin/openapi/response-examples.ts.',
    );
  };
  return exampleAt(root, 'the answer');
}
