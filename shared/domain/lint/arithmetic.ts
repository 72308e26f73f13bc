/** Longest expression that is read, in characters. */
const EXPRESSION_MAX = 120;
const EXPRESSION_CHARACTER = /[\d \t.,()+\-−*/×÷·^]/;
/** Where one equation ends and the next may begin. */
const CLAUSE_END = /[.,](?=[ \t]|$)/;
const QUESTION =
  /^\s*(?:what(?:'s|’s| is| does)|how much (?:is|does)|calculate|compute|evaluate|solve|work out)?:?\s*([\d\s.,()+\-−*/×÷·^]+?)\s*(?:=|equal|make)?\s*[?.]?\s*$/i;
const BARE_NUMBER =
  /^\s*(?:=\s*|(?:the )?(?:answer|result) is:?\s*|it is\s*)?([-−]?\d[\d,]*(?:\.\d+)?)\s*[.!]?\s*$/i;

/**
 * An equation of a completion that does not hold, or a bare number that does not answer an expression that is asked
 * for; null where none is seen. Only numbers, + − × ÷ ^ and parentheses are read: `x = 3` and `12 km = 7.5 mi` say
 * nothing here.
 */
export function arithmeticFault(prompt: string, completion: string): string | null {
  const asked = QUESTION.exec(prompt.slice(0, 2 * EXPRESSION_MAX))?.[1];
  const answer = BARE_NUMBER.exec(completion.slice(0, EXPRESSION_MAX))?.[1];
  if (asked !== undefined && answer !== undefined) {
    const expected = evaluate(asked);
    const given = readNumber(answer);
    if (expected !== null && given !== null && !isRounded(expected.value, given)) {
      return `calculates wrongly: ${asked.trim()} is ${shown(expected.value)}, not ${answer}`;
    }
  }
  for (let at = completion.indexOf('='); at !== -1; at = completion.indexOf('=', at + 1)) {
    if (/[=<>!:~≈]/.test(completion[at - 1] ?? '') || /[=>~]/.test(completion[at + 1] ?? '')) continue;
    const left = expressionBefore(completion, at);
    const right = expressionAfter(completion, at + 1);
    if (left === null || right === null) continue;
    const expected = evaluate(left);
    const given = readNumber(right) ?? evaluate(right);
    // A number alone on the left names something: `1 = yes`, `2024 = 3 × 8 × 84 + 8`.
    if (expected === null || given === null || !expected.hasOperator) continue;
    if (!isRounded(expected.value, given))
      return `calculates wrongly: ${left} is ${shown(expected.value)}, not ${right}`;
  }
  return null;
}

interface ReadNumber {
  readonly value: number;
  /** Digits after the point, to which it may have been rounded. */
  readonly decimals: number;
}

const shown = (value: number): string => String(Number(value.toPrecision(12)));

/** Whether a value is another up to the digits that the other shows. */
function isRounded(value: number, given: { readonly value: number; readonly decimals?: number }): boolean {
  const decimals = given.decimals ?? 0;
  const step = decimals === 0 ? 0 : 10 ** -decimals / 2;
  return Math.abs(value - given.value) <= step + 1e-9 * Math.max(1, Math.abs(value));
}

function expressionBefore(text: string, end: number): string | null {
  let start = end;
  while (start > 0 && end - start < EXPRESSION_MAX && EXPRESSION_CHARACTER.test(text[start - 1] as string)) {
    start -= 1;
  }
  // What touches it is part of it: a variable, a function, a percent sign.
  const isWhole =
    /^\s/.test(text.slice(start, end)) || !/[\p{L}\p{S}%_\\{}[\]|]/u.test(text[start - 1] ?? '');
  const clause = text.slice(start, end).split(CLAUSE_END).at(-1) as string;
  if (!isWhole && clause.length === end - start) return null;
  // A list's dash or number is none of it.
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
  if (clause.length === whole.length) {
    // What touches it, a remainder and a fraction go on with it.
    const next = text.slice(end, end + 4);
    if (/^(?:r\b|rem|mod|[½¼¾⅓⅔%_\\√π!°…])/i.test(next)) return null;
    if (/^\p{L}/u.test(next) && !/\s$/.test(whole)) return null;
  }
  if (/\.\.|\d\s+\d/.test(clause)) return null;
  return clause.trim().replace(/[.,]+$/, '');
}

function readNumber(text: string): ReadNumber | null {
  const match = /^([-−]?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/.exec(text.trim());
  if (match === null) return null;
  const [, sign = '', whole = '', decimals = ''] = match;
  const value = Number(`${whole.replaceAll(',', '')}.${decimals}0`);
  // Beyond this, numbers of a computer are no longer exact.
  if (value > Number.MAX_SAFE_INTEGER) return null;
  return { value: sign === '' ? value : -value, decimals: decimals.length };
}

/** The value of an arithmetic expression; null for what is no expression, or none that can be told exactly enough. */
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
