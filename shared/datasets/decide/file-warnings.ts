import type { ErrorData } from '#shared/platform/schema/common.ts';
import type { FileWarning } from '#shared/tabular/schema/rows-manifest.ts';

/** Reader warnings without data loss: they are only in the report. */
export const HARMLESS_WARNINGS: readonly string[] = [
  'blank_lines',
  'encoding_converted',
  'format_detected',
  'personal_data_absent',
  'rows_empty',
  'rows_under_key',
  'table_detected',
];

/** Maximum number of warnings in the record of a dataset, and characters of each. */
const KEPT_MAX = 20;
const CHARACTERS_MAX = 500;
/** Characters of the warning that callers see. */
const MESSAGE_CHARACTERS_MAX = 2000;

/** Truncates reader warnings to the limits of the dataset's record. */
export function keptWarnings(warnings: readonly FileWarning[]): FileWarning[] {
  const shown = warnings.length <= KEPT_MAX ? warnings : warnings.slice(0, KEPT_MAX - 1);
  const left = warnings.length - shown.length;
  return [
    ...shown.map(({ code, message }) => ({ code, message: cut(message, CHARACTERS_MAX) })),
    ...(left === 0 ? [] : [{ code: 'more_warnings', message: `${left} more warnings are left out.` }]),
  ];
}

/** Data that was lost or not made, as one warning with the code of the first; null if none was. */
export function fileWarning(warnings: readonly FileWarning[]): ErrorData | null {
  const [first, ...others] = warnings.filter(({ code }) => !HARMLESS_WARNINGS.includes(code));
  if (first === undefined) return null;
  const message = cut([first, ...others].map((each) => each.message).join(' '), MESSAGE_CHARACTERS_MAX);
  return { message, code: first.code, level: 'warning' };
}

function cut(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1)}…`;
}
