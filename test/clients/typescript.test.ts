import { createTunesmith, dataOf, TunesmithError } from 'tunesmith';
import { expect, test } from 'vitest';

const problem = {
  statusCode: 400,
  message: 'The column "anser" does not exist.',
  code: 'column_unknown',
  details: [{ path: 'column_mapping.completion', message: 'is no column' }],
  request_id: 'request-1',
  error: { message: '', type: '', param: '', code: '' },
};

const answering = (respond: (request: Request) => Response | Promise<Response>) =>
  createTunesmith({
    baseUrl: 'https://service.example/dev/',
    apiKey: 'pt_live_key',
    fetch: async (request: Request) => respond(request),
  });

const list = (client: ReturnType<typeof answering>) => dataOf(client.GET('/api/v1/datasets'));

async function errorOf(promise: Promise<unknown>): Promise<TunesmithError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TunesmithError)) throw new Error(`Not a TunesmithError: ${error}`);
  return error;
}

test('a request carries the key and goes to the path below the base URL', async () => {
  const seen: string[] = [];
  const client = answering((request) => {
    seen.push(`${request.method} ${request.url} ${request.headers.get('authorization')}`);
    return Response.json({ datasets: [], next_cursor: null });
  });

  expect(await list(client)).toEqual({ datasets: [], next_cursor: null });
  expect(seen).toEqual(['GET https://service.example/dev/api/v1/datasets Bearer pt_live_key']);
});

test('an error of the service keeps its message, code, fields, request id and time to wait', async () => {
  const error = await errorOf(
    list(answering(() => Response.json(problem, { status: 400, headers: { 'retry-after': '7' } }))),
  );

  expect(error).toMatchObject({
    message: problem.message,
    status: 400,
    code: 'column_unknown',
    requestId: 'request-1',
    details: problem.details,
    retryAfterSeconds: 7,
  });
});

test('an answer that is not the service’s is an error with its status', async () => {
  const error = await errorOf(
    list(
      answering(
        () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'x-request-id': 'r' } }),
      ),
    ),
  );

  expect(error).toMatchObject({ status: 502, code: 'unknown', requestId: 'r', retryAfterSeconds: null });
});

test('an answer of the gateway to an address without its stage is an error that says so', async () => {
  const error = await errorOf(
    list(answering(() => new Response('{"message":"Forbidden"}', { status: 403 }))),
  );

  expect(error.message).toContain('ends with its stage');
});

test('a request that gets no answer is an error that says so', async () => {
  const error = await errorOf(list(answering(() => Promise.reject(new TypeError('Failed to fetch')))));

  expect(error).toMatchObject({ status: 0, code: 'unreachable' });
  expect(error.message).toContain('does not answer');
});

test('a request that its caller aborts stays an AbortError', async () => {
  const aborted = list(answering(() => Promise.reject(new DOMException('stop', 'AbortError'))));

  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
});
