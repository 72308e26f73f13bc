/** A part of a regular expression. `raw` is its text, which the engine itself is asked about. */
export type PatternNode =
  | { readonly kind: 'character'; readonly raw: string }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly body: PatternNode; readonly min: number; readonly max: number }
  | {
      readonly kind: 'assertion';
      readonly raw: string;
      readonly body: PatternNode | null;
      readonly behind: boolean;
    }
  | { readonly kind: 'backreference'; readonly raw: string };

/** The parts of a valid regular expression of JavaScript. */
export function parsePattern(source: string, flags: string): PatternNode {
  return new PatternParser(source, flags).parse();
}

class PatternParser {
  readonly #source: string;
  readonly #isUnicode: boolean;
  readonly #isNested: boolean;
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#isUnicode = /[uv]/.test(flags);
    this.#isNested = flags.includes('v');
  }

  parse(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#source.length) throw new Error(`cannot read ${this.#source} from ${this.#at}`);
    return node;
  }

  #choice(): PatternNode {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return options.length === 1 ? (options[0] as PatternNode) : { kind: 'choice', options };
  }

  #sequence(): PatternNode {
    const items: PatternNode[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] as string)) {
      items.push(this.#repeated(this.#atom()));
    }
    return { kind: 'sequence', items };
  }

  #repeated(body: PatternNode): PatternNode {
    const match = this.#match(/[*+?]|\{(\d+)(,(\d*))?\}/y);
    if (match === null) return body;
    this.#take('?');
    const [sign, least, comma, most] = match;
    if (sign === '*') return { kind: 'repeat', body, min: 0, max: Infinity };
    if (sign === '+') return { kind: 'repeat', body, min: 1, max: Infinity };
    if (sign === '?') return { kind: 'repeat', body, min: 0, max: 1 };
    const min = Number(least);
    const max = comma === undefined ? min : most === '' ? Infinity : Number(most);
    return { kind: 'repeat', body, min, max };
  }

  #atom(): PatternNode {
    const start = this.#at;
    const raw = (): string => this.#source.slice(start, this.#at);
    if (this.#take('^') || this.#take('$') || this.#match(/\\[bB]/y) !== null) {
      return { kind: 'assertion', raw: raw(), body: null, behind: false };
    }
    if (this.#take('(')) {
      const sign = this.#match(/\?(?:<?[=!]|<[^>]+>|[a-z-]*:)/y)?.[0] ?? '';
      const body = this.#choice();
      if (!this.#take(')')) throw new Error(`a group of ${this.#source} has no end`);
      if (!/[=!]$/.test(sign)) return body;
      return { kind: 'assertion', raw: raw(), body, behind: sign.startsWith('?<') };
    }
    if (this.#match(/\\(?:[1-9]\d*|k<[^>]+>)/y) !== null) return { kind: 'backreference', raw: raw() };
    if (this.#source[this.#at] === '[') this.#class();
    else this.#match(/\\(?:[pP]\{[^}]+\}|u\{[^}]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[\s\S])|[\s\S]/y);
    if (this.#isUnicode && /^[\uD800-\uDBFF]$/.test(raw())) this.#at += 1;
    return { kind: 'character', raw: raw() };
  }

  /** Classes of the `v` flag hold others. */
  #class(): void {
    let depth = 0;
    do {
      const sign = this.#match(/\\[\s\S]|[\s\S]/y)?.[0];
      if (sign === undefined) throw new Error(`a class of ${this.#source} has no end`);
      if (sign === '[' && (depth === 0 || this.#isNested)) depth += 1;
      if (sign === ']') depth -= 1;
    } while (depth > 0);
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.#at;
    const match = sticky.exec(this.#source);
    if (match !== null) this.#at = sticky.lastIndex;
    return match;
  }
}
