import { arithmeticFault, evaluate } from '../lint/arithmetic.ts';
import { amountOf, decimalsOf, isRounded, isSame, numberValues } from './numbers.ts';

/** Longest answer whose steps are computed again. */
const ANSWER_MAX = 4_000;
/** Numbers that steps bring along: parts of time, of a hundred, of a dozen, of a circle. */
const CONSTANTS: ReadonlySet<number> = new Set([
  1, 2, 3, 4, 7, 10, 12, 24, 30, 52, 60, 100, 180, 360, 365, 1000,
]);

const EQUATION =
  // At most 4,000 characters.
  /(?<![\d.,\p{L}\p{S}%)_]|[=+*/×÷^−-] ?)([$€£]?\d[\d.,]*(?: ?[+\-−*/×÷·^] ?[$€£]?\d[\d.,]*){1,8})( ?= ?[$€£]?)(\d[\d,]*(?:\.\d+)?)(?![\d\p{L}]|[.,]\d| ?[+\-−*/×÷·^=])/gu;

/**
 * An answer with its steps computed again, if a step of it is wrong: each wrong result is replaced, and with it the
 * later numbers that were taken from it. Null if that is not certain: a number of a step is neither the request's nor an
 * earlier result, or a wrong result also stands for something else.
 */
export function mendEquations(request: string, answer: string): string | null {
  if (answer.length > ANSWER_MAX || arithmeticFault('', withoutCurrency(answer)) === null) return null;
  const given = numberValues(request);
  /** Results so far by how the answer has them. */
  const results = new Map<string, string>();
  const wrong = new Map<string, string>();
  let mended = '';
  let at = 0;
  for (const match of answer.matchAll(EQUATION)) {
    const [whole, left = '', sign = '', shown = ''] = match;
    mended += replaceAll(answer.slice(at, match.index), wrong) ?? '';
    at = match.index + whole.length;
    const operands = left.match(/\d[\d,]*(?:\.\d+)?/g) ?? [];
    const isTaken = (number: string): boolean => results.has(number) || given.has(amountOf(number));
    const isKnown =
      operands.some(isTaken) &&
      operands.every((number) => isTaken(number) || CONSTANTS.has(amountOf(number)));
    if (!isKnown) return null;
    const corrected = replaceAll(left, wrong);
    const value = evaluate(corrected.replaceAll(/[$€£]/g, ''))?.value;
    const result = value === undefined ? null : resultAs(value, shown);
    if (result === null) return null;
    results.set(shown, result);
    if (result !== shown) {
      // The number may stand for something else, too.
      if (given.has(amountOf(shown)) || (wrong.get(shown) ?? result) !== result) return null;
      wrong.set(shown, result);
    }
    mended += `${corrected}${sign}${result}`;
  }
  mended += replaceAll(answer.slice(at), wrong);
  return wrong.size > 0 && arithmeticFault('', withoutCurrency(mended)) === null ? mended : null;
}

/** A text whose amounts are plain numbers, as `3 × $2 = $6`. */
export const withoutCurrency = (text: string): string => text.replaceAll(/[$€£](?=\d)/g, '');

/** The result in the notation of another one; null if it has more than two decimals. */
function resultAs(value: number, shown: string): string | null {
  const decimals = decimalsOf(shown);
  if (isRounded(value, amountOf(shown), decimals)) return shown;
  const rounded = Number(value.toFixed(Math.max(decimals, 2)));
  if (value < 0 || !isSame(rounded, value)) return null;
  const text =
    Number.isInteger(rounded) && decimals === 0 ? String(rounded) : rounded.toFixed(Math.max(decimals, 2));
  return shown.includes(',')
    ? rounded.toLocaleString('en-US', { minimumFractionDigits: decimalsOf(text) })
    : text;
}

function replaceAll(text: string, replacements: ReadonlyMap<string, string>): string {
  if (replacements.size === 0) return text;
  return text.replaceAll(
    /(?<![\d.,])\d[\d,]*(?:\.\d+)?/g,
    (number) => replacements.get(number) ?? replacements.get(number.replace(/,$/, '')) ?? number,
  );
}
