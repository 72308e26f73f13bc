import { codeBlocks } from '#shared/answers/decide/lint/code-blocks.ts';
import type { WitnessedRow } from '../witness.ts';
import { bracketEnd, type CodeLanguage, parseCode } from './literals.ts';

/** The code of a completion. */
export interface Program {
  readonly language: CodeLanguage;
  readonly prelude: string;
  readonly code: string;
  /** The functions that it defines at its top, in order. */
  readonly functions: readonly string[];
  /** The function that the row is about. */
  readonly entry: string | null;
  /** Whether the code is meant to be whole, so that it must compile. */
  readonly isWhole: boolean;
}

/** Longer rows are not read. */
const CHARACTERS_MAX = 50_000;

const PYTHON_START = /^(?:from \w|import \w|(?:async )?def \w|class \w|@\w)/m;
const PYTHON_FUNCTION = /^(?:async )?def +(\w+) *\(/gm;
const JAVASCRIPT_FUNCTION =
  /^(?:export (?:default )?)?(?:(?:async )?function\*? *([\w$]+) *\(|(?:const|let|var) ([\w$]+) = (?:async )?(?:function\b|\(|[\w$]+ =>))/gm;

/** The code of a row that defines a function in Python or JavaScript; null if there is none, or more than one candidate. */
export function readProgram({ prompt, completion }: WitnessedRow): Program | null {
  if (prompt.length + completion.length > CHARACTERS_MAX) return null;
  const found = findCode(prompt, completion);
  if (found === null) return null;
  const functions = functionsOf(found.language, found.code);
  if (functions.length === 0) return null;
  const named = nameInPrompt(found.language, prompt);
  const entry =
    named !== null && functions.includes(named)
      ? named
      : functions.length === 1
        ? (functions[0] ?? null)
        : null;
  const isWhole = found.isWhole && isMeantWhole(found.language, prompt, found.code);
  return { ...found, functions, entry, isWhole };
}

type Found = Pick<Program, 'language' | 'prelude' | 'code' | 'isWhole'>;

function findCode(prompt: string, completion: string): Found | null {
  const prelude = pythonOf(prompt);
  const blocks = codeBlocks(completion);
  if (blocks.length > 0) {
    if (blocks.some(({ isClosed }) => !isClosed)) return null;
    const candidates = blocks.flatMap(({ language, code }) => {
      const read = languageOf(language, code);
      return read !== null && functionsOf(read, code).length > 0
        ? [{ language: read, code, isTagged: language !== '' }]
        : [];
    });
    // Two programs may be two ways to the same end, or a wrong one and its correction.
    const [only, ...others] = candidates;
    if (only === undefined || others.length > 0) return null;
    const { language, code, isTagged } = only;
    return { language, prelude: language === 'python' ? prelude : '', code, isWhole: isTagged };
  }
  const text = completion.replaceAll('\r\n', '\n').replace(/^\n+/, '');
  if (/^(?: {4}|\t)\S/.test(text) && PYTHON_FUNCTION_END.test(prelude)) {
    // The body of a function whose head is the end of the prompt.
    return { language: 'python', prelude: '', code: `${prelude.trimEnd()}\n${text}\n`, isWhole: false };
  }
  const first = /^\S.*/m.exec(text)?.[0] ?? '';
  const isModule =
    /^(?:"""|''')/.test(first) && PYTHON_START.test(text) && parseCode('python', `${text}\n`) !== null;
  if (
    isModule ||
    PYTHON_START.test(first) ||
    (/^(?:#|[A-Za-z_]\w* *=)/.test(first) && PYTHON_START.test(text))
  ) {
    return { language: 'python', prelude, code: text, isWhole: hasOnlyCode(text) };
  }
  if (
    /^(?:export |async )?(?:function\b|const \w|let \w|var \w|class \w)/.test(first) &&
    /[;{}]/.test(text)
  ) {
    return { language: 'javascript', prelude: '', code: text, isWhole: false };
  }
  return null;
}

/** A head, and no body but a docstring, at the end of a text. */
const PYTHON_FUNCTION_END = /^(?:async )?def \w/m;

function languageOf(tag: string, code: string): CodeLanguage | null {
  if (['python', 'py', 'python3'].includes(tag)) return 'python';
  if (['javascript', 'js', 'mjs'].includes(tag)) return 'javascript';
  if (tag !== '') return null;
  return parseCode('python', `${code}\n`) !== null && PYTHON_START.test(code)
    ? 'python'
    : parseCode('javascript', code) !== null
      ? 'javascript'
      : null;
}

/** The names of the functions that code defines at its top. */
export function functionsOf(language: CodeLanguage, code: string): string[] {
  const pattern = language === 'python' ? PYTHON_FUNCTION : JAVASCRIPT_FUNCTION;
  return [...new Set([...code.matchAll(pattern)].map(([, first, second]) => first ?? second ?? ''))];
}

/** The parameters of a function that have no default; null if they cannot be told. */
export function parametersOf(
  { language, code }: Program,
  name: string,
): { required: string[]; all: string[] } | null {
  const head = new RegExp(
    language === 'python'
      ? `^(?:async )?def +${name} *\\(`
      : `(?:function\\*? *${name.replaceAll('$', '\\$')} *|^(?:const|let|var) ${name.replaceAll('$', '\\$')} = )\\(`,
    'm',
  ).exec(code);
  if (head === null) return null;
  const open = head.index + head[0].length - 1;
  const end = bracketEnd(code, open);
  if (end === null) return null;
  const text = code.slice(open + 1, end - 1);
  if (/[*{]|\.\.\.|#|\/\//.test(text)) return null;
  // Brackets of types and defaults hold commas of their own.
  const parts = splitAtCommas(text)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const nameOf = (part: string): string => /^[\w$]+/.exec(part)?.[0] ?? '';
  return {
    required: parts.filter((part) => !part.includes('=')).map(nameOf),
    all: parts.map(nameOf),
  };
}

function splitAtCommas(text: string): string[] {
  const parts = [''];
  for (let n = 0; n < text.length; n += 1) {
    const character = text[n] ?? '';
    const end = '([{'.includes(character) ? bracketEnd(text, n) : null;
    if (end !== null) {
      parts[parts.length - 1] += text.slice(n, end);
      n = end - 1;
    } else if (character === ',') parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** The function that a prompt asks for: the last one whose head it has, or the one that it names. */
function nameInPrompt(language: CodeLanguage, prompt: string): string | null {
  const heads = functionsOf(language, prompt);
  const named = /\bfunction (?:called |named )?[`'"]?([A-Za-z_]\w*)[`'"]?\(?/.exec(prompt)?.[1];
  return heads.at(-1) ?? named ?? null;
}

/** The Python code of a prompt: its fenced code, or its text from the first line that is code. */
function pythonOf(prompt: string): string {
  const blocks = codeBlocks(prompt).filter(
    ({ language, code }) => languageOf(language, code) === 'python' || ['python', 'py'].includes(language),
  );
  if (blocks.length > 0) return blocks.map(({ code }) => code).join('\n');
  const at = prompt.search(PYTHON_START);
  return at === -1 ? '' : prompt.slice(at);
}

/**
 * The code that a text itself has of one of these functions, as one that is to be mended: its blocks of code, or the
 * statements at its margin. Null for a head without a body, which is a signature.
 */
export function givenCode(
  { language, functions }: Pick<Program, 'language' | 'functions'>,
  text: string,
): string | null {
  if (text.length > CHARACTERS_MAX) return null;
  const blocks = codeBlocks(text)
    .map(({ code }) => code)
    .filter((code) => languageOf('', code) === language);
  const code =
    blocks.length > 0
      ? blocks.join('\n')
      : language === 'python'
        ? statementsIn(text)
        : functions.map((name) => javascriptFunctionIn(text, name)).join('\n');
  return functions.some((name) => isDefined(language, code, name)) ? code : null;
}

const PYTHON_STATEMENT =
  /^(?:from \w[\w.]* import |import \w|(?:async )?def \w|class \w|@\w|[A-Za-z_]\w* = )/;

/** The definitions, imports and assignments at the margin of a text in Python; prose may stand between them. */
function statementsIn(text: string): string {
  let isInside = false;
  return text
    .split('\n')
    .filter((line) => {
      if (/^\S/.test(line)) isInside = PYTHON_STATEMENT.test(line) || (isInside && /^[\])}]/.test(line));
      return isInside;
    })
    .join('\n');
}

/** The declaration of a function in a text in JavaScript; empty if it has none. */
function javascriptFunctionIn(text: string, name: string): string {
  const head = new RegExp(`(?:async )?function\\*? *${name.replaceAll('$', '\\$')} *(?=\\()`).exec(text);
  if (head === null) return '';
  const end = bracketEnd(text, head.index + head[0].length);
  const open = end === null ? -1 : text.indexOf('{', end);
  const close =
    open === -1 || end === null || text.slice(end, open).trim() !== '' ? null : bracketEnd(text, open);
  return close === null ? '' : text.slice(head.index, close);
}

/** Whether code defines a function at its top whose body does something. */
function isDefined(language: CodeLanguage, code: string, name: string): boolean {
  if (!functionsOf(language, code).includes(name)) return false;
  if (language === 'javascript') return true;
  const plain = code.replaceAll(/"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)/g, '').replaceAll(/#[^\n]*/g, '');
  const head = new RegExp(`^(?:async )?def +${name} *(?=\\()`, 'm').exec(plain);
  const end = head === null ? null : bracketEnd(plain, head.index + head[0].length);
  if (end === null) return false;
  const [own = ''] = plain.slice(end).split(/\n(?=\S)/, 1);
  const body = own.slice(own.indexOf(':') + 1);
  const stub = /\b(?:pass|raise NotImplementedError)\b(?:\("[^"\n]*"\)|\(\))?|\.\.\./g;
  return body.replaceAll(stub, '').trim() !== '';
}

/** Whether each line at the margin looks like code, and none like a sentence. */
function hasOnlyCode(text: string): boolean {
  return text
    .split('\n')
    .every((line) =>
      /^(?:\s|$|#|@|[\])}]|(?:async |def |class |from |import |if |elif |else\b|for |while |try\b|except\b|finally\b|with |return\b|print\(|assert )|[\w.[\]'", ]+(?:[-+*/]?=|\())/.test(
        line,
      ),
    );
}

/** Whether code is meant to compile by the language of today: not abridged, not for Python 2, not wrong on purpose. */
function isMeantWhole(language: CodeLanguage, prompt: string, code: string): boolean {
  if (
    /syntax ?error|\binvalid\b|\bincorrect\b|\bbroken\b|pseudo-?code|python ?2|\b(?:an?|the|any) (?:bug|error|mistake)|typescript|react|\bjsx\b|template|snippet|fragment/i.test(
      prompt,
    )
  )
    return false;
  if (/…|^[ \t]*\.\.\.[ \t]*$|<[a-z_ ]+>|\{\{|^[ \t]*(?:[!%]|>>> |In \[|[-+]{3} |@@ )/im.test(code))
    return false;
  if (language === 'python' && !hasBody(code)) return false;
  if (language === 'javascript')
    // What waits at its top is a module, or runs in a console; decorators are TypeScript's.
    return !/^[ \t]*(?:import\b|export\b|interface\b|type \w|@\w)|\bawait\b|<\/?[A-Za-z]|: *(?:string|number|boolean|any)\b/m.test(
      code,
    );
  return !/^[ \t]*print(?: +[^( =]| *>>)|except [\w.]+ *, *\w+ *:|<>|^[ \t]*exec ["']|^[ \t]*raise \w+ *,|(?<![\w.])0\d|\bur["']/m.test(
    code,
  );
}

/** Whether a function of the code has a body: a head alone is a signature. */
function hasBody(code: string): boolean {
  const lines = code.split('\n').filter((line) => line.trim() !== '');
  return lines.some((line, n) =>
    line.trimEnd().endsWith(':')
      ? /^[ \t]/.test(lines[n + 1] ?? '')
      : /^(?:async )?def .*[^,(\s][ \t]*$/.test(line),
  );
}
