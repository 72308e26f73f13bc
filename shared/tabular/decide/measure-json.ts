import { NESTING_MAX } from './limits.ts';

/** How deep the values of a JSON text nest, and an upper bound of their number, by its brackets and commas. */
export function measureJson(text: string): { readonly depth: number; readonly values: number } {
  let [depth, deepest, values, isQuoted] = [0, 0, 1, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isQuoted) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) isQuoted = false;
    } else if (code === 0x22) isQuoted = true;
    else if (code === 0x2c) values += 1;
    else if (code === 0x5b || code === 0x7b) {
      values += 1;
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return { depth: deepest, values };
}

/** Whether no value of a JSON text nests deeper than readers of rows can follow. */
export const nestsWithin = (text: string): boolean => measureJson(text).depth <= NESTING_MAX;

/** The value of a text of JSON within a row; undefined for one that is no JSON, or nests deeper than readers can follow. */
export function parseWithin(text: string): unknown {
  if (!nestsWithin(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
