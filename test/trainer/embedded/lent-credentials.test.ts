import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { AttemptOverError } from '#trainer/embedded/errors.ts';
import { lentCredentials } from '#trainer/embedded/lent-credentials.ts';

const lambda = mockClient(LambdaClient);
afterAll(() => lambda.restore());
const asked = { bucket: 'data', job_key: 'job.json', lender: 'lender', secret: 'secret-of-an-attempt' };
const provider = lentCredentials(asked, new LambdaClient({ region: 'eu-west-1' }));

function answer(value: unknown, FunctionError?: string): void {
  const Payload = Buffer.from(JSON.stringify(value));
  // The SDK's own type of a payload has more methods.
  lambda.on(InvokeCommand).resolves({ Payload, FunctionError } as never);
}

beforeEach(() => {
  lambda.reset();
});

test('credentials are those that the lender of the message answers to its secret, with their end', async () => {
  const expires_at = '2026-03-01T13:00:00.000Z';
  answer({ credentials: { access_key_id: 'id', secret_access_key: 'key', session_token: 't', expires_at } });

  expect(await provider()).toEqual({
    accessKeyId: 'id',
    secretAccessKey: 'key',
    sessionToken: 't',
    expiration: new Date(expires_at),
  });

  const { FunctionName, Payload } = lambda.commandCalls(InvokeCommand)[0]?.args[0].input ?? {};
  expect(FunctionName).toBe('lender');
  expect(JSON.parse(Buffer.from(Payload as Uint8Array).toString())).toEqual({
    job_key: 'job.json',
    secret: 'secret-of-an-attempt',
  });
});

test('an attempt that is over has none', async () => {
  answer({ credentials: null });

  await expect(provider()).rejects.toThrow(AttemptOverError);
});

test('a lender that fails is no word on the attempt, and the secret is not in the error', async () => {
  answer({ errorMessage: 'Task timed out' }, 'Unhandled');

  const failure = await provider().catch((error: unknown) => error);

  expect(failure).not.toBeInstanceOf(AttemptOverError);
  expect(String(failure)).not.toContain(asked.secret);
});
