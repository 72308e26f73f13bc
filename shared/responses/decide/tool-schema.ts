import { own } from '#shared/platform/own.ts';

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const DEPTH_MAX = 24;

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const SCHEMAS = ['items', 'additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'];
const SCHEMA_LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const SCHEMA_MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a reference such as `#/$defs/node` or `#node` points to a part of the schema. */
function isHeld(root: unknown, anchors: () => ReadonlySet<unknown>, reference: string): boolean {
  if (reference === '#') return true;
  if (!reference.startsWith('#')) return false;
  if (!reference.startsWith('#/')) return anchors().has(reference.slice(1));
  const target = reference
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, part) => {
      if (Array.isArray(value)) return value[Number(part)];
      return isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined;
    }, root);
  return target !== undefined;
}

/** Every `$anchor` in a value, at any depth. */
function anchorsOf(root: unknown): Set<unknown> {
  const anchors = new Set<unknown>();
  const open: unknown[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (isRecord(value)) anchors.add(value.$anchor);
    for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) open.push(part);
  }
  return anchors;
}

/**
 * Returns why a model cannot use a tool with these parameters; null if it can. The parameters must be a well-formed
 * JSON Schema of an object, at most 24 levels deep, whose references stay inside it.
 */
export function findSchemaProblem(parameters: unknown): string | null {
  let known: ReadonlySet<unknown> | undefined;
  const anchors = (): ReadonlySet<unknown> => {
    known ??= anchorsOf(parameters);
    return known;
  };
  const check = (schema: unknown, depth: number): string | null => {
    if (typeof schema === 'boolean') return null;
    if (!isRecord(schema)) return 'holds a value that is not a schema';
    if (depth > DEPTH_MAX) return `is nested more than ${DEPTH_MAX} levels deep`;
    const { type, required, enum: values, $ref: reference } = schema;
    const types = Array.isArray(type) ? type : [type];
    if (type !== undefined && (types.length === 0 || !types.every((each) => TYPES.has(each)))) {
      return 'names a type that JSON Schema does not have';
    }
    if (
      required !== undefined &&
      !(Array.isArray(required) && required.every((x) => typeof x === 'string'))
    ) {
      return 'has a required that is not a list of names';
    }
    if (values !== undefined && !(Array.isArray(values) && values.length > 0)) return 'has an empty enum';
    if (reference !== undefined) {
      if (typeof reference !== 'string' || !isHeld(parameters, anchors, reference)) {
        return 'has a $ref to a definition that does not exist';
      }
    }
    let parts: unknown[] = SCHEMAS.flatMap((keyword) => {
      const part = own(schema, keyword);
      if (part === undefined) return [];
      return keyword === 'items' && Array.isArray(part) ? part : [part];
    });
    for (const keyword of SCHEMA_LISTS) {
      const list = own(schema, keyword);
      if (list === undefined) continue;
      if (!Array.isArray(list) || list.length === 0) return `has a value that is not a schema in ${keyword}`;
      parts = parts.concat(list);
    }
    for (const keyword of SCHEMA_MAPS) {
      const map = own(schema, keyword);
      if (map === undefined) continue;
      if (!isRecord(map)) return `has a value that is not a schema in ${keyword}`;
      parts = parts.concat(Object.values(map));
    }
    for (const part of parts) {
      const problem = check(part, depth + 1);
      if (problem !== null) return problem;
    }
    return null;
  };
  if (!isRecord(parameters) || parameters.type !== 'object') return 'is not the schema of an object';
  return check(parameters, 0);
}

/**
 * The parameters with what providers require and JSON Schema does not: an object has `properties`, an array `items`. One
 * tool without them would make OpenAI refuse the whole request.
 * @param parameters within the depth that `findSchemaProblem` takes; deeper parts stay as they are
 */
export function completeSchema(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return completed(parameters, 0) as Record<string, unknown>;
}

function completed(schema: unknown, depth: number): unknown {
  if (!isRecord(schema) || depth > DEPTH_MAX) return schema;
  const inside = (part: unknown): unknown => completed(part, depth + 1);
  const parts = Object.entries(schema).map(([keyword, part]): [string, unknown] => {
    if (SCHEMA_MAPS.includes(keyword) && isRecord(part)) {
      return [keyword, Object.fromEntries(Object.entries(part).map(([name, each]) => [name, inside(each)]))];
    }
    const isList = Array.isArray(part) && (SCHEMA_LISTS.includes(keyword) || keyword === 'items');
    if (isList) return [keyword, part.map(inside)];
    return [keyword, SCHEMAS.includes(keyword) ? inside(part) : part];
  });
  const types = [schema.type].flat();
  return {
    ...Object.fromEntries(parts),
    ...(types.includes('object') && schema.properties === undefined ? { properties: {} } : {}),
    ...(types.includes('array') && schema.items === undefined && schema.prefixItems === undefined
      ? { items: {} }
      : {}),
  };
}
