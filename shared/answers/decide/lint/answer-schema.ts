import { canonicalJson } from '#shared/platform/canonical-json.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { codeBlocks } from './code-blocks.ts';

/** Returns the fault of a completion, or null. */
export type CheckAnswer = (completion: string) => string | null;

/** Returns the fault of a value and its place; null if there is none. */
type Validate = (value: unknown, at: string) => string | null;

const SCHEMA_DEPTH_MAX = 50;
const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
/** Keywords that do not constrain values. */
const ANNOTATIONS = new Set(['$schema', '$id', 'title', 'description', 'default', 'examples', '$comment']);

/**
 * Compiles a JSON Schema for completions. Unsupported keywords are errors; regular expressions are unsupported, because
 * one could block a worker for hours.
 * @throws {ServiceError} `invalid_request`
 */
export function createAnswerCheck(schema: Record<string, unknown>, path: string): CheckAnswer {
  const validate = readSchema(schema, path, 0);
  return (completion) => {
    const [block] = codeBlocks(completion);
    const text = block !== undefined && ['json', ''].includes(block.language) ? block.code : completion;
    if (nestingOf(text) > NESTING_MAX) return `is nested more than ${NESTING_MAX} times`;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return 'is not JSON';
    }
    const fault = validate(value, '$');
    return fault === null ? null : `does not satisfy answer_schema: ${fault}`;
  };
}

/** Deeper JSON is no answer, and would exhaust the stack of what walks it. */
const NESTING_MAX = 500;

/** How deep the brackets of a text nest at most; those inside of strings count too. */
function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) depth += 1;
    else if ((code === 0x5d || code === 0x7d) && depth > 0) depth -= 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

function readSchema(schema: unknown, path: string, depth: number): Validate {
  if (schema === true) return () => null;
  if (schema === false) return (_, at) => `${at} must not be there`;
  if (!isObject(schema)) throw invalidField(path, 'must be a JSON Schema: an object, true or false');
  if (depth > SCHEMA_DEPTH_MAX) throw invalidField(path, `is nested more than ${SCHEMA_DEPTH_MAX} times`);
  const rules = Object.entries(schema).flatMap(([keyword, operand]): Validate[] => {
    if (ANNOTATIONS.has(keyword)) return [];
    const read = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined;
    if (read === undefined) {
      throw invalidField(
        `${path}.${keyword}`,
        `is not supported; omit it. Supported are ${Object.keys(keywords).join(', ')}`,
      );
    }
    return [read(operand, { path: `${path}.${keyword}`, depth: depth + 1, schema })];
  });
  return (value, at) => firstFault(rules, (rule) => rule(value, at));
}

interface Reading {
  readonly path: string;
  readonly depth: number;
  /** The schema that contains the keyword. */
  readonly schema: Readonly<Record<string, unknown>>;
}

type ReadKeyword = (operand: unknown, reading: Reading) => Validate;

const keywords: Readonly<Record<string, ReadKeyword>> = {
  type: (operand, { path }) => {
    const types = Array.isArray(operand) ? operand : [operand];
    if (types.length === 0 || !types.every((type) => TYPES.includes(type as string))) {
      throw invalidField(path, `must be one or several of ${TYPES.join(', ')}`);
    }
    return (value, at) =>
      types.some((type) => isOfType(value, type as string)) ? null : `${at} must be ${types.join(' or ')}`;
  },
  enum: (operand, { path }) => {
    if (!Array.isArray(operand)) throw invalidField(path, 'must be a list of values');
    const known = new Set(operand.map(canonicalJson));
    return (value, at) => (known.has(canonicalJson(value)) ? null : `${at} is none of the values of enum`);
  },
  const: (operand) => {
    const known = canonicalJson(operand);
    return (value, at) => (canonicalJson(value) === known ? null : `${at} is not the value of const`);
  },
  properties: (operand, { path, depth }) => {
    if (!isObject(operand)) throw invalidField(path, 'must be an object of schemas');
    const properties = Object.entries(operand).map(
      ([name, schema]) => [name, readSchema(schema, `${path}.${name}`, depth)] as const,
    );
    return (value, at) =>
      isObject(value)
        ? firstFault(properties, ([name, validate]) =>
            Object.hasOwn(value, name) ? validate(value[name], `${at}.${name}`) : null,
          )
        : null;
  },
  required: (operand, { path }) => {
    if (!Array.isArray(operand)) throw invalidField(path, 'must be a list of names');
    return (value, at) =>
      isObject(value)
        ? firstFault(operand, (name) => (Object.hasOwn(value, name) ? null : `${at} lacks ${name}`))
        : null;
  },
  additionalProperties: (operand, { path, depth, schema }) => {
    const named = isObject(schema.properties) ? schema.properties : {};
    const validate = readSchema(operand, path, depth);
    return (value, at) =>
      isObject(value)
        ? firstFault(Object.keys(value), (name) =>
            Object.hasOwn(named, name) ? null : validate(value[name], `${at}.${name}`),
          )
        : null;
  },
  items: (operand, { path, depth }) => {
    const validate = readSchema(operand, path, depth);
    return (value, at) =>
      Array.isArray(value) ? firstFault(value.keys(), (n) => validate(value[n], `${at}[${n}]`)) : null;
  },
  allOf: (operand, { path, depth }) => {
    const all = readSchemas(operand, path, depth);
    return (value, at) => firstFault(all, (validate) => validate(value, at));
  },
  anyOf: (operand, { path, depth }) => {
    const any = readSchemas(operand, path, depth);
    return (value, at) =>
      any.some((validate) => validate(value, at) === null) ? null : `${at} satisfies none of anyOf`;
  },
  oneOf: (operand, { path, depth }) => {
    const one = readSchemas(operand, path, depth);
    return (value, at) => {
      const count = one.filter((validate) => validate(value, at) === null).length;
      return count === 1 ? null : `${at} satisfies ${count} of oneOf`;
    };
  },
  minimum: limit('number', (value, bound) => value >= bound, 'be at least'),
  maximum: limit('number', (value, bound) => value <= bound, 'be at most'),
  exclusiveMinimum: limit('number', (value, bound) => value > bound, 'be more than'),
  exclusiveMaximum: limit('number', (value, bound) => value < bound, 'be less than'),
  minLength: limit('string', (length, bound) => length >= bound, 'have characters: at least'),
  maxLength: limit('string', (length, bound) => length <= bound, 'have characters: at most'),
  minItems: limit('array', (length, bound) => length >= bound, 'have items: at least'),
  maxItems: limit('array', (length, bound) => length <= bound, 'have items: at most'),
};

/** A limit of a number, or of the length of a string (in code points) or of a list. */
function limit(
  type: 'number' | 'string' | 'array',
  isWithin: (measure: number, bound: number) => boolean,
  must: string,
): ReadKeyword {
  return (bound, { path }) => {
    if (typeof bound !== 'number') throw invalidField(path, 'must be a number');
    return (value, at) => {
      if (!isOfType(value, type)) return null;
      const measure = typeof value === 'number' ? value : [...(value as Iterable<unknown>)].length;
      return isWithin(measure, bound) ? null : `${at} must ${must} ${bound}`;
    };
  };
}

function readSchemas(operand: unknown, path: string, depth: number): Validate[] {
  if (!Array.isArray(operand) || operand.length === 0) throw invalidField(path, 'must be a list of schemas');
  return operand.map((schema, n) => readSchema(schema, `${path}[${n}]`, depth));
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function firstFault<T>(items: Iterable<T>, faultOf: (item: T) => string | null): string | null {
  for (const item of items) {
    const fault = faultOf(item);
    if (fault !== null) return fault;
  }
  return null;
}
