import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTunesmith, download } from 'tunesmith';
import { downloadTo } from 'tunesmith/node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  fakeService,
  inTurn,
  problem,
  type Routes,
  SERVICE_URL,
  STORAGE_URL,
  storedFile,
} from '#test/helpers/fake-service.ts';

const LINK = 'GET /api/v1/datasets/d1/download-link';
const link = () =>
  Response.json({ url: `${STORAGE_URL}/file`, file_name: 'rows.csv', expires_at: '2026-01-01T00:00:00Z' });
const CONTENT = 'question,answer\nwhy,because\n';

function serviceOf(routes: Routes) {
  const service = fakeService({ [LINK]: link, ...routes });
  const client = createTunesmith({
    baseUrl: SERVICE_URL,
    apiKey: 'k',
    fetch: (request: Request) => service.fetch(request),
  });
  return { service, client, options: { fetch: service.fetch } };
}

const source = { dataset_id: 'd1' };

test('a download as a stream gives the bytes, their number and the name of the file', async () => {
  const { client, options, service } = serviceOf({ 'GET /file': storedFile(CONTENT, '"1"') });

  const { body, ...rest } = await download(
    client,
    { dataset_id: 'd1', format: 'jsonl', run_id: 'r1' },
    options,
  );

  expect(await new Response(body).text()).toBe(CONTENT);
  expect(rest).toEqual({ fileName: 'rows.csv', etag: '"1"', firstByte: 0, totalBytes: CONTENT.length });
  expect(String(service.received[0]?.query)).toBe('fileFormat=jsonl&run_id=r1');
  expect(service.received[1]?.headers.get('authorization')).toBeNull();
});

test('a download as a stream waits for a file that the service is still building', async () => {
  const building = () => problem(503, 'export_pending', { 'retry-after': '0', 'x-should-retry': 'true' });
  const { client, options } = serviceOf({
    [LINK]: inTurn(...Array.from({ length: 20 }, () => building), link),
    'GET /file': storedFile(CONTENT, '"1"'),
  });

  const { body } = await download(client, source, options);

  expect(await new Response(body).text()).toBe(CONTENT);
});

test('a download as a stream goes on after each break, with a new link, at the byte that is missing', async () => {
  const { client, options, service } = serviceOf({ 'GET /file': storedFile(CONTENT, '"1"', 10) });

  const { body } = await download(client, source, options);

  expect(await new Response(body).text()).toBe(CONTENT);
  const files = service.received.filter(({ path }) => path === '/file');
  expect(files.map(({ headers }) => headers.get('range'))).toEqual([null, 'bytes=10-', 'bytes=20-']);
  expect(service.calls().filter((call) => call === LINK)).toHaveLength(3);
});

test('a download as a stream does not join the beginning of one file with the end of another', async () => {
  const { client, options } = serviceOf({
    'GET /file': (received) =>
      received.headers.has('range')
        ? storedFile('other', '"2"')(received)
        : storedFile(CONTENT, '"1"', 10)(received),
  });

  const { body } = await download(client, source, options);

  await expect(new Response(body).text()).rejects.toMatchObject({ name: 'DownloadChangedError' });
});

test('a download as a stream that the storage refuses says so', async () => {
  const { client, options } = serviceOf({ 'GET /file': () => new Response(null, { status: 403 }) });

  await expect(download(client, source, options)).rejects.toMatchObject({
    status: 403,
    name: 'TunesmithError',
  });
});

describe('a download to a file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'download-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Begins a download and interrupts it after ten bytes. */
  async function interrupt(path: string): Promise<void> {
    const stop = new AbortController();
    const { client, options } = serviceOf({
      'GET /file': storedFile(CONTENT, '"1"', 10, () => stop.abort()),
    });
    await expect(downloadTo(client, source, path, { ...options, signal: stop.signal })).rejects.toMatchObject(
      {
        name: 'AbortError',
      },
    );
    expect(await readFile(`${path}.part`, 'utf8')).toBe(CONTENT.slice(0, 10));
  }

  test('a download to a file that was interrupted is taken up again, and leaves the file alone', async () => {
    const path = join(folder, 'rows.csv');
    await interrupt(path);
    const { client, options, service } = serviceOf({ 'GET /file': storedFile(CONTENT, '"1"') });

    expect(await downloadTo(client, source, path, options)).toEqual({
      bytes: CONTENT.length,
      resumedBytes: 9,
    });

    expect(service.received.at(-1)?.headers.get('range')).toBe('bytes=9-');
    expect(await readFile(path, 'utf8')).toBe(CONTENT);
    expect(await readdir(folder)).toEqual(['rows.csv']);
  });

  test('a download to a file begins anew when the file is another one by now', async () => {
    const path = join(folder, 'rows.csv');
    await interrupt(path);
    const { client, options } = serviceOf({ 'GET /file': storedFile('short', '"2"') });

    expect(await downloadTo(client, source, path, options)).toEqual({ bytes: 5, resumedBytes: 0 });
    expect(await readFile(path, 'utf8')).toBe('short');
  });

  test('a download to a file begins anew when the storage gives out a part of another file', async () => {
    const path = join(folder, 'rows.csv');
    await interrupt(path);
    const { client, options } = serviceOf({
      'GET /file': ({ headers }) =>
        headers.has('range')
          ? new Response('rest of another', { status: 206, headers: { etag: '"2"' } })
          : new Response('short', { headers: { etag: '"2"' } }),
    });

    await downloadTo(client, source, path, options);

    expect(await readFile(path, 'utf8')).toBe('short');
  });

  test('a download to a file does not go on with the bytes of another download', async () => {
    const path = join(folder, 'rows.csv');
    await interrupt(path);
    const { client, options, service } = serviceOf({ 'GET /file': storedFile(CONTENT, '"1"') });

    await downloadTo(client, { dataset_id: 'd1', version: 2 }, path, options);

    expect(service.received.at(-1)?.headers.get('range')).toBeNull();
    expect(await readFile(path, 'utf8')).toBe(CONTENT);
  });

  test('a download to a file replaces a file only when it is whole', async () => {
    const path = join(folder, 'rows.csv');
    await writeFile(path, 'earlier');
    await interrupt(path);
    expect(await readFile(path, 'utf8')).toBe('earlier');
  });
});
