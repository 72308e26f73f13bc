import type { FindingKind } from './finding-kinds.ts';

/** One row as witnesses see it. */
export interface WitnessedRow {
  /** Number of the row in its dataset, from 0, as reasons name it. Default: its place among the rows. */
  readonly row?: number | undefined;
  readonly prompt: string;
  readonly completion: string;
  /** Text that the row brings beside its prompt: a passage, a schema, a test. Empty if there is none. */
  readonly context: string;
}

export type WitnessName = 'program' | 'execution' | 'neighbours' | 'critic';

/** Where in the completion something was seen, in UTF-16 units. */
export interface Span {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** What one witness says about one row. A witness that saw nothing to tell by says nothing: null instead of a finding. */
export interface WitnessFinding {
  readonly witness: WitnessName;
  readonly says: 'wrong' | 'fine';
  readonly kind: FindingKind;
  /** What was seen, in one sentence for the owner of the row. Quotes of the row have at most 200 characters. */
  readonly reason: string;
  readonly span?: Span | undefined;
  /** A better completion, where the witness knows one. */
  readonly better?: string | undefined;
  /** How sure the witness is by its own measure, from 0 to 1. It orders its findings, and is no calibrated probability. */
  readonly score?: number | undefined;
}

/**
 * Looks at the rows of one dataset.
 *
 * Returns a list as long as `rows`, in their order; null for rows about which it says nothing. No text of a row makes it
 * throw.
 */
export type Witness = (
  rows: readonly WitnessedRow[],
  signal?: AbortSignal,
) => Promise<readonly (WitnessFinding | null)[]>;
