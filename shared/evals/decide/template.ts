import { own } from '#shared/platform/own.ts';

/** What templates name: the row, and the answer to it. */
export interface TemplateValues {
  readonly item: Readonly<Record<string, unknown>>;
  readonly sample: Readonly<Record<string, unknown>>;
}

/** A path in braces, such as `{{ item.tags[0].name }}`, of at most 200 characters. */
const PLACE = /\{\{\s{0,20}([\p{L}\p{N}_.$[\]-]{1,200})\s{0,20}\}\}/gu;
/** A place in a list, as scripts write it. At most 6 characters. */
const INDEX = /\[(\d{1,6})\]/g;

/**
 * The value at a path such as `item.labels.0` or `item.labels[0]`; undefined where there is none. Arguments of a call are a text of
 * JSON, into which a path goes on.
 */
export function valueAt(values: TemplateValues, path: string): unknown {
  let value: unknown = values;
  for (const name of path.replaceAll(INDEX, '.$1').split('.')) {
    const inner = typeof value === 'string' ? jsonIn(value, values) : value;
    if (typeof inner !== 'object' || inner === null) return undefined;
    value = own(inner as Readonly<Record<string, unknown>>, name);
  }
  return value;
}

/** Characters of a text that is read as JSON. */
export const PARSED_CHARACTERS_MAX = 200_000;
/** What texts of some values are the JSON of: a template may name one a thousand times. */
const parsed = new WeakMap<TemplateValues, Map<string, unknown>>();

/** The object or list that a text is the JSON of; undefined for another text. */
function jsonIn(text: string, values: TemplateValues): unknown {
  if (text.length > PARSED_CHARACTERS_MAX) return undefined;
  const known = parsed.get(values) ?? new Map<string, unknown>();
  parsed.set(values, known);
  if (!known.has(text)) known.set(text, jsonOf(text));
  return known.get(text);
}

/** The value that a text is the JSON of; undefined for no JSON, and for what is too long or too deep: values take more memory than texts. */
export function jsonOf(text: string): unknown {
  if (text.length > PARSED_CHARACTERS_MAX) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** A value in a text: texts as they are, others as JSON, nothing for what is not there. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Characters of a filled template at most: few places in it can name a long value each. */
const FILLED_CHARACTERS_MAX = 200_000;

/** A template that cannot be filled with the values of a row: a fault of that row alone. */
export class Unfillable extends RangeError {}

/** The columns of a row that a message names at most. */
const COLUMNS_NAMED_MAX = 10;

/** A place of the row or its answer, whatever its path has: other braces are text. */
const ANY_PLACE = /\{\{\s{0,20}(?:item|sample)[.[][^{}]{0,200}\}\}/u;

const rootOf = (path: string): string => path.split(/[.[]/, 1)[0] ?? '';

/**
 * What is wrong with a template whatever the rows are; null if nothing is.
 * @param roots what there is when it is filled
 */
export function faultOfTemplate(
  template: string,
  roots: readonly (keyof TemplateValues)[] = ['item', 'sample'],
): string | null {
  for (const [place, path = ''] of template.matchAll(PLACE)) {
    if (roots.some((root) => root === rootOf(path))) continue;
    return `has ${place}, which names nothing: places begin with ${roots.join(' or ')}, such as {{ item.question }}`;
  }
  const [place] = ANY_PLACE.exec(template.replaceAll(PLACE, '')) ?? [];
  return place === undefined
    ? null
    : `has ${place}, which cannot be read: names have letters, digits, _, $ and -, and places in lists are [0]`;
}

/** What an answer may lack: it is no JSON, or calls no tool. */
const OF_SOME_ANSWERS: readonly string[] = ['output_json', 'output_tools'];

/**
 * @throws {Unfillable} if the path names neither, or what the row or its answer lacks: a grade by an empty text would blame the model, or
 * praise it
 */
export function requireColumn(values: TemplateValues, path: string): void {
  const [root, name] = path.replaceAll(INDEX, '.$1').split('.');
  if (root !== 'item' && root !== 'sample')
    throw new Unfillable(`The template names ${JSON.stringify(path)}: places begin with item or sample.`);
  if (name === undefined || Object.hasOwn(values[root], name)) return;
  const named = Object.keys(values[root]).slice(0, COLUMNS_NAMED_MAX);
  if (root === 'sample' && named.length > 0 && OF_SOME_ANSWERS.includes(name)) return;
  throw new Unfillable(
    `The ${root === 'item' ? 'row' : 'answer'} has no ${JSON.stringify(name)}, which the template names. It has ${named.length === 0 ? 'nothing' : named.join(', ')}.`,
  );
}

/**
 * Puts the values of a row and its answer into a template. What values say is not read as a template again.
 * @throws {Unfillable} beyond 200,000 characters, or where the row or its answer lacks what is named
 */
export function fill(template: string, values: TemplateValues): string {
  let left = FILLED_CHARACTERS_MAX - template.length;
  return template.replaceAll(PLACE, (_, path: string) => {
    requireColumn(values, path);
    const text = textOf(valueAt(values, path));
    left -= text.length;
    if (left < 0)
      throw new Unfillable(`A filled template has more than ${FILLED_CHARACTERS_MAX} characters.`);
    return text;
  });
}

/** Levels of a value that is read from an answer. */
const DEPTH_MAX = 100;

/** Whether a value is nested deeper than functions that follow it may go. */
function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return true;
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? (Object.values(each) as unknown[]) : [],
    );
  }
  return false;
}
