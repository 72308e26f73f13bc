import type { Finding } from '../findings.mjs';
import type { Look } from './account-checks.ts';

const DENIED = /^(AccessDenied|AccessDeniedException|UnauthorizedOperation|AuthorizationError)$/;
const NO_CREDENTIALS =
  /^(CredentialsProviderError|ExpiredToken|ExpiredTokenException|InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch|InvalidSignatureException|TokenProviderError)$/;

/**
 * Runs a check within its timeout. A value that cannot be read counts as missing, with the permission that the caller
 * lacks. Features that an emulator lacks are not faults: AWS has them.
 * @param isEmulator whether `AWS_ENDPOINT_URL` is set to another endpoint
 */
export async function takeLook(look: Look, isEmulator: boolean): Promise<Finding> {
  const { name, permissions, seconds } = look;
  const signal = AbortSignal.timeout(seconds * 1000);
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return { name, ...(await Promise.race([look.look(signal), stopped])) };
  } catch (error) {
    return { name, ...explain(error, signal.aborted, { permissions, seconds, isEmulator }) };
  }
}

function explain(
  error: unknown,
  isLate: boolean,
  { permissions, seconds, isEmulator }: Pick<Look, 'permissions' | 'seconds'> & { isEmulator: boolean },
): Omit<Finding, 'name'> {
  const { name, message } = error as Error;
  if (isLate) {
    return {
      state: 'missing',
      found: `no answer within ${seconds} s`,
      advice: 'Check the network and the region, and run it again.',
    };
  }
  if (NO_CREDENTIALS.test(name)) {
    return {
      state: 'missing',
      found: `no credentials that AWS takes (${name})`,
      advice: 'Sign in (aws sso login, aws configure), or name a profile: --profile NAME.',
    };
  }
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  if (DENIED.test(name) || status === 403) {
    return {
      state: 'missing',
      found: `may not be looked at (${name})`,
      advice: `Allow ${permissions.join(' and ')} to whoever runs this.`,
    };
  }
  // Emulators report an unsupported service in different ways.
  if (isEmulator && status !== undefined) return { state: 'note', found: 'not offered by this endpoint' };
  return {
    state: 'missing',
    found: `${name}: ${message}`,
    advice: 'Check the network and the region, and run it again.',
  };
}
