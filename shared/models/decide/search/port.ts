/** A page that a search found. */
export interface SearchResult {
  readonly title: string;
  readonly url: string;
  /** The page's text for the query. */
  readonly text: string;
}

/** Maximum results of a search. */
export const SEARCH_RESULTS_MAX = 5;

/**
 * `throttled`, `unavailable`, `timeout` and `garbage` can be retried (after `retryAfterSeconds` if the provider sends
 * it). `misconfigured`: no search succeeds until the configuration is fixed. `rejected`: this search never succeeds.
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

  /** `message` describes the provider's response, never the query or the results. */
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

/** A web search. `signal` cancels the call, which then rejects with the signal's reason. */
export interface SearchProvider {
  /**
   * At most `SEARCH_RESULTS_MAX` results, best first.
   * @throws {SearchError}
   */
  search(query: string, signal?: AbortSignal): Promise<readonly SearchResult[]>;
}
