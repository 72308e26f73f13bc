import { lengthTargets } from '#shared/answers/decide/length.ts';
import type { NamedText } from '#shared/answers/decide/row-material.ts';
import type { Length } from '#shared/answers/schema/length.ts';

/** Longer context values are documents, not metadata; they are truncated. */
const VALUE_CHARACTERS_MAX = 200;

export interface RowMetadata {
  readonly context: readonly NamedText[];
  /** ISO 639-1 code; null if the text is too short to detect its language. */
  readonly language: string | null;
  readonly length: Length | null;
}

/**
 * The prompt with a metadata block in front (the recipe `prompt_metadata_injection`, spec §4.7): one line `name: value`
 * for each context column, for the language and for the requested length, between the lines `[metadata]` and
 * `[/metadata]`. Line breaks in a value are removed, so that no value can end the block. Without metadata the prompt is
 * unchanged.
 */
export function withMetadata(prompt: string, { context, language, length }: RowMetadata): string {
  const lines = context.map(({ name, text }) => `${oneLine(name)}: ${oneLine(text)}`);
  if (language !== null) lines.push(`language: ${language}`);
  if (length !== null) {
    const { wordsMin, wordsMax } = lengthTargets[length];
    lines.push(`length: ${length} (${wordsMin} to ${wordsMax} words)`);
  }
  return lines.length === 0 ? prompt : ['[metadata]', ...lines, '[/metadata]', '', prompt].join('\n');
}

const BEGIN = '[metadata]\n';
const END = '\n[/metadata]\n\n';

/** Where the metadata block of a prompt ends; -1 without one. */
const endOfBlock = (prompt: string): number => (prompt.startsWith(BEGIN) ? prompt.indexOf(END) : -1);

/**
 * Parts a prompt into its metadata block, which programs read, and its text. Of a row in another language the block says
 * so, and else stays.
 * @param language ISO 639-1 code, or the code of a language without one
 */
export function partMetadata(
  prompt: string,
  language: string,
): { readonly block: string; readonly text: string } {
  const end = endOfBlock(prompt);
  if (end === -1) return { block: '', text: prompt };
  const block = prompt.slice(0, end + END.length);
  const lines = block
    .split('\n')
    .map((line) => (line.startsWith('language: ') ? `language: ${language}` : line));
  return { block: lines.join('\n'), text: prompt.slice(block.length) };
}

/** Tells of context values whether the metadata block of a prompt has them in full. */
export function heldByBlock(prompt: string): (value: NamedText) => boolean {
  const end = endOfBlock(prompt);
  if (end === -1) return () => false;
  const lines = new Set(prompt.slice(0, end).split('\n'));
  return ({ name, text }) => {
    const value = text.replace(/\s+/g, ' ').trim();
    return value.length <= VALUE_CHARACTERS_MAX && lines.has(`${oneLine(name)}: ${value}`);
  };
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > VALUE_CHARACTERS_MAX ? `${line.slice(0, VALUE_CHARACTERS_MAX).trimEnd()}…` : line;
}
