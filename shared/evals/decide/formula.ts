import { own } from '#shared/platform/own.ts';

const FUNCTIONS: Readonly<Record<string, (...values: number[]) => number>> = {
  min: Math.min,
  max: Math.max,
  abs: (value = Number.NaN) => Math.abs(value),
  floor: (value = Number.NaN) => Math.floor(value),
  ceil: (value = Number.NaN) => Math.ceil(value),
  exp: (value = Number.NaN) => Math.exp(value),
  sqrt: (value = Number.NaN) => Math.sqrt(value),
  log: (value = Number.NaN) => Math.log(value),
};

/** A number, a name or a sign. At most 2,000 characters are read. */
const TOKEN = /\s*(\d+(?:\.\d+)?|[A-Za-z_]\w*|[-+*/^(),])/y;

/** Parentheses and signs inside each other. */
const DEPTH_MAX = 50;

class Unreadable extends Error {}

/**
 * The value of a formula such as `0.6 * accuracy + 0.4 * min(style, tone)`: numbers, names, `+ - * / ^`, parentheses, and
 * the functions min, max, abs, floor, ceil, exp, sqrt and log.
 * @param values of the names
 * @returns what is wrong with the formula, in words, if it cannot be computed
 */
export function compute(formula: string, values: Readonly<Record<string, number>>): number | string {
  try {
    return new Parser(formula, values).whole();
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

class Parser {
  readonly #tokens: string[] = [];
  readonly #values: Readonly<Record<string, number>>;
  #at = 0;
  #depth = 0;

  constructor(formula: string, values: Readonly<Record<string, number>>) {
    this.#values = values;
    const reader = new RegExp(TOKEN);
    const text = formula.trimEnd();
    while (reader.lastIndex < text.length) {
      const from = reader.lastIndex;
      const token = reader.exec(text)?.[1];
      if (token === undefined) throw new Unreadable(`cannot be read from character ${from + 1} on`);
      this.#tokens.push(token);
    }
  }

  whole(): number {
    const value = this.#sum();
    if (this.#at < this.#tokens.length)
      throw new Unreadable(`has ${this.#tokens[this.#at]} where it could end`);
    return value;
  }

  #takes(...signs: readonly string[]): string | null {
    const token = this.#tokens[this.#at];
    if (token === undefined || !signs.includes(token)) return null;
    this.#at += 1;
    return token;
  }

  #sum(): number {
    let value = this.#product();
    for (let sign = this.#takes('+', '-'); sign !== null; sign = this.#takes('+', '-')) {
      const next = this.#product();
      value += sign === '+' ? next : -next;
    }
    return value;
  }

  #product(): number {
    let value = this.#power();
    for (let sign = this.#takes('*', '/'); sign !== null; sign = this.#takes('*', '/')) {
      const next = this.#power();
      value = sign === '*' ? value * next : value / next;
    }
    return value;
  }

  #power(): number {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw new Unreadable(`is nested more than ${DEPTH_MAX} levels deep`);
    let value: number;
    if (this.#takes('-') !== null) value = -this.#power();
    else {
      value = this.#atom();
      if (this.#takes('^') !== null) value **= this.#power();
    }
    this.#depth -= 1;
    return value;
  }

  #atom(): number {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (token === undefined) throw new Unreadable('ends where a number or a name is missing');
    if (/^\d/.test(token)) return Number(token);
    if (token === '(') return this.#closed(this.#sum());
    if (!/^[A-Za-z_]/.test(token)) throw new Unreadable(`has ${token} where a number or a name is missing`);
    const call = own(FUNCTIONS, token);
    if (call !== undefined && this.#takes('(') !== null) return this.#call(call);
    const value = own(this.#values, token);
    if (value === undefined) throw new Unreadable(`names ${token}, which is none of its graders`);
    return value;
  }

  #call(call: (...values: number[]) => number): number {
    const values = [this.#sum()];
    while (this.#takes(',') !== null) values.push(this.#sum());
    return this.#closed(call(...values));
  }

  #closed(value: number): number {
    if (this.#takes(')') === null) throw new Unreadable('lacks a closing parenthesis');
    return value;
  }
}
