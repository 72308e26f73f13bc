import { sharedPrefixLength } from './prompt-states.ts';

/** What a sequence remembers of its last prompt and answer. */
export interface Remembering {
  readonly contextTokens: readonly number[];
}

/** Sharing less of the prompt than this (a template's first words, say) is not worth losing another's memory. */
const worthwhileShare = 0.1;

/**
 * The free sequence that remembers most of a prompt, so that the least of it has to be read; where none remembers
 * enough, the first one, which is the one that has been free for longest.
 */
export function chooseSequence<Sequence extends Remembering>(
  free: readonly Sequence[],
  prompt: readonly number[],
): Sequence | undefined {
  let best = free[0];
  let bestShared = prompt.length * worthwhileShare;
  for (const sequence of free) {
    const shared = sharedPrefixLength(sequence.contextTokens, prompt);
    if (shared > bestShared) {
      best = sequence;
      bestShared = shared;
    }
  }
  return best;
}
