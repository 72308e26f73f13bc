import { parser as javascriptParser } from '@lezer/javascript';
import { parser as pythonParser } from '@lezer/python';

export type CodeLanguage = 'python' | 'javascript';

type Tree = ReturnType<typeof pythonParser.parse>;
type SyntaxNode = Tree['topNode'];

// Strict parsers stop at the first error.
const parsers = {
  python: pythonParser.configure({ strict: true }),
  javascript: javascriptParser.configure({ strict: true }),
} as const satisfies Record<CodeLanguage, unknown>;

/** Longer literals and calls are not read. */
const LITERAL_CHARACTERS_MAX = 2000;

/** The syntax tree of code; null if it does not parse. */
export function parseCode(language: CodeLanguage, code: string): Tree | null {
  try {
    return parsers[language].parse(code);
  } catch {
    return null;
  }
}

/** Nodes of literals and of what holds them together; names are looked at by themselves. */
const LITERAL_NODES = new Set([
  ...['Script', 'ExpressionStatement', 'ParenthesizedExpression', 'ArrayExpression', 'UnaryExpression'],
  ...['Number', 'String', 'ContinuedString', 'Escape', 'ArithOp'],
  ...['Boolean', 'None', 'TupleExpression', 'DictionaryExpression', 'SetExpression'],
  ...['BooleanLiteral', 'null', 'ObjectExpression', 'Property', 'PropertyDefinition', 'TemplateString'],
  ...['(', ')', '[', ']', '{', '}', ',', ':', ';'],
]);

/** Names that are values, also where an author took the word of another language. */
const VALUE_NAMES = {
  python: new Set(['true', 'false', 'null', 'none', 'TRUE', 'FALSE']),
  javascript: new Set(['undefined', 'NaN', 'Infinity']),
} as const satisfies Record<CodeLanguage, unknown>;

/** Whether a text is one literal: no name, no call, no operator but a sign. */
export function isLiteral(language: CodeLanguage, text: string): boolean {
  if (text.length > LITERAL_CHARACTERS_MAX || text.trim() === '') return false;
  const code = language === 'python' ? `${text.trim()}\n` : `(${text.trim()})`;
  const tree = parseCode(language, code);
  if (tree === null || countStatements(tree) !== 1) return false;
  return everyNode(tree, (node) => isLiteralNode(language, code, node));
}

function isLiteralNode(language: CodeLanguage, code: string, node: SyntaxNode): boolean {
  if (LITERAL_NODES.has(node.name)) return true;
  return node.name === 'VariableName' && VALUE_NAMES[language].has(code.slice(node.from, node.to));
}

/** Whether a text is a call of a plain name whose arguments are literals. */
export function isLiteralCall(language: CodeLanguage, text: string): boolean {
  if (text.length > LITERAL_CHARACTERS_MAX) return false;
  const code = `${text}\n`;
  const tree = parseCode(language, code);
  if (tree === null || countStatements(tree) !== 1) return false;
  return everyNode(tree, (node) => {
    if (node.name === 'ArgList' || node.name === 'AssignOp') return true;
    if (node.name === 'CallExpression') return node.from === 0;
    if (node.name === 'VariableName' && (node.from === 0 || node.nextSibling?.name === 'AssignOp'))
      return true;
    return isLiteralNode(language, code, node);
  });
}

function countStatements(tree: Tree): number {
  let count = 0;
  for (let node = tree.topNode.firstChild; node !== null; node = node.nextSibling) count += 1;
  return count;
}

function everyNode(tree: Tree, holds: (node: SyntaxNode) => boolean): boolean {
  let all = true;
  tree.iterate({
    enter: ({ node }) => {
      all &&= holds(node);
      return all;
    },
  });
  return all;
}

/** Where the bracket that opens at `at` closes, exclusive; null if it does not. Brackets in strings do not count. */
export function bracketEnd(text: string, at: number): number | null {
  const open: string[] = [];
  const end = Math.min(text.length, at + LITERAL_CHARACTERS_MAX);
  for (let n = at; n < end; n += 1) {
    const character = text[n] ?? '';
    if (character === '"' || character === "'") {
      const closed = stringEnd(text, n);
      if (closed === null) return null;
      n = closed - 1;
    } else if (character === '(') open.push(')');
    else if (character === '[') open.push(']');
    else if (character === '{') open.push('}');
    else if (character === ')' || character === ']' || character === '}') {
      if (open.pop() !== character) return null;
      if (open.length === 0) return n + 1;
    }
  }
  return null;
}

/** Where the string that opens at `at` closes, exclusive; null if it does not close on its line. */
function stringEnd(text: string, at: number): number | null {
  const quote = text[at];
  for (let n = at + 1; n < text.length && n < at + LITERAL_CHARACTERS_MAX; n += 1) {
    if (text[n] === '\\') n += 1;
    else if (text[n] === quote) return n + 1;
    else if (text[n] === '\n') return null;
  }
  return null;
}

const ATOM =
  /(?:0[xXbBoO][\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+)(?![\w%°])|(?:True|False|None|true|false|null|none|TRUE|FALSE|undefined|NaN|Infinity)(?![\w('"])/y;

/** The literal that begins at `at`, after spaces; null if what begins there is none. */
export function literalAt(
  language: CodeLanguage,
  text: string,
  at: number,
): { text: string; end: number } | null {
  let start = at;
  while (text[start] === ' ' || text[start] === '\t') start += 1;
  const sign = text[start] === '-' || text[start] === '+' ? 1 : 0;
  const end = endOfLiteral(text, start + sign);
  if (end === null) return null;
  const literal = text.slice(start, end);
  return isLiteral(language, literal) ? { text: literal, end } : null;
}

function endOfLiteral(text: string, start: number): number | null {
  const first = text[start] ?? '';
  if (first === '"' || first === "'") return stringEnd(text, start);
  if (first === '[' || first === '(' || first === '{') return bracketEnd(text, start);
  ATOM.lastIndex = start;
  return ATOM.test(text) ? ATOM.lastIndex : null;
}
