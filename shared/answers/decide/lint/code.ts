import { parser as javascriptParser } from '@lezer/javascript';
import { parser as pythonParser } from '@lezer/python';
import { eachCodeBlock } from './code-blocks.ts';

/** Longer blocks are not checked. */
const CODE_CHARACTERS_MAX = 20_000;

// Strict parsers stop at the first error. Error recovery takes seconds for a page that is not code.
const python = pythonParser.configure({ strict: true });
const javascript = javascriptParser.configure({ strict: true });
const typescript = javascript.configure({ dialect: 'ts' });
const jsx = javascript.configure({ dialect: 'jsx' });
const tsx = javascript.configure({ dialect: 'ts jsx' });

const parsers = {
  python,
  py: python,
  python3: python,
  javascript: jsx,
  js: jsx,
  mjs: jsx,
  jsx,
  typescript,
  ts: typescript,
  tsx,
} as const;

/** The first fenced block of a known language that does not parse; null if all do. */
export function codeFault(completion: string): string | null {
  for (const { language, code, isClosed } of eachCodeBlock(completion)) {
    if (!isClosed) return 'has a block of code that is not closed';
    const problem = language === 'json' ? jsonProblem(code) : syntaxProblem(language, code);
    if (problem !== null) return `has ${language} code that ${problem}`;
  }
  return null;
}

function jsonProblem(code: string): string | null {
  return isAbridged(code) || jsonIsValid(code) ? null : 'is not valid JSON';
}

export function jsonIsValid(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The line of the first syntax error; null if the code parses or is too long. */
export function errorInCode(language: 'python' | 'javascript', code: string): number | null {
  if (code.length > CODE_CHARACTERS_MAX) return null;
  const text = parsable(language, code);
  const at = errorIn(parsers[language], text);
  return at === null ? null : text.slice(0, at).split('\n').length;
}

function syntaxProblem(language: string, code: string): string | null {
  if (!Object.hasOwn(parsers, language) || code.length > CODE_CHARACTERS_MAX || isAbridged(code)) return null;
  // Notebook commands and console output are not part of the language.
  if (/^[ \t]*(?:[!%]|>>> |In \[)/m.test(code)) return null;
  const text = parsable(language, code);
  const at = errorIn(parsers[language as keyof typeof parsers], text);
  return at === null ? null : `does not parse (line ${text.slice(0, at).split('\n').length})`;
}

/** Code with its last line ended. The grammar of Python does not know numbers that end in a point, as `1.`. */
const parsable = (language: string, code: string): string =>
  `${parsers[language as keyof typeof parsers] === python ? code.replaceAll(/(?<![\w.])(\d+)\.(?![\w.])/g, '$1.0') : code}\n`;

/** The offset of the first syntax error; null if there is none. */
function errorIn(parser: typeof python, text: string): number | null {
  try {
    parser.parse(text);
    return null;
  } catch (error) {
    const [, at] = /^No parse at (\d+)$/.exec((error as Error).message) ?? [];
    if (at === undefined) throw error;
    return Number(at);
  }
}

/** Whether code is abridged with an ellipsis; the rest need not parse. */
const isAbridged = (code: string): boolean =>
  /^[ \t]*(?:\.\.\.|…)|[[{(,]\s*(?:\.\.\.|…)\s*[\])},]/m.test(code);
