import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { createTargetRules, portOf, type TargetRuleOptions, type TargetRules } from './target-rules.ts';

export interface GuardOptions extends TargetRuleOptions {
  readonly connectTimeoutMs?: number;
  /** Idle timeout of a response. */
  readonly idleTimeoutMs?: number;
}

export interface GuardedAgent extends Pick<TargetRules, 'requireScheme'> {
  readonly agent: Agent;
}

/**
 * Opens connections to addresses that callers name: only HTTPS to public addresses. The addresses of a host are checked
 * when connecting, and the connection goes to the checked address, so that a change of DNS in between has no effect. A
 * rejected target fails the request with `AddressRefused`.
 */
export function createGuardedAgent(options: GuardOptions): GuardedAgent {
  const { connectTimeoutMs: timeout = 10_000, idleTimeoutMs = 30_000 } = options;
  const rules = createTargetRules(options);

  const lookup: LookupFunction = (hostname, { all }, callback) => {
    rules.resolvePublic(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (all) callback(null, [...addresses]);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
  const direct = buildConnector({ timeout });
  const checked = buildConnector({ timeout, lookup });
  const connect: buildConnector.connector = (target, callback) => {
    if (rules.isAllowed(target.hostname, portOf(target))) return direct(target, callback);
    try {
      // IP addresses need no lookup, so they are checked here.
      rules.requirePublicAddress(target.hostname);
    } catch (error) {
      return callback(error as Error, null);
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
    requireScheme: rules.requireScheme,
  };
}
