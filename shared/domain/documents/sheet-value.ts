/** How a spreadsheet's style shows a number. */
export type NumberKind = 'plain' | 'percent' | 'date' | 'duration';

/** Formats that every workbook knows by number (ECMA-376 part 1, §18.8.30, those of East Asian locales included). */
const BUILT_IN: readonly (readonly [number, number, NumberKind])[] = [
  [9, 10, 'percent'],
  [14, 22, 'date'],
  [27, 36, 'date'],
  [45, 45, 'date'],
  [46, 46, 'duration'],
  [47, 47, 'date'],
  [50, 58, 'date'],
];

/** What a format makes of a number; `code` is that of a format of the workbook's own. */
export function numberKind(formatId: number, code: string | undefined): NumberKind {
  if (code === undefined) {
    return BUILT_IN.find(([first, last]) => formatId >= first && formatId <= last)?.[2] ?? 'plain';
  }
  const [positive = ''] = code.replaceAll(/"[^"]*"|\\.|_./g, '').split(';');
  if (/\[(h+|m+|s+)\]/i.test(positive)) return 'duration';
  const shown = positive.replaceAll(/\[[^\]]*\]/g, '');
  if (shown.includes('%')) return 'percent';
  return /[dmyhs]/i.test(shown.replaceAll(/general|am\/pm|a\/p/gi, '')) ? 'date' : 'plain';
}

const DAY_SECONDS = 86_400;
/** Days from the workbook's day 0 to 1970-01-01. */
const EPOCH_1900 = 25_569;
const EPOCH_1904 = 24_107;

/** A stored number as text: as many digits as spreadsheets show, dates and times as ISO 8601 writes them. */
export function sheetNumber(stored: string, kind: NumberKind, has1904: boolean): string {
  const value = Number(stored);
  if (!Number.isFinite(value) || stored.trim() === '') return stored;
  const digits = (number: number): string => String(Number(number.toPrecision(15)));
  if (kind === 'plain') return digits(value);
  if (kind === 'percent') return `${digits(value * 100)}%`;
  const seconds = Math.round(value * DAY_SECONDS);
  if (kind === 'duration' || (value >= 0 && value < 1)) return clock(seconds);
  // The calendar of 1900 has a 29 February that there never was: earlier days are one off.
  const days = has1904 ? EPOCH_1904 : value < 60 ? EPOCH_1900 - 1 : EPOCH_1900;
  const date = new Date((seconds - days * DAY_SECONDS) * 1000);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 || value < 0) return digits(value);
  const [day = '', time = ''] = date.toISOString().slice(0, 19).split('T');
  return time === '00:00:00' ? day : `${day} ${time}`;
}

function clock(seconds: number): string {
  const whole = Math.abs(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return `${seconds < 0 ? '-' : ''}${parts.map((part) => String(part).padStart(2, '0')).join(':')}`;
}

/** `AB12` → 27; null for what is no reference. */
export function columnOf(reference: string | undefined): number | null {
  const [, letters] = /^([A-Za-z]{1,3})\d+$/.exec(reference ?? '') ?? [];
  if (letters === undefined) return null;
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
