import { type LookupAddress, lookup as resolveBySystem } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
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

export interface GuardedAgent {
  readonly agent: Agent;
  /** @throws {AddressRefused} where the address is neither https nor an allowed target's */
  requireScheme(url: URL): void;
}

/** An address that callers may not make the service connect to. The message names it, without a full stop. */
export class AddressRefused extends Error {}

const resolveAll: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    resolveBySystem(hostname, { all: true }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    );
  });

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/**
 * Opens connections to addresses that callers name: only https to public addresses. The addresses of a host are
 * checked when connecting, and the connection goes to the checked address, so that a change of DNS in between has
 * no effect. A refused target fails the request with {@link AddressRefused}.
 */
export function createGuardedAgent(options: GuardOptions): GuardedAgent {
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
          callback(new AddressRefused(`${hostname} is not a public address`), '');
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
      return callback(new AddressRefused(`${target.hostname} is not a public address`), null);
    }
    return checked(target, callback);
  };

  return {
    agent: new Agent({
      connect,
      headersTimeout: idleTimeoutMs,
      bodyTimeout: idleTimeoutMs,
      maxHeaderSize: 65_536,
    }),
    requireScheme(url) {
      const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
      if (url.protocol === 'https:') return;
      if (url.protocol === 'http:' && isAllowed(url.hostname, port)) return;
      throw new AddressRefused(`${url.protocol}//${url.host} does not use https`);
    },
  };
}
