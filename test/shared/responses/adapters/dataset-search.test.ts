import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createDatasetSearch } from '#shared/responses/adapters/dataset-search.ts';
import {
  QUERY_CHARACTERS_MAX,
  type SearchReply,
  SearchRequest,
} from '#shared/responses/schema/dataset-search.ts';

const lambda = mockClient(LambdaClient);
afterAll(() => lambda.restore());
const search = createDatasetSearch('the-search', { client: new LambdaClient({ region: 'us-east-1' }) });
const { signal } = new AbortController();

function answers(answer: unknown, FunctionError?: string): void {
  const Payload = Buffer.from(JSON.stringify(answer));
  // The SDK's own type of a payload has more methods.
  lambda.on(InvokeCommand).resolves({ Payload, FunctionError } as never);
}
const asked = (): SearchRequest[] =>
  lambda.commandCalls(InvokeCommand).map(({ args: [{ input }] }) => {
    expect(input).toMatchObject({ FunctionName: 'the-search' });
    return SearchRequest.parse(JSON.parse(Buffer.from(input.Payload as Uint8Array).toString()));
  });

const ROW = { dataset_id: 'd', dataset_name: 'D', row: 3, text: 'a whale', score: 0.5 };

beforeEach(() => {
  lambda.reset();
});

test('the search of datasets answers what the function finds', async () => {
  answers({ rows: [ROW], refusal: null } satisfies SearchReply);

  expect(await search.search('team', ['d'], 'whales', 7, signal)).toEqual([ROW]);
  expect(asked()).toEqual([{ team_id: 'team', dataset_ids: ['d'], query: 'whales', limit: 7 }]);
});

test('the search of datasets hands the trace on that the caller is in', async () => {
  answers({ rows: [], refusal: null } satisfies SearchReply);
  const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };

  await createDatasetSearch('the-search', { trace: () => trace }).requireSearchable('team', ['d']);

  expect(asked()).toMatchObject([{ trace }]);
});

test('the search of datasets refuses what the function refuses, with its code and the time to wait', async () => {
  answers({
    rows: [],
    refusal: { code: 'index_not_ready', message: 'Ask again.', retry_after_seconds: 15 },
  } satisfies SearchReply);

  const refusal = { code: 'index_not_ready', message: 'Ask again.', status: 503, retryAfterSeconds: 15 };
  await expect(search.search('team', ['d'], 'whales', 7, signal)).rejects.toMatchObject(refusal);
  await expect(search.requireSearchable('team', ['d'])).rejects.toMatchObject(refusal);
});

test('the search of datasets checks datasets without a query', async () => {
  answers({ rows: [], refusal: null } satisfies SearchReply);

  await search.requireSearchable('team', ['d', 'e']);

  expect(asked()).toMatchObject([{ dataset_ids: ['d', 'e'], query: null }]);
});

test('the search of datasets cuts a query that is too long instead of failing', async () => {
  answers({ rows: [], refusal: null } satisfies SearchReply);

  await search.search('team', ['d'], 'x'.repeat(QUERY_CHARACTERS_MAX + 1), 7, signal);

  expect(asked()[0]?.query).toHaveLength(QUERY_CHARACTERS_MAX);
});

test('the search of datasets refuses more datasets than one search takes', async () => {
  const ids = Array.from({ length: 51 }, (_, n) => `d${n}`);
  await expect(search.requireSearchable('team', ids)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(asked()).toEqual([]);
});

test('the search of datasets fails where the function does', async () => {
  answers({ errorMessage: 'Task timed out' }, 'Unhandled');
  await expect(search.search('team', ['d'], 'whales', 7, signal)).rejects.toThrow('Task timed out');
});

test('the search of datasets ends with its signal, for the signal’s reason', async () => {
  const controller = new AbortController();
  lambda.on(InvokeCommand).callsFake(async () => {
    controller.abort(new Error('enough'));
    throw Object.assign(new Error('Request aborted'), { name: 'AbortError' });
  });
  const find = () => search.search('team', ['d'], 'whales', 7, controller.signal);

  await expect(find()).rejects.toThrow('enough');
  expect(lambda.commandCalls(InvokeCommand)[0]?.args).toContainEqual({ abortSignal: controller.signal });
  await expect(find()).rejects.toThrow('enough');
  expect(asked()).toHaveLength(1);
});
