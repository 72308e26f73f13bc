/** Where a text stops being JSON: line and column count from 1, in characters. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  /** What JSON has in that place. */
  readonly expected: string;
}

/** What a scan expects next. */
type State = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma' | 'end';

const EXPECTED: Readonly<Record<Exclude<State, 'comma'>, string>> = {
  value: 'expected a value',
  'value or ]': 'expected a value or "]"',
  name: 'expected a field name in double quotes',
  'name or }': 'expected a field name in double quotes or "}"',
  colon: 'expected ":"',
  end: 'expected the end of the text',
};

const BLANK = /[ \t\r\n]*/y;
const LITERAL = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** After a number or a word: `01` and `nullx` are no values. */
const CONTINUED = /[A-Za-z0-9_.+-]/;

/** Length of a match at exactly that place; null where there is none. */
function matchAt(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? null;
}

/** Where a string ends that begins at `at`, or the fault in it. */
function endOfString(text: string, at: number): { end: number } | { fault: number; expected: string } {
  let index = at + 1;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === 0x22) return { end: index + 1 };
    if (code < 0x20) return { fault: index, expected: 'expected an escaped control character, such as \\n' };
    const escaped = code === 0x5c ? matchAt(ESCAPE, text, index) : 1;
    if (escaped === null) return { fault: index, expected: 'expected an escape that JSON knows' };
    index += escaped;
  }
  return { fault: text.length, expected: 'expected the closing quote of a string' };
}

/** Finds the first place at which a text is not JSON; null where all of it is. It takes any depth of nesting. */
export function findJsonFault(text: string): JsonFault | null {
  const open: ('{' | '[')[] = [];
  let state: State = 'value';
  let at = 0;

  const expectation = (): string => {
    if (state !== 'comma') return EXPECTED[state];
    return open.at(-1) === '{' ? 'expected "," or "}"' : 'expected "," or "]"';
  };
  const ended = (): State => (open.length === 0 ? 'end' : 'comma');
  const close = (bracket: '{' | '['): boolean => {
    if (open.at(-1) !== bracket) return false;
    open.pop();
    state = ended();
    return true;
  };
  /** Takes one bracket, comma or colon; false where the state does not allow it. */
  const takeMark = (mark: string): boolean => {
    if (mark === '}') return (state === 'comma' || state === 'name or }') && close('{');
    if (mark === ']') return (state === 'comma' || state === 'value or ]') && close('[');
    if (mark === ':') {
      const wasColon = state === 'colon';
      if (wasColon) state = 'value';
      return wasColon;
    }
    if (mark === ',') {
      const wasComma = state === 'comma';
      if (wasComma) state = open.at(-1) === '{' ? 'name' : 'value';
      return wasComma;
    }
    if (state !== 'value' && state !== 'value or ]') return false;
    open.push(mark === '{' ? '{' : '[');
    state = mark === '{' ? 'name or }' : 'value or ]';
    return true;
  };

  for (;;) {
    at += matchAt(BLANK, text, at) ?? 0;
    if (at >= text.length) return state === 'end' ? null : faultAt(text, at, expectation());
    const mark = text.charAt(at);
    const isName: boolean = state === 'name' || state === 'name or }';
    const isValue: boolean = state === 'value' || state === 'value or ]';
    if ('{}[],:'.includes(mark)) {
      if (!takeMark(mark)) return faultAt(text, at, expectation());
      at += 1;
    } else if (mark === '"' && (isName || isValue)) {
      const string = endOfString(text, at);
      if ('fault' in string) return faultAt(text, string.fault, string.expected);
      at = string.end;
      state = isName ? 'colon' : ended();
    } else {
      const length = isValue ? matchAt(LITERAL, text, at) : null;
      if (length === null || CONTINUED.test(text.charAt(at + length)))
        return faultAt(text, at, expectation());
      at += length;
      state = ended();
    }
  }
}

function faultAt(text: string, at: number, expected: string): JsonFault {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n'), expected };
}
