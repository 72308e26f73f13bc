import { dataOf, type TunesmithClient } from 'tunesmith';

// The shapes of the review, as docs/review.md has them.

/** What a witness says of a row. */
export interface DoubtReason {
  readonly witness: 'execution' | 'neighbours' | 'model';
  readonly kind: string;
  readonly message: string;
}

/** How probably a row is wrong, with the words of the witnesses that spoke. */
export interface Doubt {
  /** 0 to 1 */
  readonly probability: number;
  readonly reasons: readonly DoubtReason[];
  readonly proposal?: string;
}

export type VerdictKind = 'right' | 'wrong' | 'mended';

export interface ReviewRow {
  readonly row: number;
  /** Hash of what the reviewer sees: a verdict on a row that changed since is told apart by it. */
  readonly content_hash: string;
  /** Null without one; so are the others. */
  readonly prompt: string | null;
  /** The completion of the source. */
  readonly original: string | null;
  /** What the version delivers now. */
  readonly completion: string | null;
  readonly proposal: string | null;
  readonly doubt: Doubt | null;
  readonly drawn_as: 'doubtful' | 'audit';
  readonly verdict: VerdictKind | null;
}

export interface ReviewGrade {
  readonly score: number;
  readonly grade: string;
  readonly score_interval: readonly [number, number];
  readonly verdicts: number;
  readonly without_verdicts: {
    readonly score: number;
    readonly score_interval: readonly [number, number];
  } | null;
}

/** What is left to look at, and what the verdicts say so far. */
export interface ReviewSummary {
  readonly worth_a_look: number;
  readonly verdicts: {
    readonly right: number;
    readonly wrong: number;
    readonly mended: number;
    readonly disputed: number;
    readonly stale: number;
  };
  readonly grade: ReviewGrade | null;
}

export interface Review extends ReviewSummary {
  readonly dataset_id: string;
  readonly run_id: string | null;
  readonly version: number;
  readonly rows: readonly ReviewRow[];
}

/** A verdict as it is sent; `none` takes an earlier one back. */
export interface Verdict {
  readonly row: number;
  readonly content_hash: string;
  readonly verdict: VerdictKind | 'none';
  /** The right answer, of a mended row alone. */
  readonly completion?: string;
}

export interface Recorded extends ReviewSummary {
  readonly recorded: number;
  /** Rows that have changed since they were looked at: their verdicts were not recorded. */
  readonly stale: readonly number[];
}

export interface AlikeRow {
  readonly row: number;
  readonly content_hash: string;
  readonly prompt: string | null;
  readonly completion: string;
  /** What the same edit makes of it. */
  readonly proposal: string;
  readonly why: 'same_label' | 'same_text' | 'same_doubt';
}

export interface AlikeRows {
  /** The most similar first. */
  readonly rows: readonly AlikeRow[];
  /** False if there are more of them. */
  readonly is_complete: boolean;
}

export interface AppliedVerdicts {
  readonly run_id: string;
  readonly version: number;
  readonly status: string;
}

type Answered<T> = Promise<{ readonly data?: T; readonly error?: unknown; readonly response: Response }>;
interface Untyped {
  GET<T>(path: string, init: object): Answered<T>;
  POST<T>(path: string, init: object): Answered<T>;
}
const untyped = (client: TunesmithClient): Untyped => client as unknown as Untyped;

export const readReview = (
  client: TunesmithClient,
  datasetId: string,
  limit: number,
  signal: AbortSignal,
): Promise<Review> =>
  dataOf(
    untyped(client).GET<Review>('/api/v1/datasets/{dataset_id}/review', {
      signal,
      params: { path: { dataset_id: datasetId }, query: { limit } },
    }),
  );

export const sendVerdicts = (
  client: TunesmithClient,
  datasetId: string,
  verdicts: readonly Verdict[],
): Promise<Recorded> =>
  dataOf(
    untyped(client).POST<Recorded>('/api/v1/datasets/{dataset_id}/verdicts', {
      params: { path: { dataset_id: datasetId } },
      body: { verdicts },
    }),
  );

/** The rows with the same defect as one whose mended text is recorded. */
export const readAlike = (client: TunesmithClient, datasetId: string, row: number): Promise<AlikeRows> =>
  dataOf(
    untyped(client).GET<AlikeRows>('/api/v1/datasets/{dataset_id}/review/{row}/alike', {
      params: { path: { dataset_id: datasetId, row: String(row) } },
    }),
  );

export const applyVerdicts = (
  client: TunesmithClient,
  datasetId: string,
  wrong: 'keep' | 'drop',
  key: string,
): Promise<AppliedVerdicts> =>
  dataOf(
    untyped(client).POST<AppliedVerdicts>('/api/v1/datasets/{dataset_id}/verdicts/apply', {
      params: { path: { dataset_id: datasetId } },
      body: { wrong, idempotency_key: key },
    }),
  );
