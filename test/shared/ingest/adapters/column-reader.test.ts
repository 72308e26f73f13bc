import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createColumnReader } from '#shared/ingest/adapters/column-reader.ts';
import { ReadColumnsRequest } from '#shared/ingest/schema/read-columns.ts';

const lambda = mockClient(LambdaClient);
afterAll(() => lambda.restore());
const client = new LambdaClient({ region: 'us-east-1' });
const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
const read = createColumnReader('the-reader', { client, trace: () => trace });
const FILES = [{ key: 'uploads/a', name: 'a.csv', format: 'csv', bytes: 8 }] as const;

function answers(answer: unknown, FunctionError?: string): void {
  const Payload = Buffer.from(JSON.stringify(answer));
  // The SDK's own type of a payload has more methods.
  lambda.on(InvokeCommand).resolves({ Payload, FunctionError } as never);
}

beforeEach(() => {
  lambda.reset();
});

test('the reader of columns asks once for all files, with the trace that the caller is in', async () => {
  const columns = { columns: ['q'], other: { index: 1, columns: ['a'] } };
  answers(columns);

  expect(await read([...FILES, ...FILES])).toEqual(columns);
  const calls = lambda.commandCalls(InvokeCommand);
  const [{ FunctionName, Payload } = {}] = calls.map(({ args: [{ input }] }) => input);
  expect([calls.length, FunctionName]).toEqual([1, 'the-reader']);
  expect(ReadColumnsRequest.parse(JSON.parse(Buffer.from(Payload as Uint8Array).toString()))).toEqual({
    files: [...FILES, ...FILES],
    trace,
  });
});

test('the reader of columns asks callers to try again where all places are taken', async () => {
  lambda
    .on(InvokeCommand)
    .rejects(Object.assign(new Error('Rate exceeded'), { name: 'TooManyRequestsException' }));

  await expect(read(FILES)).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 2 });
});

test('the reader of columns passes a refusal on with its code, message and details', async () => {
  const refusal = {
    code: 'file_unreadable',
    message: 'Row 3 is cut off.',
    details: [{ path: 'file', message: 'is cut off', row: 3 }],
  };
  answers({ refusal });

  await expect(read(FILES)).rejects.toMatchObject(refusal);
});

test.each([
  ['another code than those of files', { refusal: { code: 'internal_error', message: 'm', details: [] } }],
  ['nothing', null],
])('the reader of columns believes no answer with %s', async (_, answer) => {
  answers(answer);

  await expect(read(FILES)).rejects.toThrow(/invalid/i);
});

test('the reader of columns fails where the function does', async () => {
  answers({ errorMessage: 'Task timed out' }, 'Unhandled');

  await expect(read(FILES)).rejects.toThrow('Task timed out');
});
