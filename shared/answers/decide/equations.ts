import { foldWidth } from './numbers.ts';

/** Characters of a text that are read. */
const READ_MAX = 20_000;
/** Longest side of an equation, in tokens. */
const SIDE_TOKENS_MAX = 40;
/** Nested brackets that are read; more are no arithmetic that people write. */
const DEPTH_MAX = 20;
/** Words that a quantity may have: "3 large eggs". */
const UNIT_WORDS_MAX = 3;

/**
 * Returns the first equation of an answer whose two sides differ, in words that continue "The answer …"; null if there
 * is none. An equation is read as a whole: both sides up to a word or a mark that cannot belong to them. Where anything
 * beside or in it may be part of it (a variable, "half of", a bracket, another unit), it is unknown, never wrong. A bare
 * number is compared with the expression that the request consists of.
 */
export function equationFault(request: string, answer: string): string | null {
  const asked = askedExpression(request);
  const text = foldWidth(answer.slice(0, READ_MAX));
  const bare = BARE_RESULT.exec(text.trim())?.[1];
  if (asked !== null && bare !== undefined) return faultIn(`${asked} = ${bare}`);
  if (!text.includes('=')) return null;
  const given = foldWidth(request.slice(0, READ_MAX));
  // A request with equations of its own may define what its signs mean.
  if (OTHER_ARITHMETIC.test(given) || DEFINED.test(given)) return null;
  return faultIn(withoutCode(text), given);
}

const BARE_RESULT =
  /^(?:=\s*|(?:the )?(?:answer|result) is:?\s*|it is\s*)?([-−]?\d[\d,]*(?:\.\d+)?)\s*[.!]?$/i;
const VERB =
  /^(?:what(?:'s|’s| is| does)|how much (?:is|does)|calculate|compute|evaluate|solve|work out)?:? ?/i;
const EXPRESSION = /^[\d .,()+\-−*/×÷·^]{3,120}/;
const END_OF_QUESTION = /^(?:=|equals?|makes?)? ?[?.]?(?: \D{0,100})?$/i;
/** Dates, ranges and telephone numbers look like subtractions. */
const NO_EXPRESSION = /^\d{4}-\d{2}(?:-\d{2})?$|^\d{1,2}\/\d{1,2}(?:\/\d{2,4})?$|^[\d -]{9,}$/;

/** The expression that a request consists of, before what it says of the form; null if it has other words. */
function askedExpression(request: string): string | null {
  if (request.length > 200 || OTHER_ARITHMETIC.test(request)) return null;
  const question = foldWidth(request).trim().replaceAll(/\s+/g, ' ').replace(VERB, '');
  const run = EXPRESSION.exec(question)?.[0] ?? '';
  // At most 120 characters.
  const expression = run.replace(/[. ]+$/, '');
  const rest = question.slice(expression.length).trimStart();
  return /\d/.test(expression) && END_OF_QUESTION.test(rest) && !NO_EXPRESSION.test(expression)
    ? expression
    : null;
}

/** What is wrong in whole numbers may be right in another arithmetic; ranges of years count both ends. */
const OTHER_ARITHMETIC =
  /\b(?:mod(?:ulo|ular|ulus)?|binary|binari\w+|binär\w*|octal|hexadecimal|hex|boolean|base[ -]?\d|clocks?|o'clock|slogan|joke|riddle|puzzle|floating[ -]point|strings?|concatenat\w*|vectors?|matri\w+|score|complex numbers?)\b|\bZ_?\d|\b(?:1[5-9]|20)\d\d ?[-–−] ?(?:1[5-9]|20)\d\d ?=/iu;
/** An equation, or an operation of letters, in a request. */
const DEFINED = /\d ?= ?\d|\b[a-z] ?[-+*×·@#^/] ?[a-z]\b/i;
/** A sentence that speaks about an equation rather than stating it. */
const MENTIONED =
  /\b(?:not|isn't|isn’t|aren't|wrong\w*|incorrect\w*|mistakes?|errors?|false|instead|never|if|suppose|assum\w+|let|where|remainder|left ?over|rounded?|approx\w*|about|nearly|almost|roughly|mean(?:s|t)? that|wrote|writes|claims?|says?|said|student|song|track|statement)\b|≠|≈|[?]$/iu;

function withoutCode(text: string): string {
  return text
    .replaceAll(/```[\s\S]{0,20000}?(?:```|$)/g, '\n')
    .replaceAll(/`[^`\n]{1,200}`/g, ' § ')
    .replaceAll(/(^|[\s(:])\*\*(?=\S)/gm, '$1')
    .replaceAll(/(\S)\*\*(?=$|[\s).,:;])/gm, '$1');
}

/** @param request equations of the request may be repeated as they are */
function faultIn(text: string, request = ''): string | null {
  const repeated = request.includes('=') ? request.replaceAll(/\s+/g, '') : '';
  for (const line of text.split('\n')) {
    // Formulas in LaTeX have signs and brackets of their own.
    if (!line.includes('=') || !/\d/.test(line) || line.includes('\\') || OTHER_ARITHMETIC.test(line))
      continue;
    const tokens = tokensOf(line);
    for (const [at, token] of tokens.entries()) {
      if (token.kind !== 'equals') continue;
      const [left, right] = [sideBefore(tokens, at), sideAfter(tokens, at)];
      if (
        left === null ||
        right === null ||
        isOtherNotation([...left, ...right]) ||
        !left.some(({ kind }) => kind === 'operator')
      )
        continue;
      const [shownLeft, shownRight] = [left, right].map((side) => textOf(line, side)) as [string, string];
      if (repeated !== '' && repeated.includes(`${shownLeft}=${shownRight}`.replaceAll(/\s+/g, ''))) continue;
      if (!isFalse(left, right) || MENTIONED.test(sentenceAround(line, token.at))) continue;
      return `calculates wrongly: ${shownLeft} is not ${shownRight}`;
    }
  }
  return null;
}

/** Whether an equation has pairs in brackets, "(2,9)", or two currencies: "$1 + 50¢". */
function isOtherNotation(tokens: readonly Token[]): boolean {
  const currencies = new Set(tokens.filter(({ kind }) => kind === 'money').map(({ text }) => text));
  const isPair = ({ kind, text }: Token, n: number): boolean =>
    kind === 'number' &&
    text.includes(',') &&
    tokens[n - 1]?.kind === 'open' &&
    tokens[n + 1]?.kind === 'close';
  return currencies.size > 1 || tokens.some(isPair);
}

/** Characters of a sentence on each side of an equation. */
const SENTENCE_MAX = 200;

/** The part of a line between the ends of sentences around a place in it. */
function sentenceAround(whole: string, place: number): string {
  const from = Math.max(0, place - SENTENCE_MAX);
  const line = whole.slice(from, place + SENTENCE_MAX);
  const at = place - from;
  const before = line.slice(0, at);
  const start = Math.max(...['. ', '! ', '? ', '; '].map((end) => before.lastIndexOf(end)));
  const end = /[.!?;](?:\s|$)/.exec(line.slice(at));
  return line.slice(start === -1 ? 0 : start + 1, end === null ? undefined : at + end.index + 1);
}

type TokenKind = 'number' | 'operator' | 'open' | 'close' | 'money' | 'percent' | 'equals' | 'word' | 'other';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
  /** Whether white space stands before it. */
  readonly isApart: boolean;
}

const TOKEN =
  /(\d+(?:[.,'’\u00a0\u202f]\d+)*|\.\d+)|([=<>!:~≈≠]?=[=>~]?|⇒|→)|(\*\*|[+\-−–*×·⋅∙÷/^])|([([])|([)\]])|([$€£¥¢])|(%)|(\p{L}[\p{L}\p{M}'’-]{0,40})|\S/gu;
const KINDS: readonly TokenKind[] = [
  'number',
  'equals',
  'operator',
  'open',
  'close',
  'money',
  'percent',
  'word',
];

function tokensOf(line: string): Token[] {
  const tokens: Token[] = [];
  for (const match of line.matchAll(TOKEN)) {
    const [text] = match;
    const group = match.slice(1).findIndex((part) => part !== undefined);
    const kind: TokenKind =
      group === -1 || (group === 1 && text !== '=') ? 'other' : (KINDS[group] as TokenKind);
    tokens.push({
      kind,
      text,
      at: match.index,
      isApart: match.index === 0 || /\s/.test(line[match.index - 1] ?? ''),
    });
  }
  return tokens.map((token, n) => asOperator(token, tokens[n - 1], tokens[n + 1]));
}

const ENDS_OPERAND: ReadonlySet<TokenKind> = new Set(['number', 'close', 'percent', 'word']);
const BEGINS_OPERAND: ReadonlySet<TokenKind> = new Set(['number', 'open', 'money']);

/** The letter x between operands, and "of" after a share: both multiply. */
function asOperator(token: Token, before: Token | undefined, after: Token | undefined): Token {
  if (token.kind !== 'word' || before === undefined || after === undefined) return token;
  const isBetween = ENDS_OPERAND.has(before.kind) && BEGINS_OPERAND.has(after.kind);
  // "0.9X(0.02)" may be a function, or a variable.
  const isGlued = !token.isApart && after.kind === 'open' && !after.isApart;
  const isTimes = /^x$/i.test(token.text) && isBetween && !isGlued;
  const isOf = /^of$/i.test(token.text) && isBetween && before.kind === 'percent';
  return isTimes || isOf ? { ...token, kind: 'operator', text: '*' } : token;
}

/** Words beside an expression that may be part of it. */
const PART_OF_IT =
  /^(?:of|times|by|per|plus|minus|negative|over|half|twice|double|doubled|triple|tripled|thrice|quarter|thirds?|fourths?|fifths?|squared|cubed|dozens?|hundreds?|thousands?|millions?|billions?|percent|less|more|than|another|to|or|and|r|rem|remainder|mod|root|sqrt|log|ln|lg|exp|sin|cos|tan|max|min|choose|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|de|del|des?|du|von|vom|di|da|do|van|av|af|из|от)$/i;
/** Words that are never the name of what is counted; behind any other word, a number and a dash may be its number. */
const NO_NAME =
  /^(?:so|is|are|was|were|be|has|have|had|then|thus|hence|therefore|because|since|as|left|only|get|gets|got|gives?|gave|makes?|made|means|which|that|there|remain|remains|remaining|total|equals?|answer|result|cost|costs|need|needs|needed|spent|earns?|earned|paid|calculate|compute|do|doing|with)$/i;
/** Whether a word before an expression may belong to it: "half of 30 - 5", but not "so 3 + 4" or "…, and 3 + 4". */
const isPartOfIt = ({ text }: Token, before: Token | undefined): boolean =>
  /^(?:and|or)$/i.test(text) ? before?.kind === 'number' : PART_OF_IT.test(text);

/** Whether a word and the number behind it may be a name before a dash, or a range: "Step 1 - 3 + 5", "ages 2-5". */
function isNameOrRange({ text }: Token, [first, second]: readonly Token[]): boolean {
  return first?.kind === 'number' && isDash(second) && !NO_NAME.test(text);
}

const isDash = (token: Token | undefined): boolean => token?.kind === 'operator' && /[-−–]/.test(token.text);

/** Marks that separate an expression from what stands beside it. */
const SEPARATES = /^[.,;:?"“”'’«»|#•→⇒]$/;

/** The tokens of the expression that ends before an equals sign; null if it is not clear where it begins. */
function sideBefore(tokens: readonly Token[], at: number): Token[] | null {
  let start = at;
  while (start > 0 && at - start < SIDE_TOKENS_MAX) {
    const token = tokens[start - 1] as Token;
    if (token.kind === 'equals') break;
    if (token.kind === 'word') {
      const next = tokens[start] as Token;
      // Before an operand, a word is outside of the expression.
      if (BEGINS_OPERAND.has(next.kind) && start < at) {
        const side = tokens.slice(start, at);
        // A letter of its own is a quantity.
        const isLetter = token.text.length === 1 && !/^[aei]$/i.test(token.text);
        if (isLetter || isPartOfIt(token, tokens[start - 2]) || isNameOrRange(token, side) || !next.isApart)
          return null;
        break;
      }
      const first = unitStart(tokens, start - 1);
      if (first === null) return null;
      start = first;
    } else if (token.kind === 'other') {
      if (!SEPARATES.test(token.text)) return null;
      // The mark may belong to a list or to a number: "1, 2 + 3", "6:00 + 48", "1.(6) + 1".
      const isInside = /[,:]/.test(token.text) || !(tokens[start] as Token).isApart;
      if (isInside && tokens[start - 2]?.kind === 'number') return null;
      break;
    } else if (token.kind === 'open' && isUnmatched(tokens, start - 1, at)) {
      const before = tokens[start - 2];
      if (before !== undefined && (!token.isApart || before.kind === 'number' || before.kind === 'operator'))
        return null;
      break;
    } else start -= 1;
  }
  if (at - start >= SIDE_TOKENS_MAX) return null;
  const side = tokens.slice(start, at);
  const [first, second] = side;
  if (first?.kind !== 'operator') return side;
  // The dash of a list item, or the sign of a number. Else what stands before the operator belongs to it.
  if (start === 0 && second?.isApart === true) return isDash(tokens[at + 1]) ? null : side.slice(1);
  return isDash(first) && second?.isApart === false && (start === 0 || first.isApart) ? side : null;
}

/** Where the words of a quantity begin: behind its number, or behind "/"; null if they are no unit. */
function unitStart(tokens: readonly Token[], end: number): number | null {
  for (let n = end; n > end - UNIT_WORDS_MAX && n >= 0; n -= 1) {
    const [word, before] = [tokens[n] as Token, tokens[n - 1]];
    if (word.kind !== 'word' || PART_OF_IT.test(word.text)) return null;
    if (before === undefined) return null;
    if (before.kind === 'number' || before.kind === 'close') return isUnit(word) ? n : null;
    if (before.text === '/') return /^\p{Lu}$/u.test(word.text) ? null : n;
  }
  return null;
}

/** Letters right behind a number are variables, unless they are a known unit; so is a letter of its own. */
const isUnit = ({ text, isApart }: Token): boolean =>
  isApart ? text.length > 1 : /^(?:[kc]m|mm|kg|ml|ft|in|hrs?|mins?|secs?|lbs?|oz|mph)$/i.test(text);

function isUnmatched(tokens: readonly Token[], open: number, end: number): boolean {
  let depth = 0;
  for (const { kind } of tokens.slice(open, end)) {
    if (kind === 'open') depth += 1;
    if (kind === 'close') depth -= 1;
    if (depth === 0) return false;
  }
  return true;
}

/** The tokens of the expression that begins after an equals sign; null if it is not clear where it ends. */
function sideAfter(tokens: readonly Token[], at: number): Token[] | null {
  let end = at + 1;
  let depth = 0;
  while (end < tokens.length && end - at < SIDE_TOKENS_MAX) {
    const token = tokens[end] as Token;
    if (token.kind === 'equals') break;
    if (token.kind === 'word') {
      if (depth === 0 && !endsWithUnit(tokens, end)) return null;
      if (depth === 0) {
        end += 1;
        break;
      }
      const isPer = tokens[end - 1]?.text === '/' && !/^\p{Lu}$/u.test(token.text);
      if (tokens[end - 1]?.kind === 'operator' && !isPer) return null;
    }
    if (token.kind === 'other') {
      // "2:5" and "6:48" go on behind the mark.
      const next = tokens[end + 1];
      const goesOn = !token.isApart && next?.kind === 'number' && !next.isApart;
      if (!SEPARATES.test(token.text) || goesOn) return null;
      break;
    }
    if (token.kind === 'open') depth += 1;
    if (token.kind === 'close') {
      if (depth === 0) break;
      depth -= 1;
    }
    end += 1;
  }
  const side = tokens.slice(at + 1, end);
  return end - at >= SIDE_TOKENS_MAX || side.length === 0 || side.at(-1)?.kind === 'operator' ? null : side;
}

/** Whether words end an expression: the unit of its result, then no more of it. "1 hour 30 minutes" has two numbers. */
function endsWithUnit(tokens: readonly Token[], at: number): boolean {
  const [word, before] = [tokens[at] as Token, tokens[at - 1]];
  if (before?.kind === 'equals' || PART_OF_IT.test(word.text) || !isUnit(word)) return false;
  let next = at + 1;
  while (tokens[next]?.kind === 'word' && next - at < UNIT_WORDS_MAX) next += 1;
  const after = tokens[next];
  if (after === undefined) return true;
  if (after.kind === 'equals') return true;
  if (after.kind === 'operator' || after.kind === 'percent') return false;
  const isSecond = BEGINS_OPERAND.has(after.kind) && next - at <= 2;
  return !isSecond;
}

/** The text of an expression, without the unit behind it. */
const textOf = (line: string, side: readonly Token[]): string => {
  const end = side.findLast(({ kind }) => kind !== 'word') ?? (side[0] as Token);
  return line.slice((side[0] as Token).at, end.at + end.text.length);
};

/** How numbers are written: with a point before their decimals, or with a comma. */
type NumberStyle = 'point' | 'comma';

interface Quantity {
  readonly value: number;
  /** Half a unit of the last digit that is shown; 0 for a whole number, which is exact. */
  readonly slack: number;
}

function quantityOf(text: string, style: NumberStyle): Quantity | null {
  const [group, mark] = style === 'point' ? [',', '.'] : ['.', ','];
  const plain = text.replaceAll(/['’\u00a0\u202f]/g, group);
  const [whole = '', decimals, ...more] = plain.split(mark);
  if (more.length > 0 || decimals?.includes(group)) return null;
  const groups = whole.split(group);
  // Thousands apart wrongly, rather than four decimals.
  if (style === 'comma' && (decimals?.length ?? 0) > 3) return null;
  if (
    groups.slice(1).some((part) => part.length !== 3) ||
    (groups.length > 1 && (groups[0] ?? '').length > 3)
  )
    return null;
  const value = Number(`${groups.join('') || '0'}.${decimals ?? '0'}`);
  if (value > Number.MAX_SAFE_INTEGER) return null;
  return { value, slack: decimals === undefined ? 0 : 10 ** -decimals.length / 2 };
}

interface Evaluated {
  readonly value: number;
  /** How far the value may be from what was meant, since shown numbers may be rounded. */
  readonly slack: number;
  readonly hasDivision: boolean;
  readonly hasPercent: boolean;
  /** Units of the side, without a plural. */
  readonly units: ReadonlySet<string>;
  /** The first operand, for chains such as "2 + 3 = 5 + 4 = 9". */
  readonly first: number;
}

/** Whether both sides can be read, and differ however they are read. */
function isFalse(left: readonly Token[], right: readonly Token[]): boolean {
  let isRead = false;
  for (const style of ['point', 'comma'] as const) {
    const [a, b] = [evaluate(left, style), evaluate(right, style)];
    if (a === 'unknown' || b === 'unknown') return false;
    if (a === null || b === null) continue;
    isRead = true;
    if (agree(a, b, right)) return false;
  }
  return isRead;
}

function agree(a: Evaluated, b: Evaluated, right: readonly Token[]): boolean {
  if (isShownAs(a, a.value, b) || isShownAs(a, -a.value, b)) return true;
  // A running total: the next step begins with the result of the last one.
  const isStep = right.some(({ kind }) => kind === 'operator');
  if (isStep && isShownAs(a, a.value, { ...b, value: b.first })) return true;
  // Cents and dollars, minutes and hours: another unit is another number.
  if (haveOtherUnits(a, b)) return true;
  // "21/28 = 75" is a percentage without its sign.
  const isShare = a.hasPercent || b.hasPercent || (a.hasDivision && Math.abs(a.value) <= 1);
  return isShare && (isShownAs(a, a.value * 100, b) || isShownAs(a, a.value / 100, b));
}

function haveOtherUnits({ units: a }: Evaluated, { units: b }: Evaluated): boolean {
  return a.size > 0 && b.size > 0 && ![...b].some((unit) => a.has(unit));
}

/** Whether a value of one side may be shown as the other one: equal, rounded, or cut off behind its last digit. */
function isShownAs({ slack, hasDivision }: Evaluated, value: number, shown: Evaluated): boolean {
  const distance = Math.abs(value - shown.value);
  const exact = slack + 1e-9 * Math.max(1, Math.abs(value));
  if (distance <= exact) return true;
  if (shown.slack > 0) {
    const isCut = Math.abs(value) > Math.abs(shown.value) && distance < 2 * shown.slack;
    return isCut || distance <= shown.slack + exact;
  }
  // A result without decimals may be rounded in any way; a percentage is shown in hundredths.
  const unit = shown.hasPercent ? 0.01 : 1;
  const isWhole = (of: number): boolean => Math.abs(of / unit - Math.round(of / unit)) < 1e-9;
  return (hasDivision || !isWhole(value)) && isWhole(shown.value) && distance < unit;
}

/** The value of an expression: null if a number is not written in the style, `unknown` if it is no expression. */
function evaluate(side: readonly Token[], style: NumberStyle): Evaluated | null | 'unknown' {
  const numbers: Quantity[] = [];
  for (const { kind, text } of side) {
    if (kind !== 'number') continue;
    const quantity = quantityOf(text, style);
    if (quantity === null) return null;
    numbers.push(quantity);
  }
  const parsed = parse(
    side,
    numbers.map(({ value }) => value),
  );
  if (parsed === null) return 'unknown';
  let slack = 0;
  for (const [n, { slack: own }] of numbers.entries()) {
    if (own === 0) continue;
    const moved = parse(
      side,
      numbers.map(({ value }, m) => (m === n ? value + own : value)),
    );
    slack += Math.abs((moved?.value ?? parsed.value) - parsed.value);
  }
  return { ...parsed, slack, first: numbers[0]?.value ?? Number.NaN };
}

type Parsed = Pick<Evaluated, 'value' | 'hasDivision' | 'hasPercent' | 'units'>;

/** Parses an expression whose numbers have the given values; null if it is none, or mixes units or percentages in a sum. */
function parse(side: readonly Token[], values: readonly number[]): Parsed | null {
  return new Parser(side, values).parse();
}

/** A recursive descent over the tokens of an expression; what it cannot read has the value NaN. */
class Parser {
  private at = 0;
  private numbers = 0;
  private operands = 0;
  private depth = 0;
  private percents = 0;
  private hasSum = false;
  private hasDivision = false;
  private isAmbiguous = false;
  private readonly units = new Set<string>();
  private readonly side: readonly Token[];
  private readonly values: readonly number[];

  constructor(side: readonly Token[], values: readonly number[]) {
    this.side = side;
    this.values = values;
  }

  parse(): Parsed | null {
    const { units } = this;
    const value = this.sum();
    const isRead = this.at === this.side.length && this.numbers === this.values.length && !this.isAmbiguous;
    if (!isRead || !Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return null;
    // "50 + 10 %" means 55 to some; hours and minutes have to be converted first.
    const words = [...units].filter((unit) => !/^[$€£¥¢]$/.test(unit));
    const isMixed = (this.percents > 0 && this.percents < this.operands) || words.length > 1;
    if (this.hasSum && isMixed) return null;
    return { value, hasDivision: this.hasDivision, hasPercent: this.percents > 0, units };
  }

  private isOperator(...marks: string[]): boolean {
    const token = this.side[this.at];
    return token?.kind === 'operator' && marks.includes(token.text);
  }

  private sum(): number {
    let value = this.product();
    while (this.isOperator('+', '-', '−', '–')) {
      this.hasSum = true;
      const sign = this.isOperator('+') ? 1 : -1;
      this.at += 1;
      value += sign * this.product();
    }
    return value;
  }

  private product(): number {
    let isDivided = false;
    let value = this.signed();
    for (;;) {
      if (this.isOperator('*', '×', '·', '⋅', '∙')) {
        this.at += 1;
        value *= this.signed();
      } else if (this.isOperator('÷', '/')) {
        // "6 / 2/3": who writes this may mean 6 / (2/3).
        if (isDivided) this.isAmbiguous = true;
        isDivided = true;
        this.hasDivision = true;
        this.at += 1;
        value /= this.signed();
      } else if (this.side[this.at]?.kind === 'open') value *= this.power();
      else return value;
    }
  }

  private signed(): number {
    if (!this.isOperator('-', '−', '–')) return this.power();
    this.at += 1;
    return -this.power();
  }

  private power(): number {
    const base = this.operand();
    if (!this.isOperator('^', '**')) return base;
    this.at += 1;
    return base ** this.signed();
  }

  private operand(): number {
    this.money();
    let value = this.side[this.at]?.kind === 'open' ? this.bracket() : this.number();
    this.money();
    if (this.skip('percent')) {
      this.percents += 1;
      value /= 100;
    }
    this.unit();
    return value;
  }

  /** The sign of a currency is a unit. */
  private money(): void {
    const token = this.side[this.at];
    if (this.skip('money')) this.units.add(token?.text ?? '');
  }

  private skip(kind: TokenKind): boolean {
    if (this.side[this.at]?.kind !== kind) return false;
    this.at += 1;
    return true;
  }

  private bracket(): number {
    if (this.depth >= DEPTH_MAX) return Number.NaN;
    this.at += 1;
    this.depth += 1;
    const value = this.sum();
    this.depth -= 1;
    return this.skip('close') ? value : Number.NaN;
  }

  /** A number with the fraction behind it: "3 1/2". */
  private number(): number {
    if (!this.skip('number')) return Number.NaN;
    const { values } = this;
    this.operands += 1;
    const value = values[this.numbers] ?? Number.NaN;
    this.numbers += 1;
    const [above, slash, below] = this.side.slice(this.at, this.at + 3);
    const isMixed =
      above?.kind === 'number' && slash?.text === '/' && !slash.isApart && below?.kind === 'number';
    if (!isMixed) return value;
    const fraction = (values[this.numbers] ?? Number.NaN) / (values[this.numbers + 1] ?? Number.NaN);
    this.at += 3;
    this.numbers += 2;
    return fraction > 0 && fraction < 1 ? value + fraction : Number.NaN;
  }

  /** "eggs", "/family", "dollars/hour". */
  private unit(): void {
    for (;;) {
      const isPer = this.side[this.at]?.text === '/';
      const word = this.side[this.at + (isPer ? 1 : 0)];
      if (word?.kind !== 'word') return;
      this.units.add(word.text.toLowerCase().replace(/s$/, ''));
      this.at += isPer ? 2 : 1;
    }
  }
}
