/** A text whose code, links and placeholders have been replaced by marks. */
export interface MarkedText {
  readonly text: string;
  /** What stands for mark n + 1. */
  readonly parts: readonly string[];
}

/**
 * What a translation must not touch: blocks of code, code in a line, links, e-mail addresses, placeholders of
 * templates and of format strings, and marks that the text has itself.
 */
const PARTS =
  /```[\s\S]*?(?:```|$)|`[^`\n]+`|https?:\/\/[^\s<>"')\]]*[^\s<>"')\].,;:!?]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\{\{[^{}\n]{1,80}\}\}|\$?\{[^{}\s]{1,80}\}|%(?:\(\w+\))?[sdif]\b|<\/?[A-Za-z][^<>\n]{0,200}>|\[\[\d+\]\]/g;

const MARK = /\[\[(\d+)\]\]/g;

/** Replaces what must not change by marks, `[[1]]` and so on; equal parts get one mark. */
export function markParts(text: string): MarkedText {
  const parts: string[] = [];
  const marked = text.replaceAll(PARTS, (part) => {
    let index = parts.indexOf(part);
    if (index === -1) index = parts.push(part) - 1;
    return `[[${index + 1}]]`;
  });
  return { text: marked, parts };
}

/** Whether a text says anything beside its marks. */
export function hasWords({ text }: MarkedText): boolean {
  return /\p{L}/u.test(text.replaceAll(MARK, ' '));
}

/**
 * Puts the parts back in place of their marks.
 * @returns null where a mark got lost, or one was made up
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
