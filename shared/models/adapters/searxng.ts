import { Pool } from 'undici';
import * as z from 'zod';
import { parseRetryAfter } from '#shared/platform/adapters/retry-after.ts';
import {
  SEARCH_RESULTS_MAX,
  SearchError,
  type SearchProvider,
  type SearchResult,
} from '../decide/search/port.ts';

export interface SearxngOptions {
  /** URL of the instance, with its path if it has one. */
  readonly baseUrl: string;
  readonly connectionsMax: number;
  readonly timeoutSeconds?: number;
  readonly bodyBytesMax?: number;
}

const TIMEOUT_SECONDS = 10;
const BODY_BYTES_MAX = 1024 * 1024;
/** Maximum title of a result; search engines show less. */
const TITLE_CHARACTERS_MAX = 200;
const TEXT_CHARACTERS_MAX = 600;
const URL_CHARACTERS_MAX = 2000;

const Answer = z.object({
  results: z.array(
    z.object({ title: z.string().nullish(), url: z.string().nullish(), content: z.string().nullish() }),
  ),
  unresponsive_engines: z.array(z.unknown()).optional(),
});

/**
 * A SearXNG instance by its search API (https://docs.searxng.org/dev/search_api.html), which must allow the format
 * `json`. The query is sent as a POST, so that row text is not in access logs. There are no retries here.
 */
export function connectSearxng(options: SearxngOptions): SearchProvider & { close(): Promise<void> } {
  const url = new URL(options.baseUrl);
  const path = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/search`;
  const timeoutSeconds = options.timeoutSeconds ?? TIMEOUT_SECONDS;
  const timeout = timeoutSeconds * 1000;
  const pool = new Pool(url.origin, {
    connections: options.connectionsMax,
    pipelining: 1,
    connect: { timeout },
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize: options.bodyBytesMax ?? BODY_BYTES_MAX,
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };

  return {
    async search(query, signal) {
      const plain = withoutOperators(query);
      if (plain === '') throw new SearchError('rejected', 'The row holds no words to search for');
      signal?.throwIfAborted();
      const body = new URLSearchParams({ q: plain, format: 'json' }).toString();
      // Limits the whole call; undici's own timeouts limit its parts.
      const limit = AbortSignal.timeout(timeout);
      const both = signal === undefined ? limit : AbortSignal.any([signal, limit]);
      try {
        const response = await pool.request({ method: 'POST', path, headers, body, signal: both });
        const text = await response.body.text();
        if (response.statusCode !== 200) {
          throw refusal(response.statusCode, parseRetryAfter(headerOf(response.headers), Date.now()));
        }
        return toResults(text);
      } catch (error) {
        if (error instanceof SearchError) throw error;
        if (signal?.aborted) throw signal.reason;
        throw toSearchError(error, limit.aborted, timeoutSeconds);
      }
    },
    close: () => pool.destroy(),
  };
}

/**
 * Removes SearXNG operators: words with these prefixes select engines, languages and time ranges, or redirect to
 * another site.
 */
function withoutOperators(query: string): string {
  return query
    .split(/\s+/)
    .map((word) => word.replace(/^[!:<?]+/, ''))
    .filter((word) => word !== '')
    .join(' ');
}

const headerOf = (headers: Record<string, string | string[] | undefined>): string | undefined => {
  const value = headers['retry-after'];
  return Array.isArray(value) ? value[0] : value;
};

function refusal(status: number, retryAfterSeconds: number | undefined): SearchError {
  const message = `The search provider answered ${status}`;
  if (status === 429) return new SearchError('throttled', message, { retryAfterSeconds });
  if (status >= 500 || status === 408) return new SearchError('unavailable', message, { retryAfterSeconds });
  if (status === 403) {
    const advice = 'allow json under search.formats in its settings, and this service in its limiter';
    return new SearchError('misconfigured', `${message}: ${advice}`);
  }
  if (status >= 300 && status < 400) {
    return new SearchError('misconfigured', `${message}, a redirect: set SEARCH_BASE_URL to its target`);
  }
  if (status === 401 || status === 404 || status === 405) {
    return new SearchError('misconfigured', `${message}: check SEARCH_BASE_URL`);
  }
  return new SearchError('rejected', message);
}

function toResults(text: string): SearchResult[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new SearchError('garbage', "The search provider's answer is not JSON", { cause });
  }
  const answer = Answer.safeParse(value).data;
  if (answer === undefined) throw new SearchError('garbage', "The search provider's answer holds no results");
  const results = answer.results.flatMap(({ title, url, content }): SearchResult[] => {
    const text = oneLine(content ?? '', TEXT_CHARACTERS_MAX);
    if (text === '' || !isPage(url)) return [];
    return [{ title: oneLine(title ?? '', TITLE_CHARACTERS_MAX) || new URL(url).hostname, url, text }];
  });
  if (results.length === 0 && (answer.unresponsive_engines?.length ?? 0) > 0) {
    throw new SearchError('unavailable', 'None of the search engines behind the search provider answered');
  }
  return results.slice(0, SEARCH_RESULTS_MAX);
}

function isPage(url: string | null | undefined): url is string {
  return !!url && url.length <= URL_CHARACTERS_MAX && /^https?:\/\//i.test(url) && URL.canParse(url);
}

function oneLine(text: string, charactersMax: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > charactersMax ? `${line.slice(0, charactersMax).trimEnd()}…` : line;
}

function toSearchError(error: unknown, isLate: boolean, timeoutSeconds: number): SearchError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (isLate || /TIMEOUT/.test(code)) {
    return new SearchError('timeout', `The search provider did not answer within ${timeoutSeconds} s`, {
      cause: error,
    });
  }
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return new SearchError('garbage', 'The answer of the search provider is too large', { cause: error });
  }
  return new SearchError('unavailable', `The connection to the search provider failed (${code})`, {
    cause: error,
  });
}
