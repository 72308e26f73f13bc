import { valuesInAnyLanguage } from './number-words.ts';
import { foldWidth, numbersOf, numberValues, type ShownNumber } from './numbers.ts';

/** Numbers up to this one may be counts of what a text lists. */
const COUNTS_MAX = 12;
/** Numbers of a material that are combined; with more, nearly every number is a combination. */
const COMBINED_MAX = 24;

const EPSILON = 1e-6;

/** Requests whose numbers are not those of the material. */
const COMPUTES =
  /\b(?:total|sum|average|mean|altogether|convert|estimate|percent(?:age)?|round|years? old|age|how long|duration|difference|per (?:person|head|week|month|year)|count|score|rate|rating|confidence|id)\b|%/i;

/** Numbers of a material: in digits, in pieces of dates and times, and in words. */
function knownValues(material: string): Set<number> {
  const text = foldWidth(material);
  return new Set([
    ...numbersOf(text).map(({ value }) => value),
    ...(text.match(/\d{1,15}/g) ?? []).map(Number),
    ...numberValues(text),
    ...valuesInAnyLanguage(text),
    // 1.200 and 3,5 in the notation of other languages.
    ...(text.match(/(?<![\d.])\d{1,3}(?:\.\d{3})+(?!\d)/g) ?? []).map((number) =>
      Number(number.replaceAll('.', '')),
    ),
    ...(text.match(/(?<!\d)\d+,\d{1,2}(?!\d)/g) ?? []).map((number) => Number(number.replace(',', '.'))),
  ]);
}

const same = (a: number, b: number): boolean =>
  Math.abs(a - b) <= EPSILON * Math.max(1, Math.abs(a), Math.abs(b));

/** Factors that people know: shares, parts of time, of a hundred, of a thousand. */
const FACTORS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 24, 30, 52, 60, 100, 365, 1000];

function isDerived(value: number, known: ReadonlySet<number>): boolean {
  const numbers = [...known];
  if (numbers.some((number) => same(number, value))) return true;
  if (
    same(
      numbers.reduce((sum, number) => sum + number, 0),
      value,
    )
  )
    return true;
  for (const factor of FACTORS) {
    if (numbers.some((number) => isNear(number * factor, value) || isNear(number / factor, value)))
      return true;
  }
  for (const [n, a] of numbers.entries()) {
    for (const b of numbers.slice(n + 1)) {
      const results = [
        a + b,
        a - b,
        b - a,
        a * b,
        a / b,
        b / a,
        (a * b) / 100,
        a * (1 - b / 100),
        b * (1 - a / 100),
        a * (1 + b / 100),
        b * (1 + a / 100),
        a ** 2,
        b ** 2,
      ];
      if (results.some((result) => isNear(result, value))) return true;
    }
  }
  return false;
}

/** Whether a number is a value, rounded or not. */
const isNear = (exact: number, shown: number): boolean =>
  same(exact, shown) || Math.abs(Math.round(exact) - shown) < EPSILON || Math.abs(exact - shown) < 0.051;

export interface StrangeJson {
  readonly why: string;
  /** The JSON with the number of the material; null if several could take its place. */
  readonly expected: string | null;
}

/** Requests for a JSON of what they quote. */
const TO_JSON =
  // At most 4,000 characters.
  /\b(?:parse|extract|turn|convert|put|transform|read|capture|structure)\b[\s\S]{0,300}\bjson\b|\bjson\b[\s\S]{0,200}\b(?:from|of) the (?:text|note|message|advert|announcement|order|invoice|e-?mail|listing|sentence)\b/i;

/** A number of a JSON that the material has not, where the material has exactly one number that the JSON lacks. */
export function strangeJsonNumber(asked: string, answer: string): StrangeJson | null {
  if (!TO_JSON.test(asked) || COMPUTES.test(asked)) return null;
  const numbers = [...answer.matchAll(/(?<=[:[,]\s{0,4})-?\d+(?:\.\d+)?(?=\s{0,4}[,}\]])/g)].map(
    ([text]) => text,
  );
  const material = asked.slice(asked.lastIndexOf('\n\n') + 1);
  const shown = numbersOf(material);
  const known = knownValues(material);
  const strange = numbers.filter((text) => Number(text) > COUNTS_MAX && !isDerived(Number(text), known));
  const inJson = new Set([
    ...numbersOf(answer).map(({ value }) => value),
    ...(answer.match(/\d{1,15}/g) ?? []).map(Number),
  ]);
  const unused = shown.filter(({ value }) => !inJson.has(value));
  const [wrong] = strange;
  if (
    wrong === undefined ||
    strange.length > 1 ||
    unused.length !== 1 ||
    known.size > COMBINED_MAX ||
    answer.split(wrong).length !== 2
  )
    return null;
  const [right] = unused as [ShownNumber];
  return {
    why: `has the number ${wrong}, which the text does not have`,
    expected: answer.replace(wrong, String(right.value)),
  };
}

export interface FollowUpFault {
  readonly why: string;
  readonly expected: string;
}

/** Operations by which a reply computes a number from two of its conversation. */
const OPERATIONS: readonly ((a: number, b: number) => number)[] = [
  (a, b) => a / b,
  (a, b) => a * b,
  (a, b) => a + b,
  (a, b) => a - b,
];

/**
 * A reply that computes again with one number changed ("we are six now"), and comes to a number that follows from none of
 * the conversation. The earlier reply shows the computation. Null if it is not the only one, or several results may be
 * meant.
 */
export function followUpFault(request: string, answer: string): FollowUpFault | null {
  if (request.length > FOLLOW_UP_MAX || !/^user: /m.test(request)) return null;
  const lines = request.split('\n');
  const reply = lines.findLastIndex((line) => line.startsWith('assistant: '));
  const asked = lines.slice(0, reply).filter((line) => line.startsWith('user: '));
  const [shown, ...others] = numbersOf(answer);
  if (reply === -1 || shown === undefined || others.length > 0) return null;
  const [before, results, changed] = [
    asked.join('\n'),
    lines[reply] ?? '',
    lines.slice(reply + 1).join('\n'),
  ].map(amountsIn) as [number[], number[], number[]];
  const [result] = results;
  const [now] = changed;
  if (
    result === undefined ||
    now === undefined ||
    results.length > 1 ||
    changed.length > 1 ||
    before.length > 6
  )
    return null;
  if (isDerived(shown.value, new Set([...before, result, now]))) return null;
  const candidates = new Set<number>();
  for (const operation of OPERATIONS) {
    for (const a of before) {
      for (const b of before) {
        if (a === b || !same(operation(a, b), result)) continue;
        for (const value of [operation(now, b), operation(a, now)])
          if (Number.isInteger(value) && value > 0) candidates.add(value);
      }
    }
  }
  const [right, ...more] = candidates;
  return right === undefined || more.length > 0
    ? null
    : { why: `should be ${right}`, expected: answer.replace(shown.text, String(right)) };
}

/** Longest conversation whose computation is found. */
const FOLLOW_UP_MAX = 2_000;

/** The amounts of a text in digits and words, without one, which is often an article. */
const amountsIn = (text: string): number[] =>
  [...new Set([...numbersOf(text).map(({ value }) => value), ...numberValues(text)])].filter(
    (value) => value !== 1,
  );
