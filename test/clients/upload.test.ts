import { createTunesmith, type UploadSession, upload } from 'tunesmith';
import { expect, test } from 'vitest';
import {
  fakeService,
  inTurn,
  problem,
  type Routes,
  SERVICE_URL,
  STORAGE_URL,
} from '#test/helpers/fake-service.ts';

const busy = () => problem(503, 'service_unavailable', { 'retry-after': '0' });
const started = () =>
  Response.json({
    dataset_id: 'd1',
    status: 'pending',
    upload_instructions: { url: `${STORAGE_URL}/put/1`, method: 'PUT', s3_key: 'k1' },
  });
const completed = () => Response.json({ dataset_id: 'd1', status: 'pending' });
const stored = () => new Response(null);

const single: Routes = {
  'POST /api/v1/datasets': started,
  'PUT /put/1': stored,
  'POST /api/v1/datasets/d1/upload/complete': completed,
  'DELETE /api/v1/datasets/d1': () => Response.json({ message: 'gone' }),
};
const SINGLE_CALLS = Object.keys(single).filter((call) => !call.startsWith('DELETE'));

function serviceOf(routes: Routes) {
  const service = fakeService(routes);
  const client = createTunesmith({
    baseUrl: SERVICE_URL,
    apiKey: 'pt_live_key',
    fetch: (request: Request) => service.fetch(request),
  });
  return { service, client };
}

const bytes = new TextEncoder().encode('q,a\n1,2\n');

test.each([
  ['bytes', bytes],
  ['a blob', new Blob([bytes])],
  ['a stream', new Blob([bytes]).stream()],
  ['a file that can be read again', { size: bytes.length, stream: () => new Blob([bytes]).stream() }],
])('a single file as %s is announced, sent and completed with its size', async (_, data) => {
  const { service, client } = serviceOf(single);

  const { dataset_id } = await upload(client, { name: 'rows.csv', data }, { fetch: service.fetch });

  expect(dataset_id).toBe('d1');
  expect(service.calls()).toEqual(SINGLE_CALLS);
  expect(service.bodiesOf('POST /api/v1/datasets')).toEqual([
    { source: { name: 'rows', file_format: 'csv', file_size_bytes: 8 } },
  ]);
  expect(service.received[1]?.body).toBe('q,a\n1,2\n');
  expect(service.bodiesOf('POST /api/v1/datasets/d1/upload/complete')).toEqual([{ file_size_bytes: 8 }]);
});

test('a single file goes to the storage without the key of the service', async () => {
  const { service, client } = serviceOf(single);

  await upload(client, { name: 'rows.csv', data: bytes }, { fetch: service.fetch });

  expect(service.received[0]?.headers.get('authorization')).toBe('Bearer pt_live_key');
  expect(service.received[1]?.headers.get('authorization')).toBeNull();
});

test('a single file is sent again when service and storage are busy', async () => {
  const put = inTurn<Response | Promise<Response>>(() => Promise.reject(new TypeError('reset')), stored);
  const { service, client } = serviceOf({
    ...single,
    'POST /api/v1/datasets': inTurn(busy, started),
    'PUT /put/1': put,
    'POST /api/v1/datasets/d1/upload/complete': inTurn(busy, busy, completed),
  });

  await upload(client, { name: 'rows.csv', data: new Blob([bytes]).stream() }, { fetch: service.fetch });

  expect(service.received.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
    'q,a\n1,2\n',
    'q,a\n1,2\n',
  ]);
  expect(service.calls()).toHaveLength(7);
});

test('a single file that the storage refuses leaves no dataset behind', async () => {
  const { service, client } = serviceOf({
    ...single,
    'PUT /put/1': () => new Response(null, { status: 403 }),
  });

  await expect(
    upload(client, { name: 'rows.csv', data: bytes }, { fetch: service.fetch }),
  ).rejects.toMatchObject({
    name: 'TunesmithError',
    status: 403,
  });

  expect(service.calls().at(-1)).toBe('DELETE /api/v1/datasets/d1');
});

test('a single file whose upload is kept goes on with what is missing, on the same dataset', async () => {
  const kept: UploadSession[] = [];
  const onSession = (session: UploadSession) => void kept.push(session);
  const file = { name: 'rows.csv', data: bytes };
  const refusing = serviceOf({
    ...single,
    'POST /api/v1/datasets/d1/upload/complete': () => problem(404, 'dataset_not_found'),
  });
  await upload(refusing.client, file, { fetch: refusing.service.fetch, onSession }).catch(() => undefined);
  expect(refusing.service.calls()).toEqual(SINGLE_CALLS);
  const { service, client } = serviceOf(single);

  const session = kept.at(-1) as UploadSession;
  await upload(client, file, { fetch: service.fetch, session });

  expect(kept.map(({ files }) => files[0]?.is_sent)).toEqual([false, true]);
  expect(service.calls()).toEqual(['POST /api/v1/datasets/d1/upload/complete']);
});

test('a single file that the service refuses once it has arrived leaves no dataset behind, although its upload is kept', async () => {
  const { service, client } = serviceOf({
    ...single,
    'POST /api/v1/datasets/d1/upload/complete': () => problem(400, 'column_unknown'),
  });

  await expect(
    upload(
      client,
      { name: 'rows.csv', data: bytes },
      { fetch: service.fetch, raw: { prompt: 'qq', completion: 'a' }, onSession: () => undefined },
    ),
  ).rejects.toMatchObject({ code: 'column_unknown' });

  expect(service.calls().at(-1)).toBe('DELETE /api/v1/datasets/d1');
});

test('a single file of another kind than the service reads is refused before any request', async () => {
  const { service, client } = serviceOf(single);

  await expect(upload(client, { name: 'rows.exe', data: bytes })).rejects.toThrow('no files like rows.exe');
  await expect(upload(client, { name: 'cat.png', data: bytes })).rejects.toThrow('beside the table');
  expect(service.calls()).toEqual([]);
});

test('a single file is not sent after an abort', async () => {
  const { service, client } = serviceOf(single);

  const aborted = upload(
    client,
    { name: 'rows.csv', data: bytes },
    { signal: AbortSignal.abort(), fetch: service.fetch },
  );

  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  expect(service.calls()).toEqual([]);
});

test('several files become one batch, whose progress counts the bytes of all', async () => {
  const { service, client } = serviceOf({
    'POST /api/v1/datasets/upload/initiate-batch': () =>
      Response.json({
        dataset_id: 'd1',
        uploads: [1, 2].map((n) => ({
          file_name: `${n}`,
          upload_url: `${STORAGE_URL}/put/${n}`,
          s3_key: `k${n}`,
        })),
      }),
    'PUT /put/1': stored,
    'PUT /put/2': stored,
    'POST /api/v1/datasets/upload/complete-batch': completed,
  });
  const sent: number[] = [];

  const files = ['a.csv', 'b.csv'].map((name) => ({ name, data: bytes }));
  await upload(client, files, {
    name: 'both',
    fetch: service.fetch,
    onProgress: ({ sentBytes }) => sent.push(sentBytes),
  });

  const announced = { file_format: 'csv', file_size_bytes: 8 };
  expect(service.bodiesOf('POST /api/v1/datasets/upload/initiate-batch')).toEqual([
    {
      name: 'both',
      files: [
        { file_name: 'a.csv', ...announced },
        { file_name: 'b.csv', ...announced },
      ],
    },
  ]);
  expect(service.bodiesOf('POST /api/v1/datasets/upload/complete-batch')).toEqual([
    {
      dataset_id: 'd1',
      files: [
        { file_name: 'a.csv', ...announced, s3_key: 'k1' },
        { file_name: 'b.csv', ...announced, s3_key: 'k2' },
      ],
    },
  ]);
  expect(sent).toEqual([8, 16]);
});
