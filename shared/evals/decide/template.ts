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

/** The value at a path such as `item.labels.0` or `item.labels[0]`; undefined where there is none. */
export function valueAt(values: TemplateValues, path: string): unknown {
  let value: unknown = values;
  for (const name of path.replaceAll(INDEX, '.$1').split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = own(value as Readonly<Record<string, unknown>>, name);
  }
  return value;
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

/** @throws {Unfillable} if the path names a column that the row lacks: a grade by an empty text would blame the model */
export function requireColumn({ item }: TemplateValues, path: string): void {
  const [root, column] = path.replaceAll(INDEX, '.$1').split('.');
  if (root !== 'item' || column === undefined || Object.hasOwn(item, column)) return;
  const named = Object.keys(item).slice(0, COLUMNS_NAMED_MAX);
  throw new Unfillable(
    `The row has no ${JSON.stringify(column)}, which the template names. It has ${named.length === 0 ? 'nothing' : named.join(', ')}.`,
  );
}

/**
 * Puts the values of a row and its answer into a template. What values say is not read as a template again.
 * @throws {Unfillable} beyond 200,000 characters, or where the row lacks a column
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
export function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return true;
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? (Object.values(each) as unknown[]) : [],
    );
  }
  return false;
}
