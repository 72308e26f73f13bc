import { bracketEnd, type CodeLanguage, isLiteral, isLiteralCall, literalAt, parseCode } from './literals.ts';
import { type Program, parametersOf } from './read-code.ts';
import type { Check, Example } from './sandbox.ts';

/** More are not run. */
const CHECKS_MAX = 60;
/** More are not looked at. */
const CALLS_MAX = 500;

/** The examples that a text has of the functions of a program, in order. */
export function readExamples(program: Program, text: string): Check[] {
  if (program.functions.length === 0) return [];
  const anyOrder = ANY_ORDER.test(text);
  const { checks, rest } =
    program.language === 'python' ? readDoctests(program, text) : { checks: [], rest: text };
  const others = [...readCalls(program, rest), ...readProse(program, rest)];
  // A string of the program holds the text of its docstring, in which a backslash may be two.
  const isEscaped = /"""|'''/.test(text);
  return withoutContradictions([...checks, ...others])
    .filter((check) => check.type !== 'example' || !isEscaped || !check.quote.includes('\\'))
    .slice(0, CHECKS_MAX)
    .map((check) => (check.type === 'example' ? { ...check, anyOrder } : check));
}

const ANY_ORDER =
  /\b(?:any|arbitrary|whatever) order\b|\border (?:does|is|of)[^.\n]{0,40}(?:not|n't|irrelevant)/i;

type Draft = Omit<Example, 'type' | 'anyOrder'>;

const exampleOf = (draft: Draft): Example => ({ type: 'example', anyOrder: false, ...draft });

/** Examples without those that say two things of one call. */
function withoutContradictions(checks: readonly Check[]): Check[] {
  const expected = new Map<string, Set<string>>();
  const keyOf = ({ expression }: Example): string => expression;
  for (const check of checks) {
    if (check.type !== 'example') continue;
    const all = expected.get(keyOf(check)) ?? new Set();
    expected.set(
      keyOf(check),
      all.add((check.literal ?? check.text).replaceAll(/\s/g, '').replaceAll("'", '"')),
    );
  }
  // A program with statements between its examples may have a state.
  const hasSetup = checks.some(({ type }) => type === 'setup');
  return checks.filter(
    (check) => check.type !== 'example' || hasSetup || expected.get(keyOf(check))?.size === 1,
  );
}

/** The sessions of the interactive interpreter in a text, and the text without them. */
function readDoctests({ functions }: Program, text: string): { checks: Check[]; rest: string } {
  const names = new Set(functions);
  const checks: Check[] = [];
  const rest: string[] = [];
  const lines = text.split('\n');
  for (let n = 0; n < lines.length; n += 1) {
    const [, indent = '', first] = /^([ \t]*)>>> ?(.*)$/.exec(lines[n] ?? '') ?? [];
    if (first === undefined) {
      rest.push(lines[n] ?? '');
      continue;
    }
    const source = [first];
    while (/^[ \t]*\.\.\.(?: |$)/.test(lines[n + 1] ?? '')) {
      n += 1;
      source.push((lines[n] ?? '').replace(/^[ \t]*\.\.\. ?/, ''));
    }
    const want: string[] = [];
    while (isWanted(lines[n + 1], indent)) {
      n += 1;
      want.push((lines[n] ?? '').slice(indent.length));
    }
    const check = doctestOf(source.join('\n'), want, names);
    // What follows a statement that cannot be read lacks what that statement made.
    if (check === null) checks.push({ type: 'setup', code: UNREADABLE });
    if (check === null) rest.push(first, ...want);
    else {
      checks.push(check);
      rest.push('');
    }
  }
  return { checks, rest: rest.join('\n') };
}

const isWanted = (line: string | undefined, indent: string): boolean =>
  line !== undefined &&
  line.trim() !== '' &&
  line.startsWith(indent) &&
  !/^\s*(?:>>>|"""|'''|```)/.test(line);

/** A statement that fails. */
const UNREADABLE = 'raise SyntaxError';

/** Whether a source calls one of these functions by its bare name. */
function callsAny(source: string, functions: ReadonlySet<string>): boolean {
  for (const [, name = ''] of source.matchAll(/(?<![\p{L}\p{N}_.])([\p{L}_][\p{L}\p{N}_]*)\(/gu)) {
    if (functions.has(name)) return true;
  }
  return false;
}

/** One example of a session; null if its source is not Python. */
function doctestOf(source: string, want: readonly string[], functions: ReadonlySet<string>): Check | null {
  const tree = parseCode('python', `${source}\n`);
  const statement = tree?.topNode.firstChild ?? null;
  if (tree === null || statement === null) return null;
  const next = statement.nextSibling;
  const isOne = statement.name === 'ExpressionStatement' && (next === null || next.name === 'Comment');
  const isAbout = callsAny(source, functions);
  if (!isOne || !isAbout || /# *doctest:/.test(source)) return { type: 'setup', code: source };
  const expression = source.slice(statement.from, statement.to).trim();
  const quote = [`>>> ${source}`, ...want].join('\n');
  if (want.length === 0) {
    const inner = statement.firstChild;
    const operator = inner?.firstChild?.nextSibling;
    const right = inner?.lastChild;
    if (inner?.name !== 'BinaryExpression' || operator?.name !== 'CompareOp' || right == null)
      return { type: 'setup', code: source };
    const literal = source.slice(right.from, right.to);
    if (source.slice(operator.from, operator.to) !== '==' || !isLiteral('python', literal))
      return { type: 'setup', code: source };
    return exampleOf({
      notation: 'unrun',
      quote,
      expression: source.slice(inner.from, operator.from).trim(),
      literal,
      text: literal,
      raises: null,
    });
  }
  const whole = want.join('\n').trim();
  if (whole.startsWith('Traceback')) {
    const raises = /^(\w[\w.]*)(?::|$)/.exec(want.at(-1)?.trim() ?? '')?.[1] ?? null;
    return raises === null
      ? { type: 'setup', code: source }
      : exampleOf({ notation: 'doctest', quote, expression, literal: null, text: whole, raises });
  }
  const firstLine = want[0]?.trim() ?? '';
  const literal = [whole, firstLine].find((each) => isLiteral('python', each)) ?? null;
  return exampleOf({ notation: 'doctest', quote, expression, literal, text: whole, raises: null });
}

/** What stands between a call and its result. The sign of equality and `is` also define: `f(1) = 1`, `f(n) = n f(n - 1)`. */
const OPERATOR =
  // At most 200 characters.
  /\s*(?:`\s*)?(?:(?:#|\/\/)\s*)?(?:==>|={1,3}>|={2,3}|-{1,2}>|➞|→|⇒|➜|⟶|↦|=|(?:should|must|will|would) (?:be|return|equal|give|output|yield)|returns?|outputs?|gives|yields|evaluates to|equals|is)(?:\s*:)?\s*`?/iy;
const COMMENT =
  // At most 200 characters.
  /\s*;?\s*(?:#|\/\/)\s*(?:(?:=>|->|→|➞|==>|expected(?: output| result)?|prints?|outputs?|returns?|result|should (?:print|output|return|be))\s*(?:is\b)?\s*:?\s*)?/iy;
// At most 200 characters.
const RAISES = /\s*(?:(?:#|\/\/)\s*)?raises?\s+(?:an? )?`?(\w+(?:Error|Exception))\b/y;
/** What may follow a result: the end, or words that explain it. Another operator makes it part of something else. */
const AFTER =
  /^[`*]*\)*;?\s*(?:$|[.,;](?!\d)|#|\/\/|\(|[—–]|(?:because|since|as|and|where|when|if|for|but|while)\b)/;

/** What tells a result that is not wanted: the wanted one follows it. */
const UNWANTED =
  // At most 200 characters.
  /^[\s`*.,;:()—–-]*(?:(?:but|and|yet|while|whereas|although)\b\s*)?(?:(?:it|this|that|i|we|you)\b\s*)?(?:should|must|ought|expect(?:ed|s|ing)?|want(?:ed|s)?|instead|rather than)\b/i;

/** Words that may stand before an example on its line. */
const LEADING = new Set(
  'a and assert case e eg ex example examples expected for g here i ie instance input like note output print console log sample say so test then thus usage'.split(
    ' ',
  ),
);

/** The examples of calls: `f(1) == 2`, `f(1) returns 2`, `print(f(1))  # 2`. */
function readCalls({ language, functions }: Program, text: string): Example[] {
  const names = functions.map((name) => name.replaceAll('$', '\\$')).join('|');
  const defined = new Set<string>();
  const found: { name: string; isCertain: boolean; example: Example }[] = [];
  let from = 0;
  let looked = 0;
  for (const match of text.matchAll(new RegExp(`(?<![\\w.$])(${names})\\(`, 'g'))) {
    const [, name = ''] = match;
    looked += 1;
    if (looked > CALLS_MAX) break;
    const lineStart = text.lastIndexOf('\n', match.index) + 1;
    const before = text.slice(Math.max(from, lineStart), match.index);
    const end = bracketEnd(text, match.index + name.length);
    if (end === null) continue;
    const call = text.slice(match.index, end);
    const isPlain = isLiteralCall(language, call);
    if (!isPlain) {
      if (isDefinition(text, end)) defined.add(name);
      continue;
    }
    if (!isLeading(before)) continue;
    const read = readResult(language, text, end, before);
    if (read === null) continue;
    from = read.end;
    const lineEnd = text.indexOf('\n', read.end);
    const rest = text.slice(read.end, lineEnd === -1 ? undefined : lineEnd);
    // What follows the result is part of it: `f(2) = 1 + f(1)`.
    if (!AFTER.test(rest) || UNWANTED.test(rest.slice(0, 200))) continue;
    const wrapper = /(?:print|console\.log|assert\.\w+|expect)\($/.exec(before.slice(-30))?.[0] ?? '';
    const quote = text.slice(match.index - wrapper.length, read.end);
    const isCertain = /\bassert\b|expect\($/.test(before);
    found.push({
      name,
      isCertain,
      example: exampleOf({
        notation: 'call',
        quote,
        expression: call,
        literal: read.literal,
        text: read.text,
        raises: read.raises,
      }),
    });
  }
  return found.filter(({ name, isCertain }) => isCertain || !defined.has(name)).map(({ example }) => example);
}

/** Whether what follows a call defines it: `f(n) = …`. */
function isDefinition(text: string, end: number): boolean {
  return /^\s*(?::=|=(?!=)|[-=]>|→|➞)/.test(text.slice(end, end + 10));
}

function isLeading(before: string): boolean {
  const plain = before.replace(/^[\s#/*>•·|`"'–-]+/, '').toLowerCase();
  if (/[=<>{}[\]+*/%^&|!~\\]/.test(plain)) return false;
  const wrapped = plain.replace(/(?:print|console\.log|console\.assert|assert\.\w+|expect)\(\s*$/, '');
  if (wrapped.includes('(') && !/^[^a-z]*\((?:e\.g\.|i\.e\.|for example)?[,:\s]*$/.test(wrapped))
    return false;
  return (wrapped.match(/[a-z]+/g) ?? []).every((word) => LEADING.has(word));
}

interface Result {
  readonly literal: string | null;
  readonly text: string;
  readonly raises: string | null;
  readonly end: number;
}

/** Matches a sticky pattern at an offset, on the 200 characters from there. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = 0;
  return pattern.exec(text.slice(at, at + 200));
}

/** The result that follows a call which ends at `end`. */
function readResult(language: CodeLanguage, text: string, end: number, before: string): Result | null {
  const literal = (at: number, closing = ''): Result | null => {
    const read = literalAt(language, text, at);
    if (read === null || !text.startsWith(closing, read.end)) return null;
    return { literal: read.text, text: read.text, raises: null, end: read.end + closing.length };
  };
  if (/assert\.(?:equal|strictEqual|deepEqual|deepStrictEqual)\(\s*$/.test(before)) {
    const comma = matchAt(/\s*,/y, text, end);
    return comma === null ? null : literal(end + comma[0].length);
  }
  if (/expect\(\s*$/.test(before)) {
    const matcher = matchAt(/\)\.to(?:Be|Equal|StrictEqual)\(/y, text, end);
    return matcher === null ? null : literal(end + matcher[0].length, ')');
  }
  if (/(?:print|console\.log)\(\s*$/.test(before)) {
    const comment = text[end] === ')' ? matchAt(COMMENT, text, end + 1) : null;
    if (comment === null || !/#|\/\//.test(comment[0]) || comment[0].includes('\n')) return null;
    return literal(end + 1 + comment[0].length);
  }
  const raises = matchAt(RAISES, text, end);
  if (raises !== null && language === 'python') {
    return { literal: null, text: raises[0], raises: raises[1] ?? null, end: end + raises[0].length };
  }
  const operator = matchAt(OPERATOR, text, end) ?? matchAt(COMMENT, text, end);
  // The result stands on the line of the call.
  if (operator === null || operator[0].trim() === '' || operator[0].includes('\n')) return null;
  return literal(end + operator[0].length);
}

// At most 200 characters.
const NAMED = /\s*(?:and\s+)?([A-Za-z_]\w*)\s*=(?!=)\s*/y;
// At most 200 characters.
const SEPARATOR = /[ \t]*(?:,\s*|\n\s*(?=[A-Za-z_]\w*\s*=)|\s+and\s+)?/y;
const RESULT =
  // At most 200 characters.
  /[^\n]{0,80}?\b(?:the )?(?:output|result|answer|function)(?: should| would| will| must)? (?:be|is|return)s?:?\s+|\s*[,;.]?\s*(?:\n\s*)?(?:expected )?(?:output|result|returns?)\s*[:=]\s*/iy;
const GIVEN = /\b(?:for|given|with)\s+(?=[A-Za-z_]\w*\s*=)|\binputs?\s*:\s*/gi;

/** The examples of prose: `For n = 1 the output should be 2`, `Input: n = 1, Output: 2`. */
function readProse(program: Program, text: string): Example[] {
  const { language, entry } = program;
  const parameters = entry === null ? null : parametersOf(program, entry);
  if (entry === null || parameters === null || parameters.all.length === 0) return [];
  const examples: Example[] = [];
  for (const match of text.matchAll(GIVEN)) {
    const start = match.index + match[0].length;
    const given = readGiven(language, text, start);
    if (given === null) continue;
    const expression = callOf(entry, given.values, parameters);
    const result = expression === null ? null : matchAt(RESULT, text, given.end);
    if (expression === null || result === null) continue;
    const literal = literalAt(language, text, given.end + result[0].length);
    if (literal === null) continue;
    const lineEnd = text.indexOf('\n', literal.end);
    if (!AFTER.test(text.slice(literal.end, lineEnd === -1 ? undefined : lineEnd))) continue;
    const quote = text.slice(match.index, literal.end);
    examples.push(
      exampleOf({
        notation: 'prose',
        quote,
        expression,
        literal: literal.text,
        text: literal.text,
        raises: null,
      }),
    );
  }
  return examples;
}

interface Given {
  /** By name; one without a name if only a value is given. */
  readonly values: readonly { readonly name: string | null; readonly literal: string }[];
  readonly end: number;
}

function readGiven(language: CodeLanguage, text: string, start: number): Given | null {
  const values: { name: string; literal: string }[] = [];
  let at = start;
  for (;;) {
    const named = matchAt(NAMED, text, at);
    const literal = named === null ? null : literalAt(language, text, at + named[0].length);
    if (named === null || literal === null) break;
    values.push({ name: named[1] ?? '', literal: literal.text });
    at = literal.end + (matchAt(SEPARATOR, text, literal.end)?.[0].length ?? 0);
  }
  if (values.length > 0) return { values, end: at };
  const only = literalAt(language, text, start);
  // A list of values without brackets is not one value.
  if (only === null || !/^\s*(?:\n|$|expected|output|[.;])/i.test(text.slice(only.end, only.end + 20)))
    return null;
  return { values: [{ name: null, literal: only.text }], end: only.end };
}

/** The call with the values that are given; null if they are not those that the function takes. */
function callOf(
  entry: string,
  values: Given['values'],
  { required, all }: { required: string[]; all: string[] },
): string | null {
  const [first] = values;
  if (first?.name === null) return required.length === 1 ? `${entry}(${first.literal})` : null;
  const byName = new Map(values.map(({ name, literal }) => [name ?? '', literal]));
  if (byName.size !== values.length || ![...byName.keys()].every((name) => all.includes(name))) return null;
  if (!required.every((name) => byName.has(name))) return null;
  const named = all.map((name) => byName.get(name));
  const last = named.findLastIndex((literal) => literal !== undefined);
  const given = named.slice(0, last + 1);
  return given.every((literal) => literal !== undefined) ? `${entry}(${given.join(', ')})` : null;
}
