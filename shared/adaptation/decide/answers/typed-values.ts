/** Values that a program can recognise in a text and write in a standard form. */
export type ValueType = 'date' | 'time' | 'email' | 'url';

export interface TypedValue {
  /** In its standard form: YYYY-MM-DD, HH:MM. */
  readonly value: string;
  readonly text: string;
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const MONTH = `(${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})\\.?`;
const DATES: readonly RegExp[] = [
  new RegExp(`(?<!\\d)(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH},? (\\d{4})(?!\\d)`, 'giu'),
  new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})(?!\\d)`, 'giu'),
  /(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])/g,
  /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/g,
];

const twoDigits = (text: string): string => text.padStart(2, '0');
const monthOf = (name: string): string =>
  twoDigits(String(MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3))) + 1));

/** The dates with a year of a text. `3/4/2025` is ambiguous and left out. */
function datesOf(text: string): TypedValue[] {
  const [dayFirst, monthFirst, iso, dotted] = DATES as [RegExp, RegExp, RegExp, RegExp];
  return [
    ...[...text.matchAll(dayFirst)].map(([shown, day = '', month = '', year = '']) => ({
      text: shown,
      value: `${year}-${monthOf(month)}-${twoDigits(day)}`,
    })),
    ...[...text.matchAll(monthFirst)].map(([shown, month = '', day = '', year = '']) => ({
      text: shown,
      value: `${year}-${monthOf(month)}-${twoDigits(day)}`,
    })),
    ...[...text.matchAll(iso)].map(([shown]) => ({ text: shown, value: shown })),
    ...[...text.matchAll(dotted)].map(([shown, day = '', month = '', year = '']) => ({
      text: shown,
      value: `${year}-${twoDigits(month)}-${twoDigits(day)}`,
    })),
  ];
}

const PATTERNS: Readonly<Record<Exclude<ValueType, 'date'>, RegExp>> = {
  time: /(?<![\d:.])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:])/g,
  email: /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,32}){1,4}/g,
  url: /\bhttps?:\/\/[^\s<>"')\]]{1,300}/g,
};

/** The values of a type in a text, each once. */
export function valuesOf(text: string, type: ValueType): TypedValue[] {
  const found =
    type === 'date'
      ? datesOf(text)
      : [...text.matchAll(PATTERNS[type])].map(([shown]) => ({
          text: shown.replace(/[.,;]$/, ''),
          value: type === 'time' ? shown.padStart(5, '0') : shown.toLowerCase().replace(/[.,;]$/, ''),
        }));
  return [...new Map(found.map((item) => [item.value, item])).values()];
}

export interface ValueFault {
  readonly why: string;
  /** The answer with the value of the material. */
  readonly expected: string;
}

/** Times of another clock and relative dates are other values of the same meaning. */
const OTHER_CLOCK =
  /\b\d{1,2}\s?[ap]\.?m\b|\bo'clock\b|\bhalf past\b|\bquarter\b|\bnoon\b|\bmidnight\b|\bUTC\b|\btime ?zone\b|\blater\b|\bbefore\b|\bafter\b|\bend(?:s|ing)?\b|\bduration\b|\bhours?\b|\bminutes?\b/i;
const OTHER_DAY =
  /\b(?:tomorrow|yesterday|next|last|following|later|after|before|ago|from now|days?|weeks?|deadline|expir\w+|until)\b/i;

/**
 * A date, time, address or link of an answer that its material does not have, where the material has exactly one of the
 * type that the answer lacks. Null if it may be derived from another one.
 */
export function strangeValue(material: string, answer: string): ValueFault | null {
  for (const type of ['date', 'time', 'email', 'url'] as const) {
    const [known, given] = [valuesOf(material, type), valuesOf(answer, type)];
    const strange = given.filter(({ value }) => !known.some((other) => other.value === value));
    const unused = known.filter(({ value }) => !given.some((other) => other.value === value));
    const [wrong] = strange;
    const [right] = unused;
    if (wrong === undefined || right === undefined || strange.length > 1 || unused.length > 1) continue;
    if (type === 'time' && OTHER_CLOCK.test(material)) continue;
    if (type === 'date' && OTHER_DAY.test(material)) continue;
    if (answer.split(wrong.text).length !== 2) continue;
    const isIso = /^\d{4}-\d{2}-\d{2}$/.test(wrong.text);
    return {
      why: `has ${wrong.text}, which the text does not have`,
      expected: answer.replace(wrong.text, type === 'date' && isIso ? right.value : right.text),
    };
  }
  return null;
}

/** The only phrase of a material that a wrong copy is a misspelling of; null if there is none, or several. */
export function nearestPhrase(material: string, copy: string): string | null {
  const words = copy.trim().split(/\s+/);
  if (copy.length < 5 || copy.length > 60 || words.length > 5) return null;
  const tokens = [...material.slice(0, 4_000).matchAll(/\S+/g)];
  const found = new Map<string, number>();
  for (let n = 0; n + words.length <= tokens.length; n += 1) {
    const [first, last] = [tokens[n], tokens[n + words.length - 1]];
    if (first === undefined || last === undefined) continue;
    const phrase = material
      .slice(first.index, last.index + last[0].length)
      .replaceAll(/^["'“„«(]+|["'”“»).,;:!?]{1,8}$/g, '');
    if (Math.abs(phrase.length - copy.length) > 2) continue;
    const distance = distanceOf(phrase.toLowerCase(), copy.toLowerCase());
    if (distance > 0 && distance <= Math.min(2, Math.floor(copy.length / 5))) found.set(phrase, distance);
  }
  const [only, ...others] = found.keys();
  return only === undefined || others.length > 0 ? null : only;
}

/** The edits between two short texts (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let n = 1; n <= a.length; n += 1) {
    const next = [n];
    for (let m = 1; m <= b.length; m += 1) {
      const replaced = (row[m - 1] ?? 0) + (a[n - 1] === b[m - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[m] ?? 0) + 1, (next[m - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
