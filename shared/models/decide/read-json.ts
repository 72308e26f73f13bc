/**
 * The JSON object in a model's answer, which may be inside a code block or other text. Null if there is none: callers
 * retry.
 */
export function readJsonObject(text: string): Record<string, unknown> | null {
  for (const candidate of [text.trim(), between(text, '{', '}')]) {
    if (candidate === null) {
      continue;
    }
    try {
      const value: unknown = JSON.parse(candidate);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        return value as Record<string, unknown>;
      }
    } catch {
      // Not valid JSON; try the next candidate.
    }
  }
  return null;
}

function between(text: string, first: string, last: string): string | null {
  const start = text.indexOf(first);
  const end = text.lastIndexOf(last);
  return start >= 0 && end > start ? text.slice(start, end + 1) : null;
}
