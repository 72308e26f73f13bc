import { DuplicateIndex } from '#shared/answers/decide/deduplication/duplicate-index.ts';
import { RECORD_WORDS, Signer } from '#shared/answers/decide/deduplication/signature.ts';
import type { CandidateResult, RowReason } from '#shared/runs/schema/run-result.ts';

/** The outcome of a candidate. */
export type Verdict =
  | { readonly kind: 'accepted' | 'surplus' }
  | { readonly kind: 'rejected' | 'failed'; readonly reason: RowReason };

const INTERRUPTED: RowReason = {
  code: 'run_interrupted',
  message: 'The run ended before the candidate was done',
};

/**
 * Selects candidates in order until there are enough rows: those with a sufficient score whose request is not a
 * near-duplicate of an earlier one. The selection is deterministic, and later candidates do not change it. Uses 256
 * bytes per row.
 */
export class Selection {
  accepted = 0;
  readonly #rows: number;
  readonly #index: DuplicateIndex;
  readonly #signer = new Signer();

  constructor(rows: number) {
    this.#rows = rows;
    this.#index = new DuplicateIndex(rows);
  }

  take(candidate: number, result: CandidateResult | undefined): Verdict {
    if (result === undefined) return { kind: 'failed', reason: INTERRUPTED };
    const prompt = result.cells?.enhanced_prompt;
    if (result.outcome !== 'made' || prompt === undefined) {
      return {
        kind: result.outcome === 'rejected' ? 'rejected' : 'failed',
        reason: result.reason ?? INTERRUPTED,
      };
    }
    if (this.accepted === this.#rows) return { kind: 'surplus' };
    const record = new Uint32Array(RECORD_WORDS);
    this.#signer.sign({ identity: prompt, prompt, context: '', apart: null }, record, 0);
    const duplicate = this.#index.add(candidate, record, 0);
    if (duplicate !== null) {
      const { similarTo, isExact, similarity } = duplicate;
      const nearness = isExact ? 'the request' : `nearly the request (${similarity.toFixed(2)})`;
      return {
        kind: 'rejected',
        reason: {
          code: isExact ? 'duplicate_exact' : 'duplicate_near',
          message: `The candidate has ${nearness} of candidate ${similarTo}, which is in the dataset`,
          similar_to_row: similarTo,
        },
      };
    }
    this.accepted += 1;
    return { kind: 'accepted' };
  }
}

/** Maximum rounds of one run: the history of its execution is limited. */
export const ROUNDS_MAX = 200;

/** Extra candidates, as a factor of the requested rows in the first round and of the expected need later. */
const SPARE = 1.1;
const ROUND_MIN = 8;
/** Lower bound of the acceptance rate, so that a bad round does not make the next one too large. */
const RATE_MIN = 0.1;

/** Number of candidates of a round for this many missing rows, by the results of the last round. */
export function roundSize(
  missing: number,
  left: number,
  last: { readonly candidates: number; readonly accepted: number } | null,
): number {
  const rate =
    last === null || last.candidates === 0 ? 1 : Math.max(RATE_MIN, last.accepted / last.candidates);
  return Math.min(left, Math.max(ROUND_MIN, Math.ceil((missing / rate) * SPARE)));
}
