import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { authenticate, readKey } from '#shared/access/decide/authenticate.ts';
import { keys } from '#shared/access/wire.ts';
import { type Caller, callerToContext } from '#shared/platform/access/caller.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { deployed } from '#shared/platform/runtime/need.ts';

type Authenticate = (header: string | undefined) => Promise<Caller | null>;

/**
 * The policy covers every route of the stage: API Gateway caches it, and one for a single route would break the others.
 */
function stageOf(methodArn: string): string {
  const [api, stage] = methodArn.split('/');
  return `${api}/${stage}/*`;
}

const policyOf = (
  effect: 'Allow' | 'Deny',
  methodArn: string,
): APIGatewayAuthorizerResult['policyDocument'] => ({
  Version: '2012-10-17',
  Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: stageOf(methodArn) }],
});

/**
 * Authenticates a request. API Gateway caches the result for a minute, so a revoked key works for at most that long. An
 * unknown or revoked key gets a policy that denies every route, which API Gateway turns into a 401.
 * @throws `Unauthorized` if the header has no key, which API Gateway turns into another 401
 */
export const authorizeWith =
  (find: Authenticate) =>
  async (event: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const caller = await find(event.authorizationToken).catch((error: unknown) => {
      logger.error('authorization failed', describeError(error));
      throw error;
    });
    if (caller === null) {
      const isKey = readKey(event.authorizationToken) !== null;
      logger.info('authorization refused', { reason: isKey ? 'unknown' : 'malformed' });
      if (!isKey) throw new Error('Unauthorized');
      return { principalId: 'unknown', policyDocument: policyOf('Deny', event.methodArn) };
    }
    logger.info('authorized', { team_id: caller.team_id, key_id: caller.key_id });
    return {
      principalId: caller.user_id,
      policyDocument: policyOf('Allow', event.methodArn),
      context: callerToContext(caller),
    };
  };

const needs = { keys };

export const handler = Object.assign(
  authorizeWith((header) => authenticate(header, deployed(needs.keys))),
  { needs },
);
