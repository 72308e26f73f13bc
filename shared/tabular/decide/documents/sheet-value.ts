/** How a spreadsheet style formats a number; one of so many digits, with zeros in front, as postal codes are. */
export type NumberKind = 'plain' | 'percent' | 'date' | 'duration' | { readonly digits: number };

/** A format of zeros alone. */
const ZEROS = /^0{2,20}$/;

/** Built-in formats of workbooks by number (ECMA-376 part 1, §18.8.30, including those of East Asian locales). */
const BUILT_IN: readonly (readonly [number, number, NumberKind])[] = [
  [9, 10, 'percent'],
  [14, 22, 'date'],
  [27, 36, 'date'],
  [45, 45, 'date'],
  [46, 46, 'duration'],
  [47, 47, 'date'],
  [50, 58, 'date'],
];

/** The number kind of a format; `code` is that of a custom format of the workbook. */
export function numberKind(formatId: number, code: string | undefined): NumberKind {
  if (code === undefined) {
    return BUILT_IN.find(([first, last]) => formatId >= first && formatId <= last)?.[2] ?? 'plain';
  }
  const [positive = ''] = code.replaceAll(/"[^"]*"|\\.|_./g, '').split(';');
  if (/\[(h+|m+|s+)\]/i.test(positive)) return 'duration';
  const shown = positive.replaceAll(/\[[^[\]]*\]/g, '');
  if (ZEROS.test(shown)) return { digits: shown.length };
  if (shown.includes('%')) return 'percent';
  return /[dmyhs]/i.test(shown.replaceAll(/general|am\/pm|a\/p/gi, '')) ? 'date' : 'plain';
}

const DAY_SECONDS = 86_400;
/** Days from the workbook's day 0 to 1970-01-01. */
const EPOCH_1900 = 25_569;
const EPOCH_1904 = 24_107;

/** A stored number as text: with as many digits as spreadsheets show; dates and times in ISO 8601. */
export function sheetNumber(stored: string, kind: NumberKind, has1904: boolean): string {
  const value = Number(stored);
  if (!Number.isFinite(value) || stored.trim() === '') return stored;
  const digits = (number: number): string => String(Number(number.toPrecision(15)));
  if (typeof kind === 'object')
    return Number.isInteger(value) ? zeroPadded(digits(value), kind.digits) : digits(value);
  if (kind === 'plain') return digits(value);
  if (kind === 'percent') return `${digits(value * 100)}%`;
  const seconds = Math.round(value * DAY_SECONDS);
  if (kind === 'duration' || (value >= 0 && value < 1)) return clock(seconds);
  // The 1900 date system contains a nonexistent 29 February: earlier days are off by one.
  const days = has1904 ? EPOCH_1904 : value < 60 ? EPOCH_1900 - 1 : EPOCH_1900;
  const date = new Date((seconds - days * DAY_SECONDS) * 1000);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 || value < 0) return digits(value);
  const [day = '', time = ''] = date.toISOString().slice(0, 19).split('T');
  return time === '00:00:00' ? day : `${day} ${time}`;
}

function zeroPadded(text: string, digits: number): string {
  return text.startsWith('-') ? `-${text.slice(1).padStart(digits, '0')}` : text.padStart(digits, '0');
}

function clock(seconds: number): string {
  const whole = Math.abs(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return `${seconds < 0 ? '-' : ''}${parts.map((part) => String(part).padStart(2, '0')).join(':')}`;
}

/** 27 → `AB` */
export function columnLetters(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : columnLetters(Math.floor(column / 26) - 1) + letter;
}

/** `AB12` → 27; null for an invalid reference. */
export function columnOf(reference: string | undefined): number | null {
  const [, letters] = /^([A-Za-z]{1,3})\d+$/.exec(reference ?? '') ?? [];
  if (letters === undefined) return null;
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
