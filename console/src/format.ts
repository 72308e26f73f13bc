const integer = new Intl.NumberFormat('en');
const decimal = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const exactCredits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** `12,345` */
export const count = (value: number): string => integer.format(value);
/** At most two decimals. */
export const number = (value: number): string => decimal.format(value);
/** `1 row`, `2 rows` */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
/** Credits that may be a tiny part of one: three digits below 100, whole ones above. */
export const credits = (value: number): string =>
  value >= 100 ? integer.format(Math.round(value)) : exactCredits.format(value);
/** A share of 0 to 1 as `12.5 %`. */
export const percent = (share: number): string => `${decimal.format(share * 100)} %`;
/** A share of 0 to 1 as `74 %`. */
export const wholePercent = (share: number): string => `${Math.round(share * 100)} %`;
/** `60 to 84 %` */
export const percentRange = ([low, high]: readonly [number, number]): string =>
  `${Math.round(low * 100)} to ${wholePercent(high)}`;
/** A change: what grew has a plus. */
export const signed = (value: number): string => `${value > 0 ? '+' : ''}${number(value)}`;
/** A code as words: `already_good` is `already good`. */
export const words = (code: string): string => code.replaceAll('_', ' ');
/** The same words with a capital letter at their beginning. */
export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
/** A time in the reader's zone. */
export const dateTime = (iso: string): string => time.format(new Date(iso));
/** The same with its zone, for titles. */
export const exactDateTime = (iso: string): string => exact.format(new Date(iso));

/** `45 s`, `3 min`, `2 h 10 min` */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}

/** `about 3 min` */
export const aboutMinutes = (minutes: number): string =>
  minutes < 1 ? 'less than a minute' : `about ${duration(minutes * 60)}`;

/** `1.4 MB` */
export function bytes(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  let n = value;
  let unit = 0;
  while (n >= 1000 && unit < units.length - 1) {
    n /= 1000;
    unit += 1;
  }
  return `${decimal.format(n)} ${units[unit]}`;
}
