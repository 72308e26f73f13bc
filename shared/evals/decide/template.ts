import { own } from '#shared/platform/own.ts';

/** What templates name: the row, and the answer to it. */
export interface TemplateValues {
  readonly item: Readonly<Record<string, unknown>>;
  readonly sample: Readonly<Record<string, unknown>>;
}

/** A name in braces, such as `{{ item.question }}`, of at most 200 characters. */
const PLACE = /\{\{\s{0,20}([\w.$-]{1,200})\s{0,20}\}\}/g;

/** The value at a path such as `item.labels.0`; undefined where there is none. */
export function valueAt(values: TemplateValues, path: string): unknown {
  let value: unknown = values;
  for (const name of path.split('.')) {
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

/** Puts the values of a row and its answer into a template. What values say is not read as a template again. */
export const fill = (template: string, values: TemplateValues): string =>
  template.replaceAll(PLACE, (_, path: string) => textOf(valueAt(values, path)));
