import type { Length } from '#shared/schema/adaptation.ts';
import { lengthTargets } from './length.ts';
import type { NamedText } from './row-material.ts';

/** Longer values of context are documents rather than metadata: they are cut. */
const VALUE_CHARACTERS_MAX = 200;

export interface RowMetadata {
  readonly context: readonly NamedText[];
  /** ISO 639-1 code; null where the text is too short to tell. */
  readonly language: string | null;
  readonly length: Length | null;
}

/**
 * A prompt behind a block of the row's metadata (the recipe `prompt_metadata_injection`, spec §4.7): one line
 * `name: value` for each context column, for the language and for the length asked for, between the lines
 * `[metadata]` and `[/metadata]`. A value is one line, so that none can end the block. Without metadata the prompt
 * stays as it is.
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

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > VALUE_CHARACTERS_MAX ? `${line.slice(0, VALUE_CHARACTERS_MAX).trimEnd()}…` : line;
}
