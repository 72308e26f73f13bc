import { shareOf, table, withShare } from './markdown.ts';
import {
  countChecks,
  type Register,
  type RegisterCount,
  type RegisterSet,
  type TouchedRow,
  type TreatedRow,
  totalOf,
} from './register.ts';

/** Characters of a quoted text at its beginning, and at its end. */
const QUOTED = [160, 60] as const;

/**
 * Writes a register: sets with a touched row, checks by how often they fire, and every right row that changes.
 * @param quotesAll whether every touched row is quoted
 */
export function describeRegister({ sets, touched }: Register, quotesAll = false): string {
  const [right, wrong] = [totalOf(sets, 'right'), totalOf(sets, 'wrong')];
  const isTouched = ({ right, wrong }: RegisterSet): boolean =>
    right.changed + right.doubted + wrong.changed + wrong.doubted > 0;
  const shown = sets.filter(isTouched);
  const harmed = touched.filter(({ row, becomes }) => row.right && becomes !== null);
  return [
    `${sets.length} sets; ${sets.length - shown.length} of them without a touched row are left out of the table.`,
    '',
    table(
      ['set', 'right rows', 'changed', 'doubted', 'wrong rows', 'changed', 'doubted'],
      [...shown, { set: '**all**', right, wrong }].map((each) => [
        each.set,
        ...cellsOf(each.right),
        ...cellsOf(each.wrong),
      ]),
    ),
    '',
    `Of the right rows ${shareOf(right.changed, right.rows)} change without a model and ${shareOf(right.doubted, right.rows)} are doubted; of the wrong ones ${shareOf(wrong.changed, wrong.rows)} and ${shareOf(wrong.doubted, wrong.rows)}.`,
    '',
    table(
      ['check', 'fires on right rows', 'on wrong rows'],
      countChecks(touched).map((count) => [
        count.check,
        withShare(count.right, right.rows),
        withShare(count.wrong, wrong.rows),
      ]),
    ),
    '',
    harmed.length === 0 ? 'No right row changes.' : 'Right rows that change:',
    ...harmed.flatMap(quoteRow),
    ...(quotesAll ? ['', 'All touched rows:', ...touched.flatMap(quoteRow)] : []),
  ].join('\n');
}

const cellsOf = ({ rows, changed, doubted }: RegisterCount): number[] => [rows, changed, doubted];

/** What a model makes of the rows that a check touches. */
export function describeTreated(treated: readonly TreatedRow[], model: string): string {
  const sides = [true, false].map((right) => treated.filter(({ row }) => row.right === right));
  const counted = sides.map((rows) => {
    const changed = rows.filter(({ completion }) => completion !== null).length;
    return `${changed} of ${rows.length}`;
  });
  return [
    `Of the touched rows, ${model} changes ${counted[0]} right ones and ${counted[1]} wrong ones:`,
    ...treated.flatMap((row) => [
      ...quoteRow(row),
      `  - ${row.row.right ? 'right' : 'wrong'}, ${model}: ${row.completion === null ? `kept, ${row.reason}` : quote(row.completion)}`,
    ]),
  ].join('\n');
}

/** A touched row, with what the check saw and, if it changes, its new completion. */
export function quoteRow({ set, row, result, becomes }: TouchedRow): string[] {
  return [
    '',
    `- ${set}: ${result.defect}, ${result.why}`,
    `  - prompt: ${quote(row.prompt)}`,
    `  - completion: ${quote(row.completion)}`,
    ...(becomes === null ? [] : [`  - becomes: ${quote(becomes)}`]),
  ];
}

function quote(text: string): string {
  const [head, tail] = QUOTED;
  const shown = text.length > head + tail ? `${text.slice(0, head)} … ${text.slice(-tail)}` : text;
  return JSON.stringify(shown);
}
