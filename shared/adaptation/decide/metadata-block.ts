import { lengthTargets } from '#shared/answers/decide/length.ts';
import type { NamedText } from '#shared/answers/decide/row-material.ts';
import type { Length } from '#shared/answers/schema/length.ts';
import { LANGUAGE, namedLine, withBlock } from '#shared/tabular/decide/forms/metadata-block.ts';

export interface RowMetadata {
  readonly context: readonly NamedText[];
  /** ISO 639-1 code; null if the text is too short to detect its language. */
  readonly language: string | null;
  readonly length: Length | null;
}

/**
 * The prompt with a metadata block in front (the recipe `prompt_metadata_injection`, spec §4.7): one line `name: value`
 * for each context column, for the language and for the requested length. Without metadata the prompt is unchanged.
 */
export function withMetadata(prompt: string, { context, language, length }: RowMetadata): string {
  const lines = context.map(namedLine);
  if (language !== null) lines.push(LANGUAGE + language);
  if (length !== null) {
    const { wordsMin, wordsMax } = lengthTargets[length];
    lines.push(`length: ${length} (${wordsMin} to ${wordsMax} words)`);
  }
  return withBlock(prompt, lines);
}
