import { isRounded } from '../answers/numbers.ts';

/** Longest expression that is parsed, in characters. */
const EXPRESSION_MAX = 120;
const EXPRESSION_CHARACTER = /[\d \t.,()+\-−*/×÷·^]/;
/** The end of an equation, after which the next may begin. */
const CLAUSE_END = /[.,](?=[ \t]|$)/;
const QUESTION_START =
  /^(?:what(?:'s|’s| is| does)|how much (?:is|does)|calculate|compute|evaluate|solve|work out)?:?/i;
const REMAINDER = /^[,;]?\s{0,2}(?:and |with |plus )?(?:an? )?(?:remainder|rest\b|left ?over)/i;
const EXPRESSION = /^[\d\s.,()+\-−*/×÷·^]+$/;
const BARE_NUMBER =
  /^(?:=\s*|(?:the )?(?:answer|result) is:?\s*|it is\s*)?([-−]?\d[\d,]*(?:\.\d+)?)\s*[.!]?$/i;

/**
 * A wrong equation in a completion, or a bare number that is not the result of the requested expression; null if there
 * is none. It parses numbers, + − × ÷ ^ and parentheses only and ignores `x = 3` and `12 km = 7.5 mi`.
 */
export function arithmeticFault(prompt: string, completion: string): string | null {
  const asked = askedExpression(prompt.slice(0, 2 * EXPRESSION_MAX));
  const answer = BARE_NUMBER.exec(completion.slice(0, EXPRESSION_MAX).trim())?.[1];
  if (asked !== null && answer !== undefined) {
    const expected = evaluate(asked);
    const given = readNumber(answer);
    if (expected !== null && given !== null && !isRounded(expected.value, given.value, given.decimals)) {
      return `calculates wrongly: ${asked} is ${shown(expected.value)}, not ${answer}`;
    }
  }
  for (let at = completion.indexOf('='); at !== -1; at = completion.indexOf('=', at + 1)) {
    if (/[=<>!:~≈]/.test(completion[at - 1] ?? '') || /[=>~]/.test(completion[at + 1] ?? '')) continue;
    const left = expressionBefore(completion, at);
    const right = expressionAfter(completion, at + 1);
    if (left === null || right === null) continue;
    const expected = evaluate(left);
    const given = readNumber(right) ?? evaluate(right);
    // A single number on the left is a label: `1 = yes`, `2024 = 3 × 8 × 84 + 8`.
    if (expected === null || given === null || !expected.hasOperator) continue;
    if (!isRounded(expected.value, given.value, 'decimals' in given ? given.decimals : 0))
      return `calculates wrongly: ${left} is ${shown(expected.value)}, not ${right}`;
  }
  return null;
}

/** The expression in a question; null if the question has other words. */
function askedExpression(question: string): string | null {
  const expression = question
    .trim()
    .replace(QUESTION_START, '')
    .replace(/[?.]$/, '')
    .trimEnd()
    .replace(/(?:=|equal|make)$/i, '')
    .trim();
  return EXPRESSION.test(expression) ? expression : null;
}

interface ReadNumber {
  readonly value: number;
  /** Digits after the point, to which it may be rounded. */
  readonly decimals: number;
}

const shown = (value: number): string => String(Number(value.toPrecision(12)));

function expressionBefore(text: string, end: number): string | null {
  let start = end;
  while (start > 0 && end - start < EXPRESSION_MAX && EXPRESSION_CHARACTER.test(text[start - 1] as string)) {
    start -= 1;
  }
  // Adjacent characters are part of it: a variable, a function, a percent sign.
  const isWhole =
    /^\s/.test(text.slice(start, end)) || !/[\p{L}\p{S}%_\\{}[\]|]/u.test(text[start - 1] ?? '');
  const clause = text.slice(start, end).split(CLAUSE_END).at(-1) as string;
  if (!isWhole && clause.length === end - start) return null;
  // Remove a list item's dash or number.
  return clause.replace(/^\s*(?:[-*•]\s+|\d+\)\s+)?/, '').trim();
}

function expressionAfter(text: string, start: number): string | null {
  let end = start;
  while (
    end < text.length &&
    end - start < EXPRESSION_MAX &&
    EXPRESSION_CHARACTER.test(text[end] as string)
  ) {
    end += 1;
  }
  const whole = text.slice(start, end);
  const clause = whole.split(CLAUSE_END)[0] as string;
  // A quotient with its remainder is a whole number.
  if (REMAINDER.test(text.slice(start + clause.length, start + clause.length + 20))) return null;
  if (clause.length === whole.length) {
    // Adjacent characters, a remainder and a fraction continue the number.
    const next = text.slice(end, end + 4);
    if (/^(?:r\b|rem|mod|[½¼¾⅓⅔%_\\√π!°…])/i.test(next)) return null;
    if (/^\p{L}/u.test(next) && !/\s$/.test(whole)) return null;
  }
  if (/\.\.|\d\s+\d/.test(clause)) return null;
  return clause.trim().replace(/(?<![.,])[.,]+$/, '');
}

function readNumber(text: string): ReadNumber | null {
  const match = /^([-−]?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/.exec(text.trim());
  if (match === null) return null;
  const [, sign = '', whole = '', decimals = ''] = match;
  const value = Number(`${whole.replaceAll(',', '')}.${decimals}0`);
  // Larger doubles are not exact integers.
  if (value > Number.MAX_SAFE_INTEGER) return null;
  return { value: sign === '' ? value : -value, decimals: decimals.length };
}

/** The value of an arithmetic expression; null if it is not one, or its value is not exact enough. */
export function evaluate(text: string): { readonly value: number; readonly hasOperator: boolean } | null {
  const tokens = text
    .replaceAll(/[−]/g, '-')
    .replaceAll(/[×·]/g, '*')
    .replaceAll('÷', '/')
    .match(/\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\S/g);
  if (tokens === null) return null;
  let at = 0;
  let hasOperator = false;
  const sum = (): number => {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '-') {
      hasOperator = true;
      const sign = tokens[at] === '+' ? 1 : -1;
      at += 1;
      value += sign * product();
    }
    return value;
  };
  const product = (): number => {
    let value = signed();
    while (tokens[at] === '*' || tokens[at] === '/') {
      hasOperator = true;
      const isTimes = tokens[at] === '*';
      at += 1;
      const next = signed();
      value = isTimes ? value * next : value / next;
    }
    return value;
  };
  const signed = (): number => {
    if (tokens[at] !== '-') return power();
    at += 1;
    return -signed();
  };
  const power = (): number => {
    const base = operand();
    if (tokens[at] !== '^') return base;
    hasOperator = true;
    at += 1;
    return base ** signed();
  };
  const operand = (): number => {
    const token = tokens[at] ?? '';
    at += 1;
    if (token === '(') {
      const value = sum();
      const isClosed = tokens[at] === ')';
      at += 1;
      return isClosed ? value : Number.NaN;
    }
    return readNumber(token)?.value ?? Number.NaN;
  };
  const value = sum();
  return at === tokens.length && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? { value, hasOperator } : null;
}
