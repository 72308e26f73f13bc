import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads or writes less than this faster than a file is read. */
const savedTokensMin = 96;

/** A sequence whose state can be written to a file and read back. */
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
 * Keeps the state of a model after the prompts that it read, in files, so that a prompt that begins like an earlier one
 * is read from where the two part, whichever sequence answers it. Loading 600 tokens takes 10 ms, reading them takes
 * seconds. The states that were used least recently make room.
 */
export class PromptStates {
  readonly #directory: string;
  readonly #bytesMax: number;
  /** In the order of their last use. */
  readonly #states = new Set<SavedState>();
  #saved = 0;

  /** @param options.directory exists, and belongs to these states alone. */
  constructor(options: { readonly directory: string; readonly bytesMax: number }) {
    this.#directory = options.directory;
    this.#bytesMax = options.bytesMax;
  }

  /** Bytes that the files hold. */
  get bytes(): number {
    return [...this.#states].reduce((sum, state) => sum + state.bytes, 0);
  }

  /**
   * Loads the state that shares most with a prompt, where it spares more reading than what the sequence holds.
   * The sequence then holds the other prompt's tokens to their end.
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

  /** Saves the state of a sequence after its prompt, where much of it was read anew. */
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

/** Number of tokens that two texts have in common at their beginning. */
export function sharedPrefixLength(left: readonly number[], right: readonly number[]): number {
  let length = 0;
  while (length < left.length && length < right.length && left[length] === right[length]) length += 1;
  return length;
}
