import * as z from 'zod';
import { nearestFields } from './known-fields.ts';
import { limitSearches } from './nearest.ts';
import { type ErrorDetail, ServiceError } from './service-error.ts';

function pathOf(prefix: string, path: readonly PropertyKey[]): string {
  let text = prefix;
  for (const part of path) {
    text += typeof part === 'number' ? `[${part}]` : text === '' ? String(part) : `.${String(part)}`;
  }
  return text === '' ? 'body' : text;
}

/** Whether a branch is for values of another kind: the value itself is not of its type, or says another `type`. */
function isOfOtherKind(issues: readonly z.core.$ZodIssue[]): boolean {
  return issues.some(
    ({ code, path }) => (path.length === 0 && code === 'invalid_type') || path[0] === 'type',
  );
}

/** The issues of a union's branch that came closest: of those for the value's kind, the one with the fewest. */
function closestBranch(branches: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] {
  const ofKind = branches.filter((branch) => !isOfOtherKind(branch));
  return (ofKind.length === 0 ? branches : ofKind).reduce((best, branch) =>
    branch.length < best.length ? branch : best,
  );
}

/**
 * What is wrong with a value that may be a fixed one or of a type, for which it is neither: of the forms that the union
 * takes, each alone would mislead. Null for other unions.
 */
function wordForms(branches: readonly (readonly z.core.$ZodIssue[])[]): string | null {
  const issues = branches.flat();
  const isAlternative =
    issues.length === branches.length &&
    issues.length > 1 &&
    issues.every(({ path }) => path.length === 0) &&
    issues.some(({ code }) => code === 'invalid_value') &&
    issues.some(({ code }) => code === 'invalid_type');
  return isAlternative ? issues.map(({ message }) => message).join(', or ') : null;
}

/** Types as JSON names them. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  bigint: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  tuple: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
  nan: 'a number',
  undefined: 'left out',
  never: 'left out',
};

const nameOfType = (type: string): string =>
  (Object.hasOwn(TYPES, type) ? TYPES[type] : undefined) ?? 'of another type';

/** Says what kind of value came, never which. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'boolean') return 'a boolean';
  return nameOfType(typeof value);
}

/** Forms of texts that the schema library knows by name. */
const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'must be an ISO 8601 date-time, such as 2026-11-22T10:00:00Z',
  date: 'must be an ISO 8601 date, such as 2026-11-22',
  uuid: 'must be a UUID, such as 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10',
  guid: 'must be a UUID, such as 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10',
  url: 'must be an absolute URL, such as https://example.org/file.csv',
  json_string: 'must be JSON text',
};

const plural = (count: number | bigint, one: string, many: string): string =>
  `${count} ${Number(count) === 1 ? one : many}`;

/** Measures a value as its bounds do: characters of a text, entries of an array, fields of an object. */
function sizeOf(origin: string, value: unknown): { readonly unit: (count: number) => string; size: number } {
  if (origin === 'array' || origin === 'set') {
    return {
      unit: (count) => plural(count, 'entry', 'entries'),
      size: Array.isArray(value) ? value.length : 0,
    };
  }
  if (origin === 'string') {
    return {
      unit: (count) => plural(count, 'character', 'characters'),
      size: typeof value === 'string' ? value.length : 0,
    };
  }
  const size = typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
  return { unit: (count) => plural(count, 'field', 'fields'), size };
}

const isNumeric = (origin: string): boolean => ['number', 'int', 'bigint', 'date'].includes(origin);

type RawIssue<Code extends string> = z.core.$ZodRawIssue & { readonly code: Code } & Extract<
    z.core.$ZodIssue,
    { code: Code }
  >;

/** Whether a bound is the one that every integer has, being exact in JSON: it says nothing of a field. */
export const isSafeBound = (bound: number | bigint): boolean =>
  Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER;
const TOO_LARGE = 'must be an integer of at most 15 digits';

function wordTooSmall({ origin, minimum, inclusive, input }: RawIssue<'too_small'>): string {
  if (isSafeBound(minimum)) return TOO_LARGE;
  if (isNumeric(origin))
    return inclusive === false ? `must be above ${minimum}` : `must be at least ${minimum}`;
  const { unit, size } = sizeOf(origin, input);
  return size === 0 ? 'must not be empty' : `must have at least ${unit(Number(minimum))}, and has ${size}`;
}

function wordTooBig({ origin, maximum, inclusive, input }: RawIssue<'too_big'>): string {
  if (isSafeBound(maximum)) return TOO_LARGE;
  if (isNumeric(origin))
    return inclusive === false ? `must be below ${maximum}` : `must be at most ${maximum}`;
  const { unit, size } = sizeOf(origin, input);
  return Number(maximum) === 0
    ? 'must be empty'
    : `must have at most ${unit(Number(maximum))}, and has ${size}`;
}

/** The type that a schema expects: integers are numbers to the library. */
function expectedType({ expected, inst }: RawIssue<'invalid_type'>): string {
  const format = (inst as z.core.$ZodNumberFormat | undefined)?._zod.def.format;
  return nameOfType(expected === 'number' && format?.includes('int') ? 'int' : expected);
}

function wordType(issue: RawIssue<'invalid_type'>): string {
  const { expected, input } = issue;
  if (input === undefined) return `is required, and must be ${expectedType(issue)}`;
  const fraction = expected === 'int' && typeof input === 'number' ? ' with a fraction' : '';
  return `must be ${expectedType(issue)}, and is ${kindOf(input)}${fraction}`;
}

const oneOf = (values: readonly unknown[]): string =>
  `must be ${values.length === 1 ? '' : 'one of '}${values.map((value) => JSON.stringify(value)).join(', ')}`;

/** Maximum number of details in an error: a body of 4 MiB can have a million bad fields. */
export const DETAILS_MAX = 100;

const UNKNOWN_KEY = 'is not a known field here; remove it or check its spelling and place';

/** One line for each unknown key, with the fields that may have been meant: the issue holds only the keys. */
function wordUnknownKeys(
  { keys, inst }: RawIssue<'unrecognized_keys'>,
  nearest: typeof nearestFields,
): string {
  return keys
    .slice(0, DETAILS_MAX)
    .map((key) => wordUnknownField(inst === undefined ? [] : nearest(key, inst as z.core.$ZodType)))
    .join('\n');
}

/** What is wrong with a field that is not known, with the fields `near` that may have been meant. */
export const wordUnknownField = (near: readonly string[]): string =>
  near.length === 0
    ? UNKNOWN_KEY
    : `is not a known field here; did you mean ${near.map((name) => `\`${name}\``).join(' or ')}?`;

const NO_SHAPE = 'has none of the forms that are accepted here';

/** The values of the field that tells the branches of a union apart; none where they are not known. */
function discriminatorValues({ discriminator, inst }: RawIssue<'invalid_union'>): readonly unknown[] {
  const values = Object.entries((inst as z.core.$ZodType | undefined)?._zod.propValues ?? {});
  return values.flatMap(([name, known]) => (name === discriminator ? [...known] : []));
}

function wordUnion(issue: RawIssue<'invalid_union'>): string {
  const values = discriminatorValues(issue);
  return values.length === 0 ? NO_SHAPE : oneOf(values);
}

/** Words the issues of one request. */
function createWording(): z.core.$ZodErrorMap {
  const nearest = limitSearches(nearestFields);
  return (issue) => wordIssue(issue, nearest);
}

/** Words an issue for which its schema has no message of its own: what was expected, and what came. */
function wordIssue(issue: Parameters<z.core.$ZodErrorMap>[0], nearest: typeof nearestFields): string {
  switch (issue.code) {
    case 'invalid_type':
      return wordType(issue as RawIssue<'invalid_type'>);
    case 'too_small':
      return wordTooSmall(issue as RawIssue<'too_small'>);
    case 'too_big':
      return wordTooBig(issue as RawIssue<'too_big'>);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'does not have the form that is expected here';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_value':
      return oneOf(issue.values);
    case 'unrecognized_keys':
      return wordUnknownKeys(issue as RawIssue<'unrecognized_keys'>, nearest);
    case 'invalid_union':
      return wordUnion(issue as RawIssue<'invalid_union'>);
    case 'invalid_key':
      return 'has a name that is not accepted here';
    case 'invalid_element':
      return 'has an entry that is not accepted here';
    default:
      return 'is not accepted here';
  }
}

function* detailsOf(prefix: string, issues: readonly z.core.$ZodIssue[]): Generator<ErrorDetail, void> {
  for (const issue of issues) {
    const path = pathOf(prefix, issue.path);
    if (issue.code === 'unrecognized_keys') {
      const messages = issue.message.split('\n');
      for (const [index, key] of issue.keys.entries()) {
        yield { path: pathOf(path === 'body' ? '' : path, [key]), message: messages[index] ?? UNKNOWN_KEY };
      }
    } else if (issue.code === 'invalid_union' && issue.errors.length > 0 && issue.message === NO_SHAPE) {
      const forms = wordForms(issue.errors);
      if (forms === null) yield* detailsOf(path === 'body' ? '' : path, closestBranch(issue.errors));
      else yield { path, message: forms };
    } else {
      yield {
        path,
        message: issue.message,
        ...(issue.code === 'invalid_value' ? { allowed: issue.values } : {}),
      };
    }
  }
}

/** The paths of issues, those in the branches of unions included. */
function* pathsOf(
  issues: readonly z.core.$ZodIssue[],
  before: readonly PropertyKey[] = [],
): Generator<readonly PropertyKey[], void> {
  for (const issue of issues) {
    const path = [...before, ...issue.path];
    yield path;
    if (issue.code === 'invalid_union') for (const branch of issue.errors) yield* pathsOf(branch, path);
  }
}

/** Removes the field at a path if it is null. */
function leaveOutNull(value: unknown, path: readonly PropertyKey[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
    return false;
  }
  const fields = value as Record<PropertyKey, unknown>;
  if (rest.length > 0) return leaveOutNull(fields[name], rest);
  if (Array.isArray(value) || fields[name] !== null) return false;
  return delete fields[name];
}

/** A copy without the fields that are null where a schema takes no null; null if there are none. */
function withoutNulls(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy = structuredClone(value);
  const removed = [...pathsOf(issues)].filter((path) => leaveOutNull(copy, path));
  return removed.length === 0 ? null : copy;
}

/**
 * Parses what a caller sent. A field that is null where its schema takes no null counts as left out. Every issue, up to 100, becomes one detail of a 400, which names the field, what was
 * expected and what kind of value came; the words are those of the schema, or else ours, never the library's.
 * @param where `query`, `path` or `header` for what does not come from the body, else empty
 * @throws {ServiceError} `invalid_request`
 */
export function parseInput<T extends z.ZodType>(
  where: '' | 'query' | 'path' | 'header',
  schema: T,
  value: unknown,
): z.output<T> {
  const safeParsed = (given: unknown) =>
    withinStack(() => z.safeParse(schema, given, { error: createWording() }));
  const given = safeParsed(value);
  if (given.success) return given.data;
  const without = withoutNulls(value, given.error.issues);
  const result = without === null ? given : safeParsed(without);
  if (result.success) return result.data;
  const details: ErrorDetail[] = [];
  let hasMore = false;
  for (const detail of detailsOf(where, result.error.issues)) {
    hasMore = details.length === DETAILS_MAX;
    if (hasMore) break;
    details.push(detail);
  }
  const said = details.map((detail) => `${detail.path}: ${detail.message}`);
  const message = [...said, ...(hasMore ? ['and more'] : [])].join('; ');
  throw new ServiceError('invalid_request', message, { details });
}

/**
 * What the parsing of a value answers.
 * @throws {ServiceError} `invalid_request` for more faults in one list than the stack holds, which zod hands on as arguments
 */
export function withinStack<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ServiceError('invalid_request', 'More than 100,000 entries are of the wrong type.');
  }
}

/** One bad field, found by a rule that a schema cannot say. */
export function invalidField(
  path: string,
  message: string,
  extra: Record<string, unknown> = {},
): ServiceError {
  return new ServiceError('invalid_request', `${path}: ${message}`, {
    details: [{ path, message, ...extra }],
  });
}
