import type { Length } from '../schema/length.ts';

export interface LengthTarget {
  readonly wordsMin: number;
  readonly wordsMax: number;
  /** The instruction in the prompt. */
  readonly instruction: string;
  /** Token limit of an answer, with room for scripts that take several tokens per word. */
  readonly outputTokensMax: number;
}

/**
 * The four steps of `brand_controls.length` (spec §4.8), in words of the answer. They do not overlap, so a word count
 * identifies the step.
 */
export const lengthTargets: Record<Length, LengthTarget> = {
  minimal: {
    wordsMin: 3,
    wordsMax: 25,
    instruction: 'Answer in one sentence of at most 25 words.',
    outputTokensMax: 100,
  },
  concise: {
    wordsMin: 26,
    wordsMax: 70,
    instruction: 'Answer in two to four sentences, 30 to 70 words in all.',
    outputTokensMax: 220,
  },
  detailed: {
    wordsMin: 71,
    wordsMax: 180,
    instruction: 'Answer in detail, in 80 to 180 words: explain, and give an example or steps.',
    outputTokensMax: 480,
  },
  extensive: {
    wordsMin: 181,
    wordsMax: 450,
    instruction:
      'Answer extensively, in 200 to 450 words: several paragraphs or sections with reasons, steps and examples.',
    outputTokensMax: 1100,
  },
};

/** The default length: as long as the request needs, and no longer. */
export const DEFAULT_LENGTH: LengthTarget = {
  wordsMin: 8,
  wordsMax: 150,
  instruction: 'Answer in one to three sentences, unless the request asks for more.',
  outputTokensMax: 400,
};

export function lengthTargetOf(length: Length | null): LengthTarget {
  return length === null ? DEFAULT_LENGTH : lengthTargets[length];
}
