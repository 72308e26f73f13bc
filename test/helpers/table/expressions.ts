import { readFileSync } from 'node:fs';
import type { Item } from '#shared/platform/store/table.ts';
import { add, compare, copy, isSame, typeOf } from './values.ts';

/** The expressions of DynamoDB that the stores use. Whatever else they contain is refused. */
export type Condition =
  | { readonly op: 'and'; readonly of: readonly Condition[] }
  | { readonly op: 'or'; readonly of: readonly Condition[] }
  | { readonly op: Comparison; readonly of: readonly [Operand, Operand] }
  | { readonly op: 'between' | 'in'; readonly of: readonly Operand[] }
  | { readonly op: Test; readonly of: readonly [Path, ...Operand[]] };

type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';
type Test = keyof typeof tests;
/** Names of attributes, from the outermost to the innermost, as written: `#open` or `open`. */
type Path = { readonly path: readonly string[] };
type Operand = Path | { readonly value: string };
type Term = Operand | { readonly ifMissing: readonly [Path, Term] };

interface Update {
  readonly set: readonly { readonly to: Path; readonly sign: 0 | 1 | -1; readonly terms: readonly Term[] }[];
  readonly remove: readonly Path[];
  readonly add: readonly { readonly to: Path; readonly amount: Operand }[];
}

/** The names and values that a request gives for those of its expressions. */
export interface Given {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
}

export function invalid(message: string): Error {
  return Object.assign(new Error(message), { name: 'ValidationException' });
}

const reserved = new Set(
  readFileSync(new URL('reserved-words.txt', import.meta.url), 'utf8')
    .trim()
    .split(/\s+/),
);
/** The tests of an attribute, and how many values each takes. */
const tests = {
  attribute_exists: 0,
  attribute_not_exists: 0,
  attribute_type: 1,
  begins_with: 1,
  contains: 1,
};

class Parser {
  readonly #text: string;
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = text.match(/[#:]?\w+|<=|>=|<>|\S/g) ?? [];
  }

  refuse(): Error {
    return invalid(
      `Unknown at "${this.#tokens.slice(this.#at).join(' ')}" in the expression "${this.#text}".`,
    );
  }

  /** Takes the next token if it is `wanted`. */
  takes(wanted: string): boolean {
    const isNext = this.#tokens[this.#at]?.toUpperCase() === wanted;
    if (isNext) this.#at += 1;
    return isNext;
  }

  expect(wanted: string): void {
    if (!this.takes(wanted)) throw this.refuse();
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw this.refuse();
  }

  next(pattern: RegExp): string {
    const token = this.#tokens[this.#at];
    if (token === undefined || !pattern.test(token)) throw this.refuse();
    this.#at += 1;
    return token;
  }

  /** A list separated by commas. */
  list<T>(one: () => T): T[] {
    const found = [one()];
    while (this.takes(',')) found.push(one());
    return found;
  }

  path(): Path {
    const path: string[] = [];
    do {
      const name = this.next(/^#\w+$|^[a-z_]\w*$/i);
      if (reserved.has(name.toUpperCase())) {
        throw invalid(`Attribute name is a reserved keyword; reserved keyword: ${name}`);
      }
      path.push(name);
    } while (this.takes('.'));
    return { path };
  }

  operand(): Operand {
    return this.#tokens[this.#at]?.startsWith(':') ? { value: this.next(/^:\w+$/) } : this.path();
  }

  term(): Term {
    if (!this.takes('IF_NOT_EXISTS')) return this.operand();
    this.expect('(');
    const path = this.path();
    this.expect(',');
    const other = this.term();
    this.expect(')');
    return { ifMissing: [path, other] };
  }

  condition(): Condition {
    return this.#joined('OR', () => this.#joined('AND', () => this.#simple()));
  }

  #joined(word: 'AND' | 'OR', one: () => Condition): Condition {
    const of = [one()];
    while (this.takes(word)) of.push(one());
    if (of.length === 1 && of[0] !== undefined) return of[0];
    return word === 'AND' ? { op: 'and', of } : { op: 'or', of };
  }

  #simple(): Condition {
    if (this.takes('(')) {
      const inner = this.condition();
      this.expect(')');
      return inner;
    }
    const name = this.#tokens[this.#at] ?? '';
    if (Object.hasOwn(tests, name)) return this.#test(name as Test);
    const left = this.operand();
    if (this.takes('BETWEEN')) {
      const low = this.operand();
      this.expect('AND');
      return { op: 'between', of: [left, low, this.operand()] };
    }
    if (this.takes('IN')) {
      this.expect('(');
      const of = [left, ...this.list(() => this.operand())];
      this.expect(')');
      return { op: 'in', of };
    }
    const op = this.next(/^(?:=|<>|<=?|>=?)$/) as Comparison;
    return { op, of: [left, this.operand()] };
  }

  #test(op: Test): Condition {
    this.#at += 1;
    this.expect('(');
    const path = this.path();
    const values = Array.from({ length: tests[op] }, () => {
      this.expect(',');
      return this.operand();
    });
    this.expect(')');
    return { op, of: [path, ...values] };
  }

  update(): Update {
    const sections: { -readonly [K in keyof Update]: Update[K] } = { set: [], remove: [], add: [] };
    const seen = new Set<string>();
    do {
      const word = this.next(/^(?:SET|REMOVE|ADD)$/i).toLowerCase();
      if (seen.has(word)) throw this.refuse();
      seen.add(word);
      if (word === 'set') sections.set = this.list(() => this.#assignment());
      else if (word === 'remove') sections.remove = this.list(() => this.path());
      else sections.add = this.list(() => ({ to: this.path(), amount: this.operand() }));
    } while (this.#at < this.#tokens.length);
    return sections;
  }

  #assignment(): Update['set'][number] {
    const to = this.path();
    this.expect('=');
    const first = this.term();
    const sign = this.takes('+') ? 1 : this.takes('-') ? -1 : 0;
    return { to, sign, terms: sign === 0 ? [first] : [first, this.term()] };
  }
}

const parsed = new Map<string, Condition | Update>();

function parse<T extends Condition | Update>(kind: string, text: string, read: (parser: Parser) => T): T {
  const known = parsed.get(`${kind} ${text}`);
  if (known !== undefined) return known as T;
  const parser = new Parser(text);
  const made = read(parser);
  parser.end();
  parsed.set(`${kind} ${text}`, made);
  return made;
}

export const parseCondition = (text: string): Condition =>
  parse('condition', text, (parser) => parser.condition());

const parseUpdate = (text: string): Update => parse('update', text, (parser) => parser.update());

const namesOf = new Map<string, ReadonlySet<string>>();

function namesIn(text = ''): ReadonlySet<string> {
  const found = namesOf.get(text) ?? new Set(text.match(/[#:]\w+/g));
  namesOf.set(text, found);
  return found;
}

/** Refuses names and values that an expression lacks, and those that none of them uses. */
export function checkGiven(given: Given, expressions: readonly (string | undefined)[]): void {
  const { ExpressionAttributeNames, ExpressionAttributeValues } = given;
  for (const [what, entries] of Object.entries({ ExpressionAttributeNames, ExpressionAttributeValues })) {
    if (entries === undefined) continue;
    const names = Object.keys(entries).filter((name) => (entries as Item)[name] !== undefined);
    if (names.length === 0) throw invalid(`${what} must not be empty`);
    const unused = names.filter((name) => !expressions.some((text) => namesIn(text).has(name)));
    if (unused.length > 0)
      throw invalid(`Value provided in ${what} unused in expressions: ${unused.join(', ')}`);
  }
}

/** An item, with what its expressions call names and values. */
class Scope {
  readonly #item: Item;
  readonly #given: Given;

  constructor(item: Item | undefined, given: Given) {
    this.#item = item ?? {};
    this.#given = given;
  }

  names({ path }: Path): string[] {
    return path.map((part) => {
      if (!part.startsWith('#')) return part;
      const name = this.#given.ExpressionAttributeNames?.[part];
      if (name === undefined)
        throw invalid(`An attribute name used in an expression is not defined: ${part}`);
      return name;
    });
  }

  get(operand: Operand): unknown {
    if ('value' in operand) {
      const value = this.#given.ExpressionAttributeValues?.[operand.value];
      if (value !== undefined) return value;
      throw invalid(`An attribute value used in an expression is not defined: ${operand.value}`);
    }
    let found: unknown = this.#item;
    for (const name of this.names(operand)) {
      found =
        typeOf(found ?? null) === 'M' && Object.hasOwn(found as Item, name)
          ? (found as Item)[name]
          : undefined;
    }
    return found;
  }
}

/** Whether an item, or the absence of one, satisfies a condition. */
export function holds(condition: Condition, item: Item | undefined, given: Given): boolean {
  return evaluate(condition, new Scope(item, given));
}

function evaluate(condition: Condition, scope: Scope): boolean {
  // Every part is evaluated, so that a name or a value that is not defined is refused wherever it is.
  if (condition.op === 'and') return condition.of.map((each) => evaluate(each, scope)).every(Boolean);
  if (condition.op === 'or') return condition.of.map((each) => evaluate(each, scope)).some(Boolean);
  const [value, ...others] = condition.of.map((each) => scope.get(each));
  const [other] = others;
  switch (condition.op) {
    case '=':
      return value !== undefined && isSame(value, other);
    case '<>':
      return !isSame(value, other);
    case 'in':
      return value !== undefined && others.some((each) => isSame(value, each));
    case 'between':
      return isOrdered('<=', others[0], value) && isOrdered('<=', value, others[1]);
    case 'attribute_exists':
      return value !== undefined;
    case 'attribute_not_exists':
      return value === undefined;
    case 'attribute_type':
      if (!['S', 'N', 'BOOL', 'NULL', 'L', 'M'].includes(String(other)))
        throw invalid(`Invalid type: ${other}`);
      return value !== undefined && typeOf(value) === other;
    case 'begins_with':
      return typeof value === 'string' && typeof other === 'string' && value.startsWith(other);
    case 'contains':
      if (Array.isArray(value)) return value.some((each) => isSame(each, other));
      return typeof value === 'string' && typeof other === 'string' && value.includes(other);
    default:
      return isOrdered(condition.op, value, other);
  }
}

/** Only two strings or two numbers have an order. */
function isOrdered(op: Comparison, a: unknown, b: unknown): boolean {
  if (typeof a !== typeof b || (typeof a !== 'string' && typeof a !== 'number')) return false;
  const order = compare(a, b);
  if (order === 0) return op.endsWith('=');
  return op.startsWith('<') ? order < 0 : order > 0;
}

/** The item after an update. All of its parts see the item as it was. */
export function updated(expression: string, item: Item, given: Given): Item {
  const update = parseUpdate(expression);
  const scope = new Scope(item, given);
  const result = { ...item };
  const changed: (readonly string[])[] = [];
  const change = (to: Path, value: unknown): void => {
    const names = scope.names(to);
    const overlaps = changed.some((other) =>
      (other.length < names.length ? other : names).every((_, at) => other[at] === names[at]),
    );
    if (overlaps) throw invalid(`Two document paths overlap with each other: ${names.join('.')}`);
    changed.push([...names]);
    const name = names.pop() ?? '';
    let parent: unknown = result;
    for (const each of names) {
      const inner = (parent as Item | undefined)?.[each];
      if (typeOf(inner ?? null) !== 'M') {
        parent = undefined;
        break;
      }
      parent = (parent as Item)[each] = { ...(inner as Item) };
    }
    if (typeOf(parent ?? null) !== 'M') {
      if (value === undefined) return;
      throw invalid('The document path provided in the update expression is invalid for update');
    }
    if (value === undefined) delete (parent as Item)[name];
    else (parent as Item)[name] = copy(value);
  };
  const numberOf = (value: unknown): number => {
    if (typeof value === 'number') return value;
    throw invalid('An operand in the update expression has an incorrect data type');
  };
  const evaluated = (term: Term): unknown => {
    if ('ifMissing' in term) {
      const [path, other] = term.ifMissing;
      const found = scope.get(path);
      return found === undefined ? evaluated(other) : found;
    }
    const value = scope.get(term);
    if (value !== undefined) return value;
    throw invalid('The provided expression refers to an attribute that does not exist in the item');
  };
  for (const { to, sign, terms } of update.set) {
    const [first, second] = terms.map(evaluated);
    change(to, sign === 0 ? first : add(numberOf(first), sign * numberOf(second)));
  }
  for (const path of update.remove) change(path, undefined);
  for (const { to, amount } of update.add) {
    const before = scope.get(to);
    change(to, add(before === undefined ? 0 : numberOf(before), numberOf(scope.get(amount))));
  }
  return result;
}
