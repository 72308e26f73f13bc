import { type LookupAddress, lookup as resolveBySystem } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { type FetchUrl, SourceInterrupted } from '#shared/domain/imports/fetch-url.ts';
import { ServiceError } from '#shared/errors/service-error.ts';
import { parseRetryAfter } from '../model/retry-after.ts';
import { isPublicAddress } from './public-address.ts';

type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface GuardOptions {
  /** `host:port` of targets that may be reached wherever they are, over http too. */
  readonly allowed: readonly string[];
  /** `host:port` of targets that may not be reached even where they are allowed. */
  readonly denied?: readonly string[];
  readonly resolve?: Resolve;
  readonly connectTimeoutMs?: number;
  /** Silence after which an answer is given up. */
  readonly idleTimeoutMs?: number;
}

const REDIRECTS_MAX = 8;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const resolveAll: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    resolveBySystem(hostname, { all: true }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    );
  });

function refused(message: string): ServiceError {
  return new ServiceError('source_refused', message);
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/**
 * A client for addresses that callers name. It speaks https to public addresses alone. A host's addresses are checked
 * at the moment of connecting, and the connection goes to what was checked: a name that changes in between changes
 * nothing. Every redirect is a new address with the same checks.
 */
export function createGuardedFetch(options: GuardOptions): FetchUrl {
  const { resolve = resolveAll, connectTimeoutMs: timeout = 10_000, idleTimeoutMs = 30_000 } = options;
  const listed = (list: readonly string[] | undefined, hostname: string, port: number): boolean =>
    list?.includes(`${bare(hostname)}:${port}`) ?? false;
  const isAllowed = (hostname: string, port: number): boolean =>
    listed(options.allowed, hostname, port) && !listed(options.denied, hostname, port);

  const lookup: LookupFunction = (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const inside = addresses.find(({ address }) => !isPublicAddress(address));
        const [first] = addresses;
        if (inside !== undefined || first === undefined) {
          callback(refused(`${hostname} is not a public address: nothing is imported from there.`), '');
        } else if (all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
  const direct = buildConnector({ timeout });
  const checked = buildConnector({ timeout, lookup });
  const connect: buildConnector.connector = (target, callback) => {
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
    if (isAllowed(target.hostname, port)) return direct(target, callback);
    // No look-up is made of an address: it has to be checked here.
    if (isIP(target.hostname) !== 0 && !isPublicAddress(target.hostname)) {
      return callback(
        refused(`${target.hostname} is not a public address: nothing is imported from there.`),
        null,
      );
    }
    return checked(target, callback);
  };
  const agent = new Agent({
    connect,
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    maxHeaderSize: 65_536,
  });

  const requireScheme = (url: URL): void => {
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    if (url.protocol === 'https:') return;
    if (url.protocol === 'http:' && isAllowed(url.hostname, port)) return;
    throw refused(`${url.protocol}//${url.host} is not reached over https: nothing is imported from there.`);
  };

  const ask = async (url: URL, headers: Record<string, string>): Promise<Dispatcher.ResponseData> => {
    try {
      return await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        headers,
      });
    } catch (error) {
      throw error instanceof ServiceError ? error : interrupted(url, error);
    }
  };

  return async (address, { headers = {}, authorization = null } = {}) => {
    const start = new URL(address);
    let url = start;
    for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
      requireScheme(url);
      const answer = await ask(url, {
        ...headers,
        // What is stored is what is counted, and what a range means.
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
      if (!URL.canParse(next, url.href)) throw refused(`${url.host} redirects to what is no address.`);
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
  return new SourceInterrupted(`${url.host} did not answer, or broke off.`, { cause });
}
