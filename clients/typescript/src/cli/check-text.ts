import type { CheckReport, RowPlace, TouchedRow } from './checker.ts';

/** Characters of a prompt's end, and of a completion, that a report quotes. */
const PROMPT_CHARACTERS = 120;
const COMPLETION_CHARACTERS = 240;
/** Characters before the first difference of two completions that are quoted with it. */
const CHARACTERS_BEFORE = 60;
/** Checks of the table; a dataset for which there are more has other problems. */
const CHECKS_SHOWN = 15;
/** Empty rows whose numbers are shown, and as many skipped ones. */
const PLACES_SHOWN = 20;

const count = (number: number): string => number.toLocaleString('en');
const verb = (number: number, one: string, many: string): string =>
  `${count(number)} ${number === 1 ? one : many}`;

/** A report for people. */
export function checkText(report: CheckReport): string {
  const { touched, changed, doubted, empty, skipped, warnings } = report;
  const missing = changed + doubted - touched.length;
  return [
    ...warnings.map(({ message }) => `Note: ${message}\n`),
    `${summaryOf(report)}\n`,
    'This says what happens before a model is asked, and nothing of what a model would answer: it may leave a row with\n' +
      'a defect as it is. Prompts are not looked at: adapt words careless ones anew. Rows are counted from 0. It looks at form\n' +
      'alone: which answers are false shows a review (docs/tutorials/find-wrong-rows.md).\n',
    ...(empty === 0 ? [] : [`Empty rows: ${placesOf(report.empty_rows, empty)}\n`]),
    ...(skipped === 0
      ? []
      : [`Rows without a prompt or a conversation: ${placesOf(report.skipped_rows, skipped)}\n`]),
    ...(report.checks.length === 0 ? [] : [`${tableOf(report)}\n`]),
    ...touched.map((row) => `${quoteOf(row)}\n`),
    ...(missing > 0 ? [`${verb(missing, 'more row', 'more rows')}: --all shows all of them.\n`] : []),
  ]
    .join('\n')
    .trimEnd();
}

function summaryOf({ rows, kept, changed, doubted, empty, skipped }: CheckReport): string {
  const itOrThem = (number: number): string => (number === 1 ? 'it' : 'them');
  const stay = (number: number): string => (number === 1 ? 'stays as it is' : 'stay as they are');
  const parts = [
    `${count(kept)} ${stay(kept)}`,
    `${verb(changed, 'changes', 'change')} without a model`,
    `${verb(doubted, 'has', 'have')} a visible defect` +
      (doubted === 0 ? '' : `, and a model is asked about ${itOrThem(doubted)}`),
    ...(empty === 0
      ? []
      : [`${verb(empty, 'is empty', 'are empty')}, and a model writes ${itOrThem(empty)}`]),
    ...(skipped === 0
      ? []
      : [`${verb(skipped, 'has', 'have')} no prompt or no conversation, and ${stay(skipped)}`]),
  ];
  return `${verb(rows, 'row', 'rows')}: ${parts.join(', ')}.`;
}

/** `3, 5`, or `a.csv 3, 5; b.csv 7` if they are rows of several files. */
function placesOf(places: readonly RowPlace[], total: number): string {
  const shown = places.slice(0, PLACES_SHOWN);
  const files = new Map<string, number[]>();
  for (const { file, row } of shown) files.set(file, [...(files.get(file) ?? []), row]);
  const isOne = new Set(places.map(({ file }) => file)).size === 1;
  const lists = [...files].map(([file, rows]) => `${isOne ? '' : `${plain(file)} `}${rows.join(', ')}`);
  return `${lists.join('; ')}${total > shown.length ? `, and ${count(total - shown.length)} more` : ''}`;
}

function tableOf({ checks }: CheckReport): string {
  const shown = checks.slice(0, CHECKS_SHOWN);
  const rest = checks.length - shown.length;
  const lines = [
    ['The answer …', 'Changed', 'Defect'] as const,
    ...shown.map(({ check, changed, doubted }) => [plain(check), count(changed), count(doubted)] as const),
  ];
  const width = Math.max(...lines.map(([check]) => check.length));
  return [
    ...lines.map(
      ([check, changed, doubted]) => `${check.padEnd(width)}  ${changed.padStart(7)}  ${doubted.padStart(6)}`,
    ),
    ...(rest > 0 ? [`… and ${verb(rest, 'more check', 'more checks')}`] : []),
  ].join('\n');
}

function quoteOf({ file, row, outcome, why, prompt, completion, becomes, fallback }: TouchedRow): string {
  const other = becomes ?? fallback;
  const start = other === null ? 0 : Math.max(0, commonStart(completion, other) - CHARACTERS_BEFORE);
  return [
    `${plain(file)}, row ${row} ${outcome === 'changed' ? 'changes' : 'has a defect'}: the answer ${plain(why)}`,
    `  prompt      ${endOf(prompt)}`,
    `  completion  ${partOf(completion, start)}`,
    ...(becomes === null ? [] : [`  becomes     ${partOf(becomes, start)}`]),
    ...(fallback === null ? [] : [`  without a model's answer: ${partOf(fallback, start)}`]),
  ].join('\n');
}

/** One line without control characters: text of a file may not steer the terminal. */
export const plain = (text: string): string =>
  text.replaceAll(/[\s\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();

export function endOf(text: string): string {
  // A prompt can be megabytes: only its end is made plain.
  const end = text.trimEnd().slice(-PROMPT_CHARACTERS);
  return `${end.length < text.trimEnd().length ? '… ' : ''}${plain(end)}`;
}

export function partOf(text: string, start: number): string {
  const part = text.slice(start, start + COMPLETION_CHARACTERS);
  return `${start > 0 ? '… ' : ''}${plain(part)}${start + part.length < text.trimEnd().length ? ' …' : ''}`;
}

/** The number of characters with which both texts begin. */
function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
