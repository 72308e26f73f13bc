import * as z from 'zod';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly example?: unknown;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly $ref?: string;
}

/**
 * The example of a body or an answer, made of the examples of its fields (ADR 0069). A field that may be left out is left out,
 * and one that may be null is null, unless there is an example of it.
 * @throws if another field has no example, and its type does not say what it can be
 */
export function exampleOf(endpointId: string, schema: z.ZodType, io: 'input' | 'output' = 'output'): unknown {
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema & {
    readonly $defs?: Readonly<Record<string, Schema>>;
  };
  const resolved = ({ $ref, ...own }: Schema): Schema =>
    $ref === undefined ? own : { ...root.$defs?.[$ref.split('/').at(-1) ?? ''], ...own };
  const innerOf = ({ properties = {}, items, anyOf = [], oneOf = [] }: Schema): readonly Schema[] => [
    ...Object.values(properties),
    ...(items === undefined ? [] : [items]),
    ...anyOf,
    ...oneOf,
  ];
  /** Not by way of a reference twice: JSON contains itself. */
  const hasExample = (schema: Schema, seen: readonly string[] = []): boolean => {
    if (schema.$ref !== undefined && seen.includes(schema.$ref)) return false;
    const found = resolved(schema);
    const past = schema.$ref === undefined ? seen : [...seen, schema.$ref];
    return found.example !== undefined || innerOf(found).some((inner) => hasExample(inner, past));
  };
  const exampleAt = (schema: Schema, path: string): unknown => {
    const found = resolved(schema);
    const { example, properties, required = [], items } = found;
    if (example !== undefined) return example;
    if (found.const !== undefined) return found.const;
    if (found.default !== undefined) return found.default;
    if (found.enum !== undefined) return found.enum[0];
    if (properties !== undefined) {
      const fields = Object.entries(properties).filter(
        ([name, field]) => required.includes(name) || hasExample(field),
      );
      return Object.fromEntries(fields.map(([name, field]) => [name, exampleAt(field, `${path}.${name}`)]));
    }
    if (items !== undefined) return [exampleAt(items, `${path}[]`)];
    const branches = found.anyOf ?? found.oneOf ?? [];
    const branch =
      branches.find((each) => hasExample(each)) ??
      branches.find(({ type }) => type === 'null') ??
      branches[0];
    if (branch !== undefined) return exampleAt(branch, path);
    if ([found.type].flat().includes('null')) return null;
    if (found.type === 'boolean') return true;
    throw new Error(
      `There is no example of ${path} in ${endpointId}: give the field one with .meta({ example }).`,
    );
  };
  return exampleAt(root, io === 'input' ? 'the body' : 'the answer');
}
