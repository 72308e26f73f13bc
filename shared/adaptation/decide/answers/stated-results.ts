import { evaluate } from '../lint/arithmetic.ts';
import type { Fault } from './fault.ts';
import { amountOf, decimalsOf, isRounded, isSame, numbersOf } from './numbers.ts';

/** Longest answer that is read. */
const ANSWER_MAX = 4_000;

const NUMBER = '(\\d{1,3}(?:,\\d{3}){1,3}(?:\\.\\d{1,6})?|\\d{1,12}(?:\\.\\d{1,6})?)';
const IS = '(?:is|are|equals|makes|make|gives|=)';
const END = '(?![\\d\\p{L}]|[.,]\\d|\\s?(?:%|percent|more|less|fewer|times|plus|minus|[+*/×÷^=]))';
const IN_WORDS = new RegExp(
  `(?<![\\d.,])${NUMBER} (times|multiplied by|plus|minus|divided by) ${NUMBER} ${IS} ([$€£]?)${NUMBER}${END}`,
  'giu',
);
const SHARE = new RegExp(
  `(?<![\\d.,])${NUMBER} ?(?:%|percent) of [$€£]?${NUMBER} ${IS} ([$€£]?)${NUMBER}${END}`,
  'giu',
);
const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['times', '*'],
  ['multiplied by', '*'],
  ['plus', '+'],
  ['minus', '-'],
  ['divided by', '/'],
]);

/** A calculation in words whose result is wrong ("12 times 12 is 124", "15% of 80 is 14"); null if there is none. */
export function statedResultFault(answer: string): Fault | null {
  if (answer.length > ANSWER_MAX || !/\d/.test(answer)) return null;
  for (const match of answer.matchAll(IN_WORDS)) {
    const [whole, a = '', operator = '', b = '', , shown = ''] = match;
    const value = evaluate(`${amountOf(a)} ${OPERATORS.get(operator.toLowerCase())} ${amountOf(b)}`)?.value;
    const fault = value === undefined ? null : compare(answer, { whole, at: match.index, value, shown });
    if (fault !== null) return fault;
  }
  for (const match of answer.matchAll(SHARE)) {
    const [whole, share = '', amount = '', , shown = ''] = match;
    const value = (amountOf(share) * amountOf(amount)) / 100;
    const fault = compare(answer, { whole, at: match.index, value, shown });
    if (fault !== null) return fault;
  }
  return null;
}

interface Stated {
  readonly whole: string;
  readonly at: number;
  readonly value: number;
  readonly shown: string;
}

function compare(answer: string, { whole, at, value, shown }: Stated): Fault | null {
  const given = amountOf(shown);
  // Results of a division may also be cut off.
  if (isRounded(value, given, decimalsOf(shown)) || (Math.abs(value - given) < 1 && !Number.isInteger(value)))
    return null;
  const right = Number(value.toFixed(2));
  const isSingle = numbersOf(answer).filter((number) => number.text === shown).length === 1;
  const end = at + whole.length;
  const isExact = isSame(right, value) && value >= 0;
  return {
    why: `calculates wrongly: ${whole.slice(0, 80)}`,
    expected:
      isSingle && isExact ? `${answer.slice(0, end - shown.length)}${right}${answer.slice(end)}` : null,
  };
}
