import { sharedPrefixLength } from './prompt-states.ts';

/** The cached tokens of a sequence, from its last prompt and answer. */
export interface Remembering {
  readonly contextTokens: readonly number[];
}

/** A smaller shared part of the prompt (a template's first words) is not worth evicting another cached prompt. */
const worthwhileShare = 0.1;

/**
 * The free sequence with the longest common prefix, so that the fewest tokens have to be processed; if none has enough,
 * the first one, which has been free for longest.
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
