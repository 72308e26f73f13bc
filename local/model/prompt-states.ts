import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Processing fewer tokens is faster than loading a file. */
const savedTokensMin = 96;

/** A sequence whose state can be saved to a file and loaded. */
export interface StatefulSequence {
  readonly contextTokens: readonly number[];
  saveStateToFile(path: string): Promise<{ readonly fileSize: number }>;
  loadStateFromFile(path: string, options: { readonly acceptRisk: true }): Promise<void>;
}

interface SavedState {
  readonly path: string;
  readonly tokens: readonly number[];
  readonly bytes: number;
}

/**
 * Saves the model's state after each prompt in files, so that a prompt with the same prefix starts from the saved
 * state, on any sequence. Loading 600 tokens takes 10 ms, processing them takes seconds. Least recently used states are
 * evicted.
 */
export class PromptStates {
  readonly #directory: string;
  readonly #bytesMax: number;
  /** In order of last use. */
  readonly #states = new Set<SavedState>();
  #saved = 0;

  /** @param options.directory exists, and is used for these states only. */
  constructor(options: { readonly directory: string; readonly bytesMax: number }) {
    this.#directory = options.directory;
    this.#bytesMax = options.bytesMax;
  }

  /** Total bytes of the files. */
  get bytes(): number {
    return [...this.#states].reduce((sum, state) => sum + state.bytes, 0);
  }

  /**
   * Loads the state with the longest common prefix, if it saves more work than the sequence's own state. The sequence
   * then has the other prompt's tokens up to its end.
   */
  async restore(sequence: StatefulSequence, prompt: readonly number[]): Promise<void> {
    const held = sharedPrefixLength(sequence.contextTokens, prompt);
    let best: SavedState | undefined;
    let bestShared = held + savedTokensMin;
    for (const state of this.#states) {
      const shared = sharedPrefixLength(state.tokens, prompt);
      if (shared < bestShared) continue;
      best = state;
      bestShared = shared;
    }
    if (best === undefined) return;
    this.#states.delete(best);
    this.#states.add(best);
    await sequence.loadStateFromFile(best.path, { acceptRisk: true });
  }

  /** Saves the state of a sequence after its prompt, if many of its tokens were not cached. */
  async save(sequence: StatefulSequence, readTokens: number): Promise<void> {
    if (readTokens < savedTokensMin) return;
    this.#saved += 1;
    const path = join(this.#directory, `${this.#saved}.state`);
    const tokens = [...sequence.contextTokens];
    const { fileSize } = await sequence.saveStateToFile(path);
    this.#states.add({ path, tokens, bytes: fileSize });
    for (const oldest of this.#states) {
      if (this.bytes <= this.#bytesMax) break;
      this.#states.delete(oldest);
      await rm(oldest.path, { force: true });
    }
  }
}

/** Length of the common prefix of two token lists. */
export function sharedPrefixLength(left: readonly number[], right: readonly number[]): number {
  let length = 0;
  while (length < left.length && length < right.length && left[length] === right[length]) length += 1;
  return length;
}
