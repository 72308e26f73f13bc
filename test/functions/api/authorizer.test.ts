import { afterEach, expect, test, vi } from 'vitest';
import { authorizeWith } from '#functions/api/authorizer.ts';
import { formatApiKey } from '#shared/access/decide/api-key.ts';
import { parseCaller } from '#shared/platform/access/caller.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { makeCaller } from '#test/helpers/records.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const event = {
  type: 'TOKEN',
  authorizationToken: 'Bearer pt_live_canary',
  methodArn: 'arn:aws:execute-api:eu-west-1:123456789012:abc/prod/GET/api/v1/datasets/some-id',
} as const;

test('a valid key opens every route of the stage, since the policy is kept for all of them', async () => {
  const { policyDocument } = await authorizeWith(async () => makeCaller())(event);

  expect(policyDocument.Statement).toEqual([
    {
      Action: 'execute-api:Invoke',
      Effect: 'Allow',
      Resource: 'arn:aws:execute-api:eu-west-1:123456789012:abc/prod/*',
    },
  ]);
});

test('the endpoint reads the very caller that the authorizer found', async () => {
  const caller = makeCaller({ scopes: ['datasets:read'] });

  const { context, principalId } = await authorizeWith(async () => caller)(event);

  expect(parseCaller(context)).toEqual(caller);
  expect(principalId).toBe(caller.user_id);
});

const unknownKey = formatApiKey(new Uint8Array(32));

test.each(['', 'Bearer', 'Bearer pt_live_canary', 'Basic dXNlcjpwdw==', unknownKey, `Bearer ${unknownKey}x`])(
  'a header without a key (%j) is refused in the one word that API Gateway takes for a 401',
  async (authorizationToken) => {
    const refused = authorizeWith(async () => null)({ ...event, authorizationToken });

    await expect(refused).rejects.toThrow(/^Unauthorized$/);
  },
);

test('a key that is unknown, or revoked, is denied every route of the stage and named nowhere', async () => {
  const denied = await authorizeWith(async () => null)({
    ...event,
    authorizationToken: `Bearer ${unknownKey}`,
  });

  expect(denied.policyDocument.Statement).toEqual([
    {
      Action: 'execute-api:Invoke',
      Effect: 'Deny',
      Resource: 'arn:aws:execute-api:eu-west-1:123456789012:abc/prod/*',
    },
  ]);
  expect(JSON.stringify(denied)).not.toContain(unknownKey);
});

test('a failure of the table is not taken for a bad key', async () => {
  const failing = authorizeWith(async () => {
    throw new Error('throttled');
  });

  await expect(failing(event)).rejects.toThrow('throttled');
});

test('the header is given to the check and to no log', async () => {
  const logged = (['info', 'error'] as const).map((level) => vi.spyOn(logger, level));
  const find = vi.fn(async () => makeCaller());

  await authorizeWith(find)(event);
  await authorizeWith(async () => null)(event).catch(() => {});

  expect(find).toHaveBeenCalledWith('Bearer pt_live_canary');
  expect(JSON.stringify(logged.map((spy) => spy.mock.calls))).not.toContain('canary');
});

test('the log says whose key it was, or why there is nobody', async () => {
  const logged = vi.spyOn(logger, 'info');
  const caller = makeCaller();
  const authorizationToken = `Bearer ${unknownKey}`;

  await authorizeWith(async () => caller)(event);
  await authorizeWith(async () => null)({ ...event, authorizationToken });
  await authorizeWith(async () => null)(event).catch(() => {});

  expect(logged.mock.calls).toEqual([
    ['authorized', { team_id: caller.team_id, key_id: caller.key_id }],
    ['authorization refused', { reason: 'unknown' }],
    ['authorization refused', { reason: 'malformed' }],
  ]);
});
