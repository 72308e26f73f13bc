import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { own } from '#shared/platform/own.ts';
import { NESTING_MAX } from '#shared/tabular/decide/limits.ts';
import { measureJson } from '#shared/tabular/decide/measure-json.ts';
import { eachCodeBlock } from './code-blocks.ts';

/** Returns the fault of a completion, or null. */
export type CheckAnswer = (completion: string) => string | null;

/** The steps that are left for a completion. */
interface Work {
  stepsLeft: number;
}

/** Returns the fault of a value and its place; null if there is none. @throws {TooMuchWork} */
type Validate = (value: unknown, at: string, work: Work) => string | null;

const SCHEMA_DEPTH_MAX = 50;
/** Keywords, subschemas, and listed names and values of a schema. */
export const SCHEMA_RULES_MAX = 5_000;
/** Rules that are applied to the values of one completion: less than a second. */
export const SCHEMA_STEPS_MAX = 10_000_000;
/** Values of an answer, which are in memory together. */
export const ANSWER_VALUES_MAX = 2_000_000;
const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
/** Keywords that do not constrain values. */
const ANNOTATIONS = new Set(['$schema', '$id', 'title', 'description', 'default', 'examples', '$comment']);

/** No steps are left: the schema has too many rules for so large an answer. */
class TooMuchWork extends Error {}

function step(work: Work, count = 1): void {
  work.stepsLeft -= count;
  if (work.stepsLeft < 0) throw new TooMuchWork();
}

/**
 * Compiles a JSON Schema for completions. Unsupported keywords are errors; regular expressions are unsupported, because
 * one could block a worker for hours. A completion takes so many steps at most; beyond them it counts as faulty.
 * @throws {ServiceError} `invalid_request`, also for a schema of too many rules
 */
export function createAnswerCheck(
  schema: Record<string, unknown>,
  path: string,
  stepsMax: number = SCHEMA_STEPS_MAX,
): CheckAnswer {
  const check = compileSchema(schema, path);
  return (completion) => {
    const [block] = eachCodeBlock(completion);
    const text = block !== undefined && ['json', ''].includes(block.language) ? block.code : completion;
    const { depth, values } = measureJson(text);
    if (depth > NESTING_MAX) return `is nested more than ${NESTING_MAX} times`;
    if (values > ANSWER_VALUES_MAX) return `has more than ${ANSWER_VALUES_MAX} values`;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return 'is not JSON';
    }
    const fault = check(value, stepsMax);
    if (fault === 'too_large') {
      return `is too large to be held against answer_schema: it takes more than ${stepsMax} steps`;
    }
    return fault === null ? null : `does not satisfy answer_schema: ${fault}`;
  };
}

/** Returns the fault of a value and its place, null if there is none, or `too_large` for one that takes too many steps. */
export type SchemaCheck = (value: unknown, stepsMax: number) => string | null;

/**
 * Compiles a JSON Schema for values.
 * @throws {ServiceError} `invalid_request` for keywords that are not supported, and for a schema of too many rules
 */
export function compileSchema(schema: Record<string, unknown>, path: string): SchemaCheck {
  const validate = readSchema(schema, { path, depth: 0, schema, rules: { left: SCHEMA_RULES_MAX, path } });
  return (value, stepsMax) => {
    try {
      return validate(value, '$', { stepsLeft: stepsMax });
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error;
      return 'too_large';
    }
  };
}

function readSchema(schema: unknown, reading: Reading): Validate {
  const { path, depth } = reading;
  countRules(reading, 1);
  if (typeof schema === 'boolean') {
    return (_, at, work) => {
      step(work);
      return schema ? null : `${at} must not be there`;
    };
  }
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
    countRules(reading, 1);
    return [read(operand, { ...reading, path: `${path}.${keyword}`, depth: depth + 1, schema })];
  });
  return (value, at, work) =>
    firstFault(rules, (rule) => {
      step(work);
      return rule(value, at, work);
    });
}

/** @throws {ServiceError} `invalid_request` if the schema has too many rules */
function countRules({ rules }: Pick<Reading, 'rules'>, count: number): void {
  rules.left -= count;
  if (rules.left >= 0) return;
  throw invalidField(
    rules.path,
    `has more than ${SCHEMA_RULES_MAX} rules (keywords, schemas, names and values); use a smaller schema`,
  );
}

interface Reading {
  readonly path: string;
  readonly depth: number;
  /** The schema that contains the keyword. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** How many rules the whole schema may still have, and its path. */
  readonly rules: { left: number; readonly path: string };
}

type ReadKeyword = (operand: unknown, reading: Reading) => Validate;

const keywords: Readonly<Record<string, ReadKeyword>> = {
  type: (operand, { path }) => {
    const types = [...new Set(Array.isArray(operand) ? operand : [operand])];
    if (types.length === 0 || !types.every((type) => TYPES.includes(type as string))) {
      throw invalidField(path, `must be one or several of ${TYPES.join(', ')}`);
    }
    return (value, at) =>
      types.some((type) => isOfType(value, type as string)) ? null : `${at} must be ${types.join(' or ')}`;
  },
  enum: (operand, reading) => {
    if (!Array.isArray(operand)) throw invalidField(reading.path, 'must be a list of values');
    countRules(reading, operand.length);
    const plain = new Set(operand.filter((value) => !isContainer(value)));
    const containers = operand.filter(isContainer);
    return (value, at, work) =>
      plain.has(value) || containers.some((known) => areEqual(known, value, work))
        ? null
        : `${at} is none of the values of enum`;
  },
  const: (known) => (value, at, work) =>
    areEqual(known, value, work) ? null : `${at} is not the value of const`,
  properties: (operand, reading) => {
    const { path } = reading;
    if (!isObject(operand)) throw invalidField(path, 'must be an object of schemas');
    const properties = Object.entries(operand).map(
      ([name, schema]) => [name, readSchema(schema, { ...reading, path: `${path}.${name}` })] as const,
    );
    return (value, at, work) =>
      isObject(value)
        ? firstFault(properties, ([name, validate]) => {
            step(work);
            return Object.hasOwn(value, name) ? validate(value[name], `${at}.${name}`, work) : null;
          })
        : null;
  },
  required: (operand, reading) => {
    if (!Array.isArray(operand) || !operand.every((name) => typeof name === 'string')) {
      throw invalidField(reading.path, 'must be a list of names');
    }
    countRules(reading, operand.length);
    return (value, at, work) =>
      isObject(value)
        ? firstFault(operand, (name) => {
            step(work);
            return Object.hasOwn(value, name) ? null : `${at} lacks ${name}`;
          })
        : null;
  },
  additionalProperties: (operand, reading) => {
    const { properties } = reading.schema;
    const named = isObject(properties) ? properties : {};
    const validate = readSchema(operand, reading);
    return (value, at, work) => {
      if (!isObject(value)) return null;
      const names = Object.keys(value);
      // Listing them takes as long as looking at each, also where the first one is wrong.
      step(work, names.length);
      return firstFault(names, (name) =>
        Object.hasOwn(named, name) ? null : validate(value[name], `${at}.${name}`, work),
      );
    };
  },
  items: (operand, reading) => {
    const validate = readSchema(operand, reading);
    return (value, at, work) =>
      Array.isArray(value)
        ? firstFault(value.keys(), (n) => {
            step(work);
            return validate(value[n], `${at}[${n}]`, work);
          })
        : null;
  },
  allOf: (operand, reading) => {
    const all = readSchemas(operand, reading);
    return (value, at, work) => firstFault(all, (validate) => validate(value, at, work));
  },
  anyOf: (operand, reading) => {
    const any = readSchemas(operand, reading);
    return (value, at, work) =>
      any.some((validate) => validate(value, at, work) === null) ? null : `${at} satisfies none of anyOf`;
  },
  oneOf: (operand, reading) => {
    const one = readSchemas(operand, reading);
    return (value, at, work) => {
      const count = one.filter((validate) => validate(value, at, work) === null).length;
      return count === 1 ? null : `${at} satisfies ${count} of oneOf`;
    };
  },
  minimum: limit('number', (value, bound) => value >= bound, 'be at least'),
  maximum: limit('number', (value, bound) => value <= bound, 'be at most'),
  exclusiveMinimum: limit('number', (value, bound) => value > bound, 'be more than'),
  exclusiveMaximum: limit('number', (value, bound) => value < bound, 'be less than'),
  minLength: limit('string', (text, bound, work) => isAsLong(text, bound, work), 'have characters: at least'),
  maxLength: limit(
    'string',
    (text, bound, work) => !isAsLong(text, Math.floor(bound) + 1, work),
    'have characters: at most',
  ),
  minItems: limit('array', ({ length }, bound) => length >= bound, 'have items: at least'),
  maxItems: limit('array', ({ length }, bound) => length <= bound, 'have items: at most'),
};

interface Limited {
  readonly number: number;
  readonly string: string;
  readonly array: readonly unknown[];
}

/** A limit of a number, or of the length of a string (in code points) or of a list. */
function limit<T extends keyof Limited>(
  type: T,
  isWithin: (value: Limited[T], bound: number, work: Work) => boolean,
  must: string,
): ReadKeyword {
  return (bound, { path }) => {
    if (typeof bound !== 'number') throw invalidField(path, 'must be a number');
    return (value, at, work) =>
      !isOfType(value, type) || isWithin(value as Limited[T], bound, work)
        ? null
        : `${at} must ${must} ${bound}`;
  };
}

/** Characters that are counted in the time of a step. */
const CHARACTERS_PER_STEP = 16;

/** Whether a text has so many code points. They are counted only where the number of UTF-16 units does not tell. */
function isAsLong(text: string, characters: number, work: Work): boolean {
  if (text.length < characters || text.length >= 2 * characters) return text.length >= characters;
  step(work, Math.ceil(text.length / CHARACTERS_PER_STEP));
  let count = 0;
  for (const _ of text) count += 1;
  return count >= characters;
}

function readSchemas(operand: unknown, reading: Reading): Validate[] {
  const { path } = reading;
  if (!Array.isArray(operand) || operand.length === 0) throw invalidField(path, 'must be a list of schemas');
  return operand.map((schema, n) => readSchema(schema, { ...reading, path: `${path}[${n}]` }));
}

/** Whether two values are the same JSON; as deep as the shallower one nests. */
function areEqual(a: unknown, b: unknown, work: Work): boolean {
  step(work);
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((each, n) => areEqual(each, b[n], work));
  }
  if (!isObject(a)) return a === b;
  if (!isObject(b)) return false;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  step(work, keys.length + others.length);
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(b, key) && areEqual(own(a, key), own(b, key), work))
  );
}

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null;

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
