import { parser as javascriptParser } from '@lezer/javascript';
import { parser as pythonParser } from '@lezer/python';
import { codeBlocks } from './code-blocks.ts';

/** Longer blocks are not judged: beyond them a slip of an editor says little. */
const CODE_CHARACTERS_MAX = 20_000;

// Strict parsers stop at the first error. To recover from errors takes them seconds for a page of what is no code.
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

/** The first fenced block of a known language that does not parse; null where all do. */
export function codeFault(completion: string): string | null {
  for (const { language, code, isClosed } of codeBlocks(completion)) {
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

/** The line in which code stops to parse; null where it parses, or is too long to be read. */
export function errorInCode(language: 'python' | 'javascript', code: string): number | null {
  if (code.length > CODE_CHARACTERS_MAX) return null;
  const text = `${code}\n`;
  const at = errorIn(parsers[language], text);
  return at === null ? null : text.slice(0, at).split('\n').length;
}

function syntaxProblem(language: string, code: string): string | null {
  if (!Object.hasOwn(parsers, language) || code.length > CODE_CHARACTERS_MAX || isAbridged(code)) return null;
  // Notebooks' own lines, and what a console shows, are not the language.
  if (/^[ \t]*(?:[!%]|>>> |In \[)/m.test(code)) return null;
  const text = `${code}\n`;
  const at = errorIn(parsers[language as keyof typeof parsers], text);
  return at === null ? null : `does not parse (line ${text.slice(0, at).split('\n').length})`;
}

/** Where a text stops to be of the language; null where it does not. */
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

/** Whether something is left out for the reader: what is left of it need not parse. */
const isAbridged = (code: string): boolean =>
  /^[ \t]*(?:\.\.\.|…)|[[{(,]\s*(?:\.\.\.|…)\s*[\])},]/m.test(code);
