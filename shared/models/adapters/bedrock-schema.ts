import { putOwn } from '#shared/platform/own.ts';
import type { GenerateRequest } from '../decide/port.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * JSON Schema keywords that structured outputs of Amazon Bedrock support. Any other keyword causes a
 * ValidationException (Amazon Bedrock user guide, "Get validated JSON results from models").
 */
const KEPT: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'const',
  'description',
  'title',
  'default',
  'required',
  '$ref',
]);
const FORMATS: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
]);

/** The widest integer range that is converted to an enum. */
const VALUES_MAX = 101;

/**
 * The part of a schema that Bedrock supports. An integer range becomes an enum; other constraints are added to the
 * description for the model, and `onTold` is called with their keywords.
 */
export function toBedrockSchema(schema: Schema, onTold: (keyword: string) => void = () => {}): Schema {
  const inner = (each: unknown): unknown => (isSchema(each) ? toBedrockSchema(each, onTold) : each);
  const taken: Record<string, unknown> = {};
  const told: string[] = [];
  const values = valuesOf(schema);
  for (const [keyword, value] of Object.entries(schema)) {
    if (KEPT.has(keyword) || (keyword === 'format' && FORMATS.has(value))) putOwn(taken, keyword, value);
    else if (keyword === 'properties' || keyword === '$defs' || keyword === 'definitions') {
      putOwn(
        taken,
        keyword,
        Object.fromEntries(Object.entries(value as Schema).map(([name, each]) => [name, inner(each)])),
      );
    } else if (keyword === 'items') taken.items = inner(value);
    else if (keyword === 'anyOf' || keyword === 'allOf' || keyword === 'oneOf') {
      taken[keyword === 'oneOf' ? 'anyOf' : keyword] = [value].flat().map(inner);
    } else if (keyword === 'additionalProperties') {
      if (value !== false) onTold(keyword);
    } else if (keyword === 'minItems' && (value === 0 || value === 1)) taken.minItems = value;
    else if (keyword !== '$schema' && !(values && isRange(keyword))) {
      told.push(`${keyword}: ${JSON.stringify(value)}`);
      onTold(keyword);
    }
  }
  if (values !== null) taken.enum = values;
  if (describesObject(schema)) taken.additionalProperties = false;
  if (told.length > 0) taken.description = [schema.description, told.join(', ')].filter(Boolean).join(' ');
  return taken;
}

/**
 * What a schema allows and Bedrock never writes, since each of its objects is closed: an object whose properties have no
 * names ("properties": {} alone is one without any, as of a class without fields), and branches that an answer has to meet all. Null if there is nothing.
 */
export function neverWritten(schema: Schema): string | null {
  const { type, properties, additionalProperties: more, allOf } = schema;
  const named = isSchema(properties) ? Object.values(properties) : [];
  const isOpen = describesObject({ type, properties }) && more !== false;
  const isNameless = properties === undefined || (named.length === 0 && more !== undefined);
  if (isOpen && (isNameless || isSchema(more) || schema.patternProperties !== undefined)) {
    return 'an object whose properties the schema does not name';
  }
  if (Array.isArray(allOf) && allOf.length > 1) return 'allOf of several schemas';
  const inner = [
    ...named,
    ...[schema.$defs, schema.definitions].flatMap((held) => (isSchema(held) ? Object.values(held) : [])),
    ...[schema.items, schema.anyOf, schema.oneOf, allOf].flat(),
  ].filter(isSchema);
  for (const each of inner) {
    const found = neverWritten(each);
    if (found !== null) return found;
  }
  return null;
}

/**
 * The schema of a request as it is for all requests of its kind: Bedrock compiles one that it has not seen for a day "for up to
 * a few minutes" (user guide, "Get validated JSON results from models").
 */
export function compiledOnce({ schema, choicesVary }: NonNullable<GenerateRequest['jsonSchema']>): Schema {
  if (choicesVary !== true) return schema;
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === 'enum' ? undefined : value))) as Schema;
}

const describesObject = ({ type, properties }: Schema): boolean =>
  properties !== undefined || (Array.isArray(type) ? type.includes('object') : type === 'object');

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isRange = (keyword: string): boolean => keyword === 'minimum' || keyword === 'maximum';

function valuesOf({ type, minimum, maximum, enum: given }: Schema): number[] | null {
  if (type !== 'integer' || given !== undefined) return null;
  if (!Number.isInteger(minimum) || !Number.isInteger(maximum)) return null;
  const count = (maximum as number) - (minimum as number) + 1;
  if (count < 1 || count > VALUES_MAX) return null;
  return Array.from({ length: count }, (_, n) => (minimum as number) + n);
}
