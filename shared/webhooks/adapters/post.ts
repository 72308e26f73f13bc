import { createGuardedAgent, type GuardOptions } from '#shared/platform/adapters/egress/guarded-agent.ts';
import { AddressRefused } from '#shared/platform/adapters/egress/target-rules.ts';
import { parseRetryAfter } from '#shared/platform/adapters/retry-after.ts';
import type { Post } from '../decide/ports.ts';

/** Milliseconds for a whole request, from the lookup of its address to the head of the response. */
const TIMEOUT_MILLISECONDS = 10_000;

/**
 * Sends requests to addresses that callers named: only HTTPS to public addresses, looked up anew for each request, on a
 * connection of its own. Redirects are not followed, and the body of a response is not read.
 */
export function createPost(options: GuardOptions, timeoutMilliseconds = TIMEOUT_MILLISECONDS): Post {
  const { agent, requireScheme } = createGuardedAgent({
    connectTimeoutMs: timeoutMilliseconds,
    idleTimeoutMs: timeoutMilliseconds,
    ...options,
  });
  return async (address, headers, body) => {
    try {
      const url = new URL(address);
      requireScheme(url);
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { ...headers },
        body,
        // Closes the connection, so that the next request looks the address up again.
        reset: true,
        signal: AbortSignal.timeout(timeoutMilliseconds),
      });
      answer.body.on('error', () => {}).destroy();
      const retryAfter = [answer.headers['retry-after']].flat()[0];
      return {
        status: answer.statusCode,
        retryAfterSeconds: parseRetryAfter(retryAfter, Date.now()) ?? null,
      };
    } catch (error) {
      return { error: causeOf(error) };
    }
  };
}

function causeOf(error: unknown): 'timeout' | 'connection_failed' | 'address_refused' {
  if (error instanceof AddressRefused) return 'address_refused';
  const { name = '', code = '' } = error as { name?: string; code?: string };
  return name === 'TimeoutError' || /TIMEOUT/.test(code) ? 'timeout' : 'connection_failed';
}
