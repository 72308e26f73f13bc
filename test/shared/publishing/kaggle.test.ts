import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKaggle } from '#shared/publishing/adapters/kaggle.ts';
import type { ContentToPublish } from '#shared/publishing/decide/ports.ts';
import type { KeptUpload } from '#shared/publishing/decide/record.ts';
import {
  createKaggleDatasets,
  KAGGLE_KEY,
  KAGGLE_OWNER,
  KAGGLE_TOKEN,
  type KaggleDatasets,
} from '#test/helpers/kaggle-datasets.ts';

let server: Server;
let kaggle: KaggleDatasets;
let folder: string;
let kaggleUrl: string;
/** What attempts leave to the next one. */
let kept: readonly KeptUpload[];

beforeEach(async () => {
  kept = [];
  kaggle = createKaggleDatasets();
  server = createServer(async (request, response) => {
    await kaggle.handle(request, response, new URL(request.url ?? '/', 'http://kaggle'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  kaggleUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), 'publish-'));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

const publishing = (waitMs = 2000) =>
  createKaggle({ kaggleUrl, allowed: [new URL(kaggleUrl).host], pauseMs: 1, waitMs });

/** Files with these contents, in the folder of the data. */
async function contentOf(
  contents: readonly (string | Buffer)[],
  fields: Partial<ContentToPublish> = {},
): Promise<ContentToPublish> {
  const files = await Promise.all(
    contents.map(async (content, n) => {
      const localPath = join(folder, `${n}`);
      await writeFile(localPath, content);
      return { localPath, path: `data/${n}.parquet` };
    }),
  );
  return {
    token: `${KAGGLE_OWNER}:${KAGGLE_KEY}`,
    repository: 'our-rows',
    isPrivate: true,
    kind: 'dataset',
    marker: { dataset_id: 'dataset-1' },
    files,
    card: '---\npretty_name: "Rows"\n---\n\n# Rows\n',
    commitMessage: 'Publish rows',
    license: null,
    title: null,
    uploads: kept,
    keepUploads: async (uploads) => {
      kept = uploads;
    },
    onProgress: async () => {},
    ...fields,
  };
}

const publish = async (contents: readonly (string | Buffer)[], fields: Partial<ContentToPublish> = {}) =>
  publishing()(await contentOf(contents, fields));
const dataset = (name = 'acme/our-rows') => {
  const found = kaggle.datasets.get(name);
  if (found === undefined) throw new Error('There is no dataset.');
  return found;
};
const versions = () => dataset().versions.length;
const textOf = (file: string) => dataset().versions.at(-1)?.files.get(file)?.toString();
const refusal = (message: string | RegExp) => ({
  name: 'PublicationRefused',
  message: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
});

test('a new dataset is private, belongs to the owner of the credential, and has the files and the card', async () => {
  const shares: number[] = [];
  const published = await publish(['one', 'two'], {
    license: 'CC-BY-4.0',
    title: 'Our own rows',
    onProgress: async (share) => void shares.push(share),
  });

  expect(published).toEqual({
    repository: 'acme/our-rows',
    url: `${kaggleUrl}/datasets/acme/our-rows`,
    commit: '1',
  });
  expect(dataset()).toMatchObject({
    isPrivate: true,
    title: 'Our own rows',
    license: 'CC-BY-4.0',
    description: '# Rows\n',
  });
  expect([textOf('0.parquet'), textOf('1.parquet'), textOf('README.md')]).toEqual(['one', 'two', '# Rows\n']);
  expect(JSON.parse(textOf('tunesmith.json') ?? '')).toEqual({
    dataset_id: 'dataset-1',
    content: expect.stringMatching(/^[0-9a-f]{64}$/),
    license: 'CC-BY-4.0',
  });
  expect(shares.at(-1)).toBe(1);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
});

test('a token is taken too, whose owner Kaggle tells', async () => {
  expect(await publish(['one'], { token: KAGGLE_TOKEN })).toMatchObject({ repository: 'acme/our-rows' });
});

test('a dataset without a title or a license of its own has its name and none', async () => {
  await publish(['one']);

  expect(dataset()).toMatchObject({ title: 'our-rows', license: 'unknown' });
});

test('the same content twice makes no second version and uploads nothing', async () => {
  await publish(['one']);
  const uploads = kaggle.uploaded.length;

  expect(await publish(['one'])).toMatchObject({ repository: 'acme/our-rows', commit: null });
  expect([versions(), kaggle.uploaded.length]).toEqual([1, uploads]);
});

test('a marker that Kaggle sends as an archive is read', async () => {
  kaggle.compressFrom(100);
  await publish(['one']);

  expect(await publish(['one'])).toMatchObject({ commit: null });
  await expect(publish(['one'], { marker: { dataset_id: 'dataset-2' } })).rejects.toMatchObject(
    refusal('for another dataset'),
  );
});

test.each([
  ['another file', ['one', 'new'], '# Rows\n'],
  ['another card', ['one', 'two'], '# New\n'],
  ['one file less', ['one'], '# Rows\n'],
])('%s makes a version, with its notes, which has these files alone', async (_, contents, card) => {
  await publish(['one', 'two'], { card: '# Rows\n' });

  expect(await publish(contents, { card, commitMessage: 'Second' })).toMatchObject({ commit: '2' });
  expect(dataset().versions[1]?.notes).toBe('Second');
  expect(dataset().description).toBe(card);
  expect([...(dataset().versions[1]?.files.keys() ?? [])].sort()).toEqual(
    [...contents.map((_, n) => `${n}.parquet`), 'README.md', 'tunesmith.json'].sort(),
  );
  expect(contents.map((_, n) => textOf(`${n}.parquet`))).toEqual(contents);
});

test('an upload goes on where its connection broke', async () => {
  const large = randomBytes(300_000);
  kaggle.fail({ on: 'PUT /storage/', times: 1, cutAfter: 100_000 });

  await publish([large]);

  expect(dataset().versions[0]?.files.get('0.parquet')?.equals(large)).toBe(true);
  expect(kaggle.uploaded.slice(0, 2)).toEqual([
    ['0.parquet', 100_000],
    ['0.parquet', 200_000],
  ]);
});

test('an upload begins anew if the storage has forgotten it', async () => {
  const large = randomBytes(300_000);
  kaggle.fail(
    { on: 'PUT /storage/', times: 1, cutAfter: 100_000 },
    { on: 'PUT /storage/', times: 1, first: () => kaggle.expireUploads() },
  );

  await publish([large]);

  expect(kaggle.uploaded.slice(0, 2)).toEqual([
    ['0.parquet', 100_000],
    ['0.parquet', 300_000],
  ]);
});

test('an upload of an attempt that was killed is gone on with by the next, and a finished one is not repeated', async () => {
  const large = randomBytes(300_000);
  kaggle.fail(
    { on: 'PUT /storage/', times: 1, first: () => {} },
    { on: 'PUT /storage/', times: 1, cutAfter: 100_000 },
    { on: 'PUT /storage/', times: 9 },
  );
  await expect(publish(['one', large])).rejects.not.toMatchObject({ name: 'PublicationRefused' });
  expect(kept).toMatchObject([
    { name: '0.parquet', url: null },
    { name: '1.parquet', url: expect.stringContaining('/storage/upload/') },
  ]);
  await expect(publish(['one', large])).rejects.toThrow();
  await publish(['one', large]);

  expect(kaggle.uploaded.filter(([name]) => name.endsWith('.parquet'))).toEqual([
    ['0.parquet', 3],
    ['1.parquet', 100_000],
    ['1.parquet', 200_000],
  ]);
  expect(dataset().versions[0]?.files.get('1.parquet')?.equals(large)).toBe(true);
});

test('an upload of other content is not gone on with', async () => {
  kaggle.fail({ on: '/CreateDataset', times: 1 });
  await expect(publish(['one', 'two'])).rejects.toThrow();

  await publish(['one', 'new']);

  expect(textOf('1.parquet')).toBe('new');
  expect(kaggle.uploaded.filter(([name]) => name === '0.parquet')).toHaveLength(1);
});

describe('an attempt that was killed after Kaggle had made', () => {
  test('the dataset makes no second version', async () => {
    kaggle.fail({ on: '/CreateDataset', times: 1, afterwards: true });
    await expect(publish(['one'])).rejects.toThrow();

    expect(await publish(['one'])).toMatchObject({ commit: null });
    expect(versions()).toBe(1);
  });

  test('a version, which is still processed, makes no second one', async () => {
    kaggle = createKaggleDatasets(3);
    await publish(['one']);
    kaggle.fail({ on: '/CreateDatasetVersion', times: 1, afterwards: true });
    await expect(publish(['two'])).rejects.toThrow();

    expect(await publish(['two'])).toMatchObject({ commit: null });
    expect([versions(), textOf('0.parquet')]).toEqual([2, 'two']);
  });
});

test('a dataset that is there takes no private rows if it is public, and nothing is uploaded', async () => {
  await publish(['one'], { isPrivate: false });
  expect(dataset().isPrivate).toBe(false);
  const uploads = kaggle.uploaded.length;

  await expect(publish(['two'])).rejects.toMatchObject(refusal('acme/our-rows is public'));
  expect([versions(), kaggle.uploaded.length]).toEqual([1, uploads]);
  expect(await publish(['two'], { isPrivate: false })).toMatchObject({ commit: '2' });
});

test('a dataset that is there takes no private rows if it becomes public during the upload', async () => {
  await publish(['one']);
  kaggle.fail({
    on: 'PUT /storage/',
    times: 1,
    first: () => {
      dataset().isPrivate = false;
    },
  });

  await expect(publish(['two'])).rejects.toMatchObject(refusal('is public'));
  expect(versions()).toBe(1);
});

test('a dataset that is there that is private stays so if the rows are said to be public', async () => {
  await publish(['one']);

  expect(await publish(['two'], { isPrivate: false })).toMatchObject({ commit: '2' });
  expect(dataset().isPrivate).toBe(true);
});

test.each([
  ['of files alone', { '0.parquet': 'theirs' }],
  ['with a marker of another kind', { 'tunesmith.json': '[]' }],
  [
    'with a large marker',
    { 'tunesmith.json': `{"dataset_id":"dataset-1","content":"","license":null}${' '.repeat(70_000)}` },
  ],
])('%s is not touched', async (_, files) => {
  kaggle.create('acme/our-rows', true, files);

  await expect(publish(['one'])).rejects.toMatchObject(refusal('was not published from here'));
  expect([versions(), kaggle.uploaded]).toEqual([1, []]);
});

test('a dataset that is there that is for another dataset is not touched', async () => {
  await publish(['one']);

  await expect(publish(['two'], { marker: { dataset_id: 'dataset-2' } })).rejects.toMatchObject(
    refusal('for another dataset'),
  );
  expect([versions(), textOf('0.parquet')]).toEqual([1, 'one']);
});

test('a dataset that is there of others is not touched', async () => {
  kaggle.create('others/our-rows', false, { '0.parquet': 'theirs' });

  await expect(publish(['one'], { repository: 'others/our-rows', isPrivate: false })).rejects.toMatchObject(
    refusal('was not published from here'),
  );
  await expect(publish(['one'], { repository: 'others/more-rows' })).rejects.toMatchObject(
    refusal('may not write'),
  );
});

test('a dataset that is there keeps its license: another one is refused, and none changes none', async () => {
  await publish(['one'], { license: 'CC-BY-4.0' });

  await expect(publish(['one'], { license: 'PDDL' })).rejects.toMatchObject(refusal('the license CC-BY-4.0'));
  expect(await publish(['two'])).toMatchObject({ commit: '2' });
  expect(JSON.parse(textOf('tunesmith.json') ?? '')).toMatchObject({ license: 'CC-BY-4.0' });
});

describe('Kaggle processes', () => {
  test('a version for a while, and then its number is told', async () => {
    kaggle = createKaggleDatasets(4);

    expect(await publish(['one'])).toMatchObject({ commit: '1' });
    expect(kaggle.asked.filter((line) => line.includes('GetDatasetStatus')).length).toBeGreaterThan(4);
  });

  test('a version that it does not show at once, whose number is told and not the one before', async () => {
    await publish(['one']);
    const isLate = () => kaggle.fail({ on: 'GetDatasetStatus', times: 1, body: { status: 'READY' } });
    kaggle.fail({ on: '/CreateDatasetVersion', times: 1, first: isLate });

    expect(await publish(['two'])).toMatchObject({ commit: '2' });
  });

  test('a version for too long, and another attempt sees its end', async () => {
    kaggle = createKaggleDatasets(1000);
    await expect(publishing(50)(await contentOf(['one']))).rejects.toThrow('still processing');
    for (const version of dataset().versions) version.left = 0;

    expect(await publish(['one'])).toMatchObject({ commit: null });
  });

  test('a version in vain, and the publication fails with the reason', async () => {
    kaggle.fail(
      { on: 'GetDatasetStatus', times: 1, first: () => {} },
      {
        on: 'GetDatasetStatus',
        times: 1,
        body: { status: 'FAILED' },
      },
    );

    await expect(publish(['one'])).rejects.toMatchObject(refusal('could not process the files'));
  });

  test('nothing, but says why: callers are told in one line, without the credential', async () => {
    const error = `The size is\n too large for ${KAGGLE_KEY} ${'x'.repeat(1000)}`;
    kaggle.fail({ on: '/CreateDataset', times: 1, body: { status: 'error', error } });

    const refused = await publish(['one']).catch((error: Error) => error.message);

    expect(refused).toContain('Kaggle refuses the dataset: The size is too large for …');
    expect(refused).not.toContain(KAGGLE_KEY);
    expect(String(refused).length).toBeLessThan(400);
  });
});

test('a title that another dataset has is refused with what Kaggle says', async () => {
  await publish(['one'], { title: 'Our own rows' });

  await expect(publish(['one'], { repository: 'more-rows', title: 'Our own rows' })).rejects.toMatchObject(
    refusal('already in use'),
  );
});

test.each([
  [401, /credential of the connection/],
  [403, /may not write/],
  [404, /no such owner/],
  [409, /another dataset/],
  [400, /refuses the content \(status 400\)/],
  [422, /refuses the content/],
])(
  'what the caller or the operator has to change is said, and nothing that an error of Kaggle says: %i',
  async (status, message) => {
    kaggle.fail({ on: '/CreateDataset', times: 1, status });

    const error = await publish(['one']).catch((error: Error) => error);

    expect(error).toMatchObject(refusal(message));
    expect(String(error)).not.toContain('secret');
  },
);

test('what the caller or the operator has to change is said, and nothing that an error of Kaggle says: an error in an answer of 200', async () => {
  kaggle.fail({ on: '/CreateDataset', times: 1, body: { code: 403, message: 'a secret of Kaggle' } });

  await expect(publish(['one'])).rejects.toMatchObject(refusal('may not write'));
});

test.each(['acme:wrong', 'KGAT_wrong'])(
  'what the caller or the operator has to change is said, and nothing that an error of Kaggle says: the wrong credential %s',
  async (token) => {
    await expect(publish(['one'], { token })).rejects.toMatchObject(
      refusal('does not accept the credential'),
    );
    expect(kaggle.uploaded).toEqual([]);
  },
);

test.each([429, 500, 503])('a Kaggle that answers %i may be asked again', async (status) => {
  kaggle.fail({ on: '/CreateDataset', times: 1, status });

  await expect(publish(['one'])).rejects.not.toMatchObject({ name: 'PublicationRefused' });
  expect(await publish(['one'])).toMatchObject({ commit: '1' });
});

test.each([429, 503])('a storage that answers %i is asked again at once', async (status) => {
  kaggle.fail({ on: 'PUT /storage/', times: 2, status });

  expect(await publish(['one'])).toMatchObject({ commit: '1' });
});

test.each([400, 403])(
  'what the storage answers with %i may be sent anew, and its address is not told',
  async (status) => {
    kaggle.fail({ on: 'PUT /storage/', times: 1, status });

    const error = await publish(['one']).catch((error: Error) => error);

    expect(error).not.toMatchObject({ name: 'PublicationRefused' });
    expect(`${error}`).toContain(`answered ${status}`);
    expect(JSON.stringify(error) + error).not.toMatch(/http|\/storage|secret/);
    expect(kept).toEqual([]);
    expect(await publish(['one'])).toMatchObject({ commit: '1' });
  },
);

test('an inside address is not asked if it is that of Kaggle', async () => {
  const outside = createKaggle({
    kaggleUrl: kaggleUrl.replace('http:', 'https:'),
    allowed: [],
    pauseMs: 1,
  });

  await expect(outside(await contentOf(['one']))).rejects.toMatchObject(refusal('may not reach'));
  expect(kaggle.asked).toEqual([]);
});

test.each(['https://127.0.0.1:1/upload', 'http://storage.example/upload', 'file:///etc/passwd'])(
  'an inside address is not asked if Kaggle names it for an upload, nor one that is not encrypted: %s',
  async (createUrl) => {
    kaggle.fail({ on: 'StartBlobUpload', times: 1, body: { token: 't', createUrl } });

    await expect(publish(['one'])).rejects.toMatchObject(refusal('may not reach'));
  },
);

test('an inside address is not asked if Kaggle redirects to it', async () => {
  await publish(['one']);
  const inside = createServer(() => {
    throw new Error('was asked');
  });
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  const { port } = inside.address() as AddressInfo;
  kaggle.fail({ on: 'DownloadDataset', times: 1, status: 302, location: `http://127.0.0.1:${port}/` });

  await expect(publish(['two'])).rejects.toMatchObject(refusal('may not reach'));
  await new Promise((resolve) => inside.close(resolve));
});

test('no answer of the API is longer than what is read', async () => {
  kaggle.fail({ on: 'GetDataset', times: 2, body: { padding: 'x'.repeat(5 * 1024 * 1024) } });

  await expect(publish(['one'])).rejects.toThrow('no such answer');
});
