import { createGate } from '#shared/platform/gate.ts';
import type { Clock } from './clock.ts';
import { SearchError, type SearchProvider, type SearchResult } from './search/port.ts';

export interface SearcherOptions {
  readonly provider: SearchProvider;
  /** Maximum concurrent searches. */
  readonly concurrencyMax: number;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
}

export interface Searcher {
  /** @throws {SearchError} if the retries are used up or useless; the signal's reason */
  search(query: string, signal?: AbortSignal): Promise<readonly SearchResult[]>;
}

const ATTEMPTS_MAX = 3;
const PAUSE_SECONDS_FIRST = 0.5;
const PAUSE_SECONDS_MAX = 10;
/** After this many consecutive failures, the provider is not called for a while. */
const FAILURES_MAX = 5;
const REST_SECONDS = 30;

/**
 * Searches with limited concurrency, retries transient failures, and stops calling a provider that is down, so that a
 * run does not wait for it on every row.
 */
export function createSearcher({ provider, concurrencyMax, clock, random }: SearcherOptions): Searcher {
  const gate = createGate(concurrencyMax);
  let failures = 0;
  let resting: { readonly untilMs: number; readonly error: SearchError } | null = null;

  const attempt = (query: string, signal: AbortSignal | undefined): Promise<readonly SearchResult[]> =>
    gate(async () => {
      if (resting !== null && clock.now() < resting.untilMs) throw resting.error;
      const results = await provider.search(query, signal);
      failures = 0;
      resting = null;
      return results;
    });

  function recordFailure(error: SearchError): void {
    if (error.kind === 'throttled') return;
    failures += 1;
    if (failures < FAILURES_MAX && error.kind !== 'misconfigured') return;
    resting = { untilMs: clock.now() + REST_SECONDS * 1000, error };
  }

  return {
    async search(query, signal) {
      for (let attempts = 1; ; attempts += 1) {
        signal?.throwIfAborted();
        try {
          return await attempt(query, signal);
        } catch (error) {
          if (!(error instanceof SearchError) || error === resting?.error || error.kind === 'rejected')
            throw error;
          recordFailure(error);
          if (attempts === ATTEMPTS_MAX || resting !== null) throw error;
          const pause = error.retryAfterSeconds ?? PAUSE_SECONDS_FIRST * 2 ** (attempts - 1);
          const jitter = 1 + random() / 2;
          await clock.sleep(Math.min(pause * jitter, PAUSE_SECONDS_MAX) * 1000, signal);
        }
      }
    },
  };
}
