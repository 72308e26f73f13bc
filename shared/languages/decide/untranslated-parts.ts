/** A text whose code, links and placeholders are replaced by marks. */
export interface MarkedText {
  readonly text: string;
  /** The text of mark n + 1. */
  readonly parts: readonly string[];
}

/**
 * Parts that must not be translated: code blocks, inline code, links, e-mail addresses, placeholders of templates and
 * format strings, and marks that the text itself contains.
 */
const PARTS =
  /```[\s\S]*?(?:```|$)|`[^`\n]+`|https?:\/\/[^\s<>"')\]]*[^\s<>"')\].,;:!?]|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\{\{[^{}\n]{1,80}\}\}|\$?\{[^{}\s]{1,80}\}|%(?:\(\w+\))?[sdif]\b|<\/?[A-Za-z][^<>\n]{0,200}>|\[\[\d+\]\]/g;

const MARK = /\[\[(\d+)\]\]/g;

/** Replaces the parts that must not be translated with marks, `[[1]]` and so on; equal parts get the same mark. */
export function markParts(text: string): MarkedText {
  const numbers = new Map<string, number>();
  const marked = text.replaceAll(PARTS, (part) => {
    const number = numbers.get(part) ?? numbers.size + 1;
    numbers.set(part, number);
    return `[[${number}]]`;
  });
  return { text: marked, parts: [...numbers.keys()] };
}

/** Whether a text has words besides its marks. */
export function hasWords({ text }: MarkedText): boolean {
  return /\p{L}/u.test(text.replaceAll(MARK, ' '));
}

/**
 * Replaces the marks with their parts.
 * @returns null if a mark is missing or unknown
 */
export function restoreParts(translated: string, { parts }: MarkedText): string | null {
  const used = new Set<number>();
  let isSound = true;
  const restored = translated.replaceAll(MARK, (mark, number: string) => {
    const part = parts[Number(number) - 1];
    if (part === undefined) isSound = false;
    used.add(Number(number) - 1);
    return part ?? mark;
  });
  return isSound && used.size === parts.length ? restored : null;
}
