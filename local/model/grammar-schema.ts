import { ApiError } from './api-error.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Integer ranges up to this size are converted to an enum. */
const enumeratedValuesMax = 1_000;

const annotations = new Set([
  '$schema',
  '$id',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);
const basicTypes = new Set(['string', 'number', 'integer', 'boolean', 'null']);
const grammarFormats = new Set(['date', 'time', 'date-time']);

/**
 * Converts a JSON schema to the dialect of the grammar generator, so that every answer satisfies the schema. Optional
 * properties are always generated. A keyword that a grammar cannot enforce is an error; `format` is an annotation in
 * JSON Schema and only narrows where the grammar knows the format.
 * @throws {ApiError} 400 naming the keyword and its path.
 */
export function toGrammarSchema(schema: unknown, path = 'schema'): JsonSchema {
  if (!isObject(schema)) throw refuse(path, 'only an object can be a schema here');
  const node = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !annotations.has(keyword)));
  const take = takerOf(node);

  const definitions = take('$defs');
  const rest = convert(node, take, path);
  const unknown = Object.keys(node)[0];
  if (unknown !== undefined) throw refuse(`${path}.${unknown}`, 'a grammar cannot enforce this keyword');
  return definitions === undefined
    ? rest
    : { ...rest, $defs: mapValues(definitions, `${path}.$defs`, toGrammarSchema) };
}

type Take = (keyword: string) => unknown;

function convert(node: Record<string, unknown>, take: Take, path: string): JsonSchema {
  if ('$ref' in node) {
    const target = take('$ref');
    if (typeof target !== 'string' || !target.startsWith('#/$defs/')) {
      throw refuse(`${path}.$ref`, 'only references into #/$defs are known');
    }
    return { $ref: target };
  }
  if ('const' in node) {
    take('type');
    return { enum: scalars([take('const')], `${path}.const`) };
  }
  if ('enum' in node) {
    take('type');
    return { enum: scalars(take('enum'), `${path}.enum`) };
  }
  const alternatives = take('anyOf') ?? take('oneOf');
  if (alternatives !== undefined) {
    return { oneOf: mapItems(alternatives, `${path}.anyOf`, toGrammarSchema) };
  }
  const type = take('type');
  if (Array.isArray(type)) {
    const shared = { ...node };
    for (const keyword of Object.keys(node)) take(keyword);
    return { oneOf: type.map((one: unknown) => toGrammarSchema(keywordsFor(one, shared), path)) };
  }
  switch (type) {
    case 'object':
      return convertObject(take, path);
    case 'array':
      return convertArray(take, path);
    case 'string':
      return convertString(take, path);
    case 'integer':
      return convertInteger(take, path);
    default:
      if (typeof type === 'string' && basicTypes.has(type)) return { type };
      throw refuse(`${path}.type`, 'give a type: a grammar cannot be made of a schema that allows any value');
  }
}

function convertObject(take: Take, path: string): JsonSchema {
  const properties = take('properties') ?? {};
  const additional = take('additionalProperties');
  take('required');
  return {
    type: 'object',
    properties: mapValues(properties, `${path}.properties`, toGrammarSchema),
    ...pick(take, ['minProperties', 'maxProperties']),
    additionalProperties: isObject(additional)
      ? toGrammarSchema(additional, `${path}.additionalProperties`)
      : additional === true,
  };
}

function convertArray(take: Take, path: string): JsonSchema {
  const items = take('items');
  const prefix = take('prefixItems');
  if (items === undefined && prefix === undefined) throw refuse(`${path}.items`, 'say what the array holds');
  return {
    type: 'array',
    ...(isObject(items) ? { items: toGrammarSchema(items, `${path}.items`) } : {}),
    ...(prefix === undefined
      ? {}
      : { prefixItems: mapItems(prefix, `${path}.prefixItems`, toGrammarSchema) }),
    ...pick(take, ['minItems', 'maxItems']),
  };
}

function convertString(take: Take, path: string): JsonSchema {
  const format = take('format');
  const lengths = pick(take, ['minLength', 'maxLength']);
  if (typeof format === 'string' && grammarFormats.has(format)) {
    if (Object.keys(lengths).length > 0) throw refuse(path, `${format} has a length of its own`);
    return { type: 'string', format };
  }
  return { type: 'string', ...lengths };
}

function convertInteger(take: Take, path: string): JsonSchema {
  const above = numberOf(take('exclusiveMinimum'));
  const below = numberOf(take('exclusiveMaximum'));
  const low = Math.max(numberOf(take('minimum')) ?? -Infinity, above === undefined ? -Infinity : above + 1);
  const high = Math.min(numberOf(take('maximum')) ?? Infinity, below === undefined ? Infinity : below - 1);
  if (low <= Number.MIN_SAFE_INTEGER && high >= Number.MAX_SAFE_INTEGER) return { type: 'integer' };
  const first = Math.ceil(low);
  const count = Math.floor(high) - first + 1;
  if (!(count >= 1 && count <= enumeratedValuesMax)) {
    throw refuse(
      path,
      `a range of whole numbers needs both bounds, at most ${enumeratedValuesMax} values apart`,
    );
  }
  return { enum: Array.from({ length: count }, (_, index) => first + index) };
}

/** The keywords of a multi-type schema that apply to one of the types. */
function keywordsFor(type: unknown, shared: Readonly<Record<string, unknown>>): JsonSchema {
  const concerning: Readonly<Record<string, readonly string[]>> = {
    object: ['properties', 'additionalProperties', 'required', 'minProperties', 'maxProperties'],
    array: ['items', 'prefixItems', 'minItems', 'maxItems'],
    string: ['minLength', 'maxLength', 'format'],
    integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  };
  const known = new Set(Object.values(concerning).flat());
  const wanted = new Set(concerning[String(type)] ?? []);
  const kept = Object.entries(shared).filter(([keyword]) => wanted.has(keyword) || !known.has(keyword));
  return { ...Object.fromEntries(kept), type };
}

/** Removes handled keywords from a node, so that the remaining ones are unsupported. */
function takerOf(node: Record<string, unknown>): Take {
  return (keyword) => {
    const value = node[keyword];
    delete node[keyword];
    return value;
  };
}

function pick(take: Take, keywords: readonly string[]): JsonSchema {
  const entries = keywords.map((keyword) => [keyword, take(keyword)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function mapValues(
  value: unknown,
  path: string,
  convertOne: (schema: unknown, path: string) => JsonSchema,
): JsonSchema {
  if (!isObject(value)) throw refuse(path, 'must be an object of schemas');
  return Object.fromEntries(
    Object.entries(value).map(([key, schema]) => [key, convertOne(schema, `${path}.${key}`)]),
  );
}

function mapItems(
  value: unknown,
  path: string,
  convertOne: (schema: unknown, path: string) => JsonSchema,
): JsonSchema[] {
  if (!Array.isArray(value) || value.length === 0) throw refuse(path, 'must be a list of schemas');
  return value.map((schema: unknown, index) => convertOne(schema, `${path}.${index}`));
}

function scalars(values: unknown, path: string): unknown[] {
  const allowed = new Set(['string', 'number', 'boolean']);
  if (!Array.isArray(values) || values.some((value) => value !== null && !allowed.has(typeof value))) {
    throw refuse(path, 'must be strings, numbers, booleans or null');
  }
  return values;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(path: string, reason: string): ApiError {
  return new ApiError(400, `${path}: ${reason}.`, {
    code: 'invalid_json_schema',
    parameter: 'response_format',
  });
}
