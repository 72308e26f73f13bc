import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createFunctionInvoker } from '#shared/platform/adapters/function-invoker.ts';

const lambda = mockClient(LambdaClient);
afterAll(() => lambda.restore());
const invoker = createFunctionInvoker('build-export', new LambdaClient({ region: 'us-east-1' }));

beforeEach(() => {
  lambda.reset();
});

test('work is handed over as an event, so that nobody waits for it and Lambda repeats it', async () => {
  lambda.on(InvokeCommand).resolves({ StatusCode: 202 });

  await invoker.start({ dataset_id: 'd', format: 'csv' });

  const { FunctionName, InvocationType, Payload } =
    lambda.commandCalls(InvokeCommand)[0]?.args[0].input ?? {};
  expect([FunctionName, InvocationType]).toEqual(['build-export', 'Event']);
  expect(JSON.parse(Buffer.from(Payload as Uint8Array).toString())).toEqual({
    dataset_id: 'd',
    format: 'csv',
  });
});

test('work that could not be handed over is an error', async () => {
  lambda.on(InvokeCommand).rejects(new Error('no such function'));

  await expect(invoker.start({})).rejects.toThrow('no such function');
});
