import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { type Caller, callerToContext } from '#shared/domain/access/caller.ts';
import { authenticate } from '#shared/runtime/deps/authenticate.ts';
import { describeError, logger } from '#shared/runtime/logger.ts';

type Authenticate = (header: string | undefined) => Promise<Caller | null>;

/** The policy covers every route of the stage: API Gateway keeps it, and one for a single route breaks the others. */
function stageOf(methodArn: string): string {
  const [api, stage] = methodArn.split('/');
  return `${api}/${stage}/*`;
}

/**
 * Authenticates a request. API Gateway caches the result for a minute, so a revoked key works for at most that
 * long.
 * @throws `Unauthorized`, which API Gateway turns into a 401
 */
export const authorizeWith =
  (find: Authenticate) =>
  async (event: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const caller = await find(event.authorizationToken).catch((error: unknown) => {
      logger.error('authorization failed', describeError(error));
      throw error;
    });
    if (caller === null) {
      logger.info('authorization refused');
      throw new Error('Unauthorized');
    }
    logger.info('authorized', { team_id: caller.team_id, key_id: caller.key_id });
    return {
      principalId: caller.user_id,
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: stageOf(event.methodArn) }],
      },
      context: callerToContext(caller),
    };
  };

export const handler = authorizeWith((header) => authenticate.get()(header));
