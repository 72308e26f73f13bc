import { type LookupAddress, lookup as resolveBySystem } from 'node:dns';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface TargetRuleOptions {
  /** `host:port` of targets that are allowed at any address, and over HTTP too. */
  readonly allowed: readonly string[];
  /** `host:port` of targets that are always denied. */
  readonly denied?: readonly string[];
  readonly resolve?: ResolveHost;
}

/** The addresses that callers may let the service, or a model, connect to: HTTPS to public addresses. */
export interface TargetRules {
  isAllowed(hostname: string, port: number): boolean;
  /** @throws {AddressRefused} if the address is neither HTTPS nor that of an allowed target */
  requireScheme(url: URL): void;
  /** @throws {AddressRefused} if an address is not public */
  requirePublicAddress(hostname: string): void;
  /** The addresses of a host. @throws {AddressRefused} if one of them is not public, or there is none */
  resolvePublic(hostname: string): Promise<readonly LookupAddress[]>;
  /**
   * All checks, for an address that another system connects to.
   * @throws {AddressRefused} also if the host does not resolve (`AddressUnresolved`)
   */
  requirePublic(url: URL): Promise<void>;
}

/** An address that callers may not make the service connect to. The message names it, without a full stop. */
export class AddressRefused extends Error {}

/** An address whose host does not resolve here, and may do so elsewhere or later. */
export class AddressUnresolved extends AddressRefused {}

const resolveAll: ResolveHost = (hostname) =>
  new Promise((resolve, reject) => {
    resolveBySystem(hostname, { all: true }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    );
  });

/** Names without a meaning on the public internet (RFC 6761, RFC 8375, and common internal suffixes). */
const PRIVATE_SUFFIXES =
  /(^|\.)(localhost|local|internal|lan|home|corp|intranet|private|localdomain|home\.arpa)\.?$/i;

const isPrivateName = (hostname: string): boolean =>
  !hostname.replace(/\.$/, '').includes('.') || PRIVATE_SUFFIXES.test(hostname);

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/** The port of a URL, or of a connector's target. */
export const portOf = ({ port, protocol }: { readonly port: string; readonly protocol: string }): number =>
  Number(port) || (protocol === 'https:' ? 443 : 80);

export function createTargetRules({ allowed, denied, resolve = resolveAll }: TargetRuleOptions): TargetRules {
  const listed = (list: readonly string[] | undefined, hostname: string, port: number): boolean =>
    list?.includes(`${bare(hostname)}:${port}`) ?? false;

  const rules: TargetRules = {
    isAllowed: (hostname, port) => listed(allowed, hostname, port) && !listed(denied, hostname, port),

    requireScheme(url) {
      if (url.protocol === 'https:') return;
      if (url.protocol === 'http:' && rules.isAllowed(url.hostname, portOf(url))) return;
      throw new AddressRefused(`${url.protocol}//${url.host} does not use https`);
    },

    requirePublicAddress(hostname) {
      if (isIP(bare(hostname)) !== 0 && !isPublicAddress(bare(hostname))) {
        throw new AddressRefused(`${hostname} is not a public address`);
      }
    },

    async resolvePublic(hostname) {
      const addresses = await resolve(hostname);
      if (addresses.length === 0 || addresses.some(({ address }) => !isPublicAddress(address))) {
        throw new AddressRefused(`${hostname} is not a public address`);
      }
      return addresses;
    },

    async requirePublic(url) {
      rules.requireScheme(url);
      if (rules.isAllowed(url.hostname, portOf(url))) return;
      rules.requirePublicAddress(url.hostname);
      if (isIP(bare(url.hostname)) !== 0) return;
      await rules.resolvePublic(url.hostname).catch((error: unknown) => {
        if (error instanceof AddressRefused) throw error;
        // A name that does not resolve here, for whatever reason, may be an inside address where it is opened.
        throw isPrivateName(url.hostname)
          ? new AddressRefused(`${url.hostname} is not a public address`, { cause: error })
          : new AddressUnresolved(`${url.hostname} could not be resolved`, { cause: error });
      });
    },
  };
  return rules;
}
