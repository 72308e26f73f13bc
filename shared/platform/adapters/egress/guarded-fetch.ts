import type { Dispatcher } from 'undici';
import { type FetchUrl, SourceInterrupted } from '../../egress/fetch-url.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { parseRetryAfter } from '../retry-after.ts';
import { createGuardedAgent, type GuardOptions } from './guarded-agent.ts';
import { AddressRefused } from './target-rules.ts';

const REDIRECTS_MAX = 8;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function refused(message: string): ServiceError {
  return new ServiceError('source_refused', message);
}

/** Converts a rejected address to an import error. */
function asSourceError(url: URL, error: unknown): ServiceError | SourceInterrupted {
  return error instanceof AddressRefused
    ? refused(`${error.message}. Imports reach public https addresses only.`)
    : interrupted(url, error);
}

/**
 * HTTP client for addresses that callers name. Only https to public addresses is allowed, checked when connecting.
 * Every redirect is checked as a new address.
 */
export function createGuardedFetch(options: GuardOptions): FetchUrl {
  const { agent, requireScheme } = createGuardedAgent(options);

  const ask = async (url: URL, headers: Record<string, string>): Promise<Dispatcher.ResponseData> => {
    try {
      requireScheme(url);
      return await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        headers,
      });
    } catch (error) {
      throw asSourceError(url, error);
    }
  };

  return async (address, { headers = {}, authorization = null } = {}) => {
    const start = new URL(address);
    let url = start;
    for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
      const answer = await ask(url, {
        ...headers,
        // Bytes are counted and ranged as stored, so no compression.
        'accept-encoding': 'identity',
        'user-agent': 'tunesmith',
        ...(authorization !== null && url.origin === start.origin ? { authorization } : {}),
      });
      const location = answer.headers.location;
      if (!REDIRECTS.has(answer.statusCode) || location === undefined) {
        const named = flat(answer.headers);
        return {
          status: answer.statusCode,
          headers: named,
          retryAfterSeconds: parseRetryAfter(named['retry-after'], Date.now()) ?? null,
          body: read(url, answer.body),
          close: () => void answer.body.on('error', () => {}).destroy(),
        };
      }
      answer.body.on('error', () => {}).destroy();
      const next = String(location);
      if (!URL.canParse(next, url.href)) throw refused(`${url.host} redirects to an invalid address.`);
      url = new URL(next, url);
    }
    throw refused(`${start.host} redirects more than ${REDIRECTS_MAX} times.`);
  };
}

function flat(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, (Array.isArray(value) ? value[0] : value) ?? '']),
  );
}

async function* read(url: URL, body: Dispatcher.ResponseData['body']): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw interrupted(url, error);
  }
}

function interrupted(url: URL, cause: unknown): SourceInterrupted {
  return new SourceInterrupted(`${url.host} did not answer, or closed the connection.`, { cause });
}
