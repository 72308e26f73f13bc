import { errorInCode, jsonIsValid } from './lint/code.ts';

/** Longest text that is repaired; longer ones are not written by hand. */
const REPAIRED_MAX = 20_000;

/**
 * JSON with its notation repaired: quotation marks, keys without marks, literals of Python, commas before a closing
 * bracket, missing closing brackets at the end, superfluous ones. Values never change. Null if that gives no JSON, or
 * if the text may lack its end.
 */
export function repairJson(text: string): string | null {
  if (text.length > REPAIRED_MAX || !/^[[{]/.test(text) || jsonIsValid(text)) return null;
  const tokens = tokensOf(text);
  if (tokens === null) return null;
  const kept: string[] = [];
  const open: string[] = [];
  for (const [n, token] of tokens.entries()) {
    const isClosing = token === '}' || token === ']';
    if (isClosing && kept.at(-1)?.trim() === ',') kept.pop();
    if (isClosing && open.length === 0) {
      // Only closing brackets follow the end.
      if (tokens.slice(n).some((rest) => rest !== '}' && rest !== ']')) return null;
      break;
    }
    if (isClosing && open.pop() !== token) return null;
    if (token === '{') open.push('}');
    if (token === '[') open.push(']');
    kept.push(token === ',' || token === ':' ? `${token} ` : token);
  }
  // After a bare value others may be missing.
  if (open.length > 0 && !/[}\]]$/.test(text)) return null;
  const repaired = kept.join('') + open.reverse().join('');
  return jsonIsValid(repaired) ? repaired : null;
}

const LITERALS: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
]);

/** The tokens of JSON that may be in the notation of Python or JavaScript, in that of JSON; null if it is neither. */
function tokensOf(text: string): string[] | null {
  const tokens: string[] = [];
  const pattern =
    /\s+|([{}[\],:])|("(?:[^"\\\n]|\\.)*")|'((?:[^'\\\n]|\\.|'(?!\s*[,:}\]]))*)'(?=\s*[,:}\]]|$)|([\w.+-]+)/y;
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return null;
    const [, mark, double, single, word] = match;
    if (mark !== undefined) tokens.push(mark);
    else if (double !== undefined) tokens.push(double);
    else if (single !== undefined) tokens.push(doubleQuoted(single));
    else if (word !== undefined) {
      const isKey = /^\s*:/.test(text.slice(pattern.lastIndex, pattern.lastIndex + 20));
      tokens.push(isKey && /^[a-z_]/i.test(word) ? JSON.stringify(word) : (LITERALS.get(word) ?? word));
    }
  }
  return tokens;
}

/** The content of a string in single marks, as one in double marks: its escapes stay, but for that of a single mark. */
const doubleQuoted = (content: string): string =>
  `"${content.replaceAll(/\\(.)|"/gs, (found, escaped: string | undefined) =>
    escaped === undefined ? '\\"' : escaped === "'" ? "'" : found,
  )}"`;

/** The first line of a block in Python. */
const HEADER = /^[ \t]*(?:async )?(?:def|class|if|elif|else|for|while|try|except|finally|with)\b[^#:]*$/;
const PAIRS: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/** Code that parses after the smallest repair of its notation: a colon, or closing brackets; null without one. */
export function repairCode(language: 'python' | 'javascript', code: string): string | null {
  // A text that ends within an expression lacks its end, not a bracket.
  if (code.length > REPAIRED_MAX || /[([{,.=+*/%&|<>-]\s*$/.test(code)) return null;
  const line = errorInCode(language, code);
  if (line === null) return null;
  const lines = code.split('\n');
  const repairs: string[][] = [];
  // The parser stops at the fault, or at the beginning of the next line.
  for (const n of [line - 1, line - 2]) {
    const shown = lines[n]?.trimEnd();
    if (shown === undefined) continue;
    if (language === 'python' && HEADER.test(shown)) repairs.push(lines.with(n, `${shown}:`));
    // A bracket that is missing at the end of the text may be missing with what stood before it.
    const missing = n === lines.length - 1 ? '' : unclosedIn(shown);
    if (missing !== null && missing !== '') {
      repairs.push(lines.with(n, `${shown}${missing}`));
      if (language === 'python') repairs.push(lines.with(n, shown.replace(/:$/, `${missing}:`)));
    }
  }
  return (
    repairs.map((edited) => edited.join('\n')).find((edited) => errorInCode(language, edited) === null) ??
    null
  );
}

/** The closing brackets that a text lacks; null if it has one too many. */
function unclosedIn(text: string): string | null {
  const open: string[] = [];
  for (const [mark] of text.matchAll(/"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|[()[\]{}]/g)) {
    const closing = PAIRS.get(mark);
    if (closing !== undefined) open.push(closing);
    else if (/^[)\]}]$/.test(mark) && open.pop() !== mark) return null;
  }
  return open.reverse().join('');
}
