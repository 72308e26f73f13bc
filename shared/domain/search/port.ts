/** A page that a search found. */
export interface SearchResult {
  readonly title: string;
  readonly url: string;
  /** What the page says of the query. */
  readonly text: string;
}

/** Results that are asked for at most. */
export const SEARCH_RESULTS_MAX = 5;

/**
 * `throttled`, `unavailable`, `timeout` and `garbage` can be asked again (after `retryAfterSeconds` where the provider
 * says so). `misconfigured` says that no search will succeed until someone mends it, `rejected` that this one never
 * does.
 */
export type SearchFailureKind =
  | 'throttled'
  | 'unavailable'
  | 'timeout'
  | 'garbage'
  | 'misconfigured'
  | 'rejected';

export class SearchError extends Error {
  readonly kind: SearchFailureKind;
  readonly retryAfterSeconds: number | undefined;

  /** `message` names the provider's answer, never the query or the results. */
  constructor(
    kind: SearchFailureKind,
    message: string,
    options: { retryAfterSeconds?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SearchError';
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A web search. `signal` ends the call; an ended call rejects with the signal's reason. */
export interface SearchProvider {
  /**
   * At most `SEARCH_RESULTS_MAX` results, best first.
   * @throws {SearchError}
   */
  search(query: string, signal?: AbortSignal): Promise<readonly SearchResult[]>;
}
