import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHuggingFace } from '#shared/publishing/adapters/hugging-face.ts';
import type { ContentToPublish } from '#shared/publishing/decide/ports.ts';
import { createHubRepositories, HUB_TOKEN, type HubRepositories } from '#test/helpers/hub-repositories.ts';

let server: Server;
let hub: HubRepositories;
let folder: string;
let hubUrl: string;

beforeEach(async () => {
  hub = createHubRepositories(1000);
  server = createServer(async (request, response) => {
    await hub.handle(request, response, new URL(request.url ?? '/', 'http://hub'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  hubUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), 'publish-'));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

const publishing = () => createHuggingFace({ hubUrl, allowed: [new URL(hubUrl).host] });

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
    token: HUB_TOKEN,
    repository: 'rows',
    isPrivate: true,
    kind: 'dataset',
    marker: { dataset_id: 'dataset-1' },
    files,
    card: '# Rows\n',
    commitMessage: 'Publish rows',
    license: null,
    title: null,
    uploads: [],
    keepUploads: async () => {},
    onProgress: async () => {},
    ...fields,
  };
}

const publish = async (contents: readonly (string | Buffer)[], fields: Partial<ContentToPublish> = {}) =>
  publishing()(await contentOf(contents, fields));
const repository = () => {
  const found = hub.repositories.get('acme/rows');
  if (found === undefined) throw new Error('There is no repository.');
  return found;
};
const textOf = (path: string) => repository().files.get(path)?.bytes.toString();
const commits = () => repository().commits.length - 1;

test('a new repository is private, belongs to the owner of the token, and has the files and the card in one commit', async () => {
  const shares: number[] = [];
  const published = await publish(['one', 'two'], {
    onProgress: async (share) => void shares.push(share),
  });

  expect(published).toEqual({
    repository: 'acme/rows',
    url: `${hubUrl}/datasets/acme/rows`,
    commit: repository().commits[1]?.oid,
  });
  expect(repository()).toMatchObject({ isPrivate: true, commits: [{}, { title: 'Publish rows' }] });
  expect(textOf('data/0.parquet')).toBe('one');
  expect(textOf('data/1.parquet')).toBe('two');
  expect(textOf('README.md')).toBe('# Rows\n');
  expect(repository().files.get('data/0.parquet')?.lfs).not.toBeNull();
  expect(shares.at(-1)).toBe(1);
});

test('a large file goes in parts', async () => {
  const large = randomBytes(3500);

  await publish([large]);

  expect(repository().files.get('data/0.parquet')?.bytes.equals(large)).toBe(true);
  expect(hub.asked.filter((line) => /^PUT .*\/\d$/.test(line))).toHaveLength(4);
});

test('the same content twice makes no second commit and uploads nothing', async () => {
  await publish(['one']);
  const uploads = hub.uploaded.length;

  expect(await publish(['one'])).toMatchObject({ repository: 'acme/rows', commit: null });
  expect([commits(), hub.uploaded.length]).toEqual([1, uploads]);
});

test('what has changed is uploaded alone, and what is stale is deleted', async () => {
  await publish(['one', 'two', 'three']);

  await publish(['one', 'new'], { card: '# New\n' });

  expect(hub.uploaded).toHaveLength(4);
  expect([...repository().files.keys()].sort()).toEqual([
    'README.md',
    'data/0.parquet',
    'data/1.parquet',
    'tunesmith.json',
  ]);
  expect(textOf('data/1.parquet')).toBe('new');
  expect(textOf('README.md')).toBe('# New\n');
});

test('an attempt goes on after what the one before has uploaded', async () => {
  hub.fail({ on: '/commit/', times: 1 });
  await expect(publish(['one', 'two'])).rejects.toThrow();
  expect([commits(), hub.uploaded.length]).toEqual([0, 2]);

  await publish(['one', 'two']);

  expect([commits(), hub.uploaded.length]).toEqual([1, 2]);
});

test('a repository that is there takes rows if it is private, or the rows are said to be public', async () => {
  hub.create('acme/rows', true);
  await publish(['one']);
  hub.create('acme/open', false);
  await publish(['one'], { repository: 'acme/open', isPrivate: false });

  expect(commits()).toBe(1);
  expect(hub.repositories.get('acme/open')?.commits).toHaveLength(2);
});

test('a repository that is there is taken over if it is empty, and not if others have files there', async () => {
  hub.create('acme/rows', true, { '.gitattributes': '', 'README.md': '' });
  await publish(['one']);
  hub.create('acme/theirs', true, { 'data/0.parquet': 'theirs', 'README.md': 'theirs' });

  await expect(publish(['one'], { repository: 'theirs' })).rejects.toMatchObject({
    name: 'PublicationRefused',
    message: expect.stringContaining('files of others'),
  });
  expect(commits()).toBe(1);
  expect(hub.repositories.get('acme/theirs')?.commits).toHaveLength(1);
});

test('a repository that is there that is for another dataset is not touched', async () => {
  await publish(['one']);

  await expect(publish(['two'], { marker: { dataset_id: 'dataset-2' } })).rejects.toMatchObject({
    name: 'PublicationRefused',
    message: expect.stringContaining('another dataset'),
  });
  expect([commits(), textOf('data/0.parquet')]).toEqual([1, 'one']);
});

test('a repository that is there is not changed if somebody else commits meanwhile', async () => {
  await publish(['one']);
  hub.fail({ on: '/preupload/', times: 1, commits: true });

  await expect(publish(['two'])).rejects.not.toMatchObject({ name: 'PublicationRefused' });
  expect(textOf('data/0.parquet')).toBe('one');
  await publish(['two']);
  expect(textOf('data/0.parquet')).toBe('two');
});

test('a repository that is there takes no private rows if it is public', async () => {
  hub.create('acme/rows', false);

  await expect(publish(['one'])).rejects.toMatchObject({
    name: 'PublicationRefused',
    message: expect.stringContaining('acme/rows is public'),
  });
  expect([commits(), hub.uploaded.length]).toEqual([0, 0]);
});

test('a repository that is there takes no private rows if it becomes public during the upload', async () => {
  await publish(['one']);
  hub.fail({ on: 'PUT /lfs/', times: 1, opens: true });

  await expect(publish(['two'])).rejects.toMatchObject({
    name: 'PublicationRefused',
    message: expect.stringContaining('acme/rows is public'),
  });
  expect([commits(), textOf('data/0.parquet')]).toEqual([1, 'one']);
});

test.each([
  [401, /token of the connection/],
  [403, /may not write/],
  [404, /no such namespace/],
  [400, /refuses the content \(status 400\)/],
  [422, /refuses the content/],
])(
  'what the caller or the operator has to change is said, and nothing that the hub says: %i',
  async (status, message) => {
    hub.fail({ on: '/preupload/', times: 1, status });

    const error = await publish(['one']).catch((error: Error) => error);

    expect(error).toMatchObject({ name: 'PublicationRefused', message: expect.stringMatching(message) });
    expect(String(error)).not.toContain('secret');
  },
);

test('what the caller or the operator has to change is said, and nothing that the hub says: a token that may not make repositories, unless there is one', async () => {
  hub.fail({ on: '/api/repos/create', times: 1, status: 403 });
  await expect(publish(['one'])).rejects.toMatchObject({
    name: 'PublicationRefused',
    message: expect.stringMatching(/may not write/),
  });
  hub.create('acme/rows', true);
  hub.fail({ on: '/api/repos/create', times: 1, status: 403 });

  await publish(['one']);

  expect(commits()).toBe(1);
});

test('what the caller or the operator has to change is said, and nothing that the hub says: a namespace of others', async () => {
  await expect(publish(['one'], { repository: 'others/rows' })).rejects.toMatchObject({
    name: 'PublicationRefused',
  });
});

test.each([429, 500, 503])('a hub that answers %i may be asked again', async (status) => {
  hub.fail({ on: '/preupload/', times: 1, status, retryAfter: '1' });

  await expect(publish(['one'])).rejects.not.toMatchObject({ name: 'PublicationRefused' });
});

test.each([400, 403])(
  'what the storage answers with %i may be sent again, and its address is not told',
  async (status) => {
    hub.fail({ on: 'PUT /lfs/', times: 1, status });

    const error = await publish(['one']).catch((error: Error) => error);

    expect(error).not.toMatchObject({ name: 'PublicationRefused' });
    expect(`${error}`).toContain(`answered ${status}`);
    expect(JSON.stringify(error) + error).not.toMatch(/http|lfs|secret/);
    await publish(['one']);
  },
);

describe('a model', () => {
  const MODEL = { kind: 'model', marker: { experiment_id: 'training-1' }, repository: 'model' } as const;
  /** The files of an adapter, of which Git LFS takes the weights. */
  const model = async (weights: string, fields: Partial<ContentToPublish> = {}) => {
    const content = await contentOf(['{}', weights], { ...MODEL, ...fields });
    const names = ['adapter_config.json', 'adapter_model.safetensors'];
    return publishing()({
      ...content,
      files: content.files.map((file, n) => ({ ...file, path: names[n] ?? '' })),
    });
  };
  const made = () => hub.repositories.get('models/acme/model');

  test('a model gets a repository of models, with its files at the top, and the same content makes no second commit', async () => {
    const published = await model('weights');

    expect(published).toMatchObject({ url: `${hubUrl}/acme/model`, commit: made()?.commits[1]?.oid });
    expect(made()?.isPrivate).toBe(true);
    expect(
      Object.fromEntries([...(made()?.files ?? [])].map(([path, { bytes }]) => [path, `${bytes}`])),
    ).toEqual({
      'README.md': '# Rows\n',
      'adapter_config.json': '{}',
      'adapter_model.safetensors': 'weights',
      'tunesmith.json': '{"experiment_id":"training-1"}\n',
    });
    expect(made()?.files.get('adapter_config.json')?.lfs).toBeNull();
    const uploads = hub.uploaded.length;
    expect(await model('weights')).toMatchObject({ commit: null });
    expect([made()?.commits.length, hub.uploaded.length]).toEqual([2, uploads]);
  });

  test('a model leaves other files of its repository as they are', async () => {
    await model('weights');
    made()?.files.set('notes.md', { bytes: Buffer.from('ours'), lfs: null });

    await model('weights', { card: '# New\n' });

    expect(made()?.files.get('notes.md')?.bytes.toString()).toBe('ours');
    expect(made()?.files.get('README.md')?.bytes.toString()).toBe('# New\n');
  });

  test('a model goes on after what an attempt before has uploaded', async () => {
    hub.fail({ on: '/commit/', times: 1 });
    await expect(model('weights')).rejects.toThrow();
    expect(hub.uploaded).toHaveLength(1);

    await model('weights');

    expect([made()?.commits.length, hub.uploaded.length]).toEqual([2, 1]);
  });

  test.each([
    ['that of another training', { experiment_id: 'training-2' }, 'another model'],
    ['a dataset', { dataset_id: 'dataset-1' }, 'another model'],
    ['others', null, 'files of others'],
  ])('a model does not touch a repository of %s', async (_, marker, message) => {
    const file = marker === null ? 'weights.bin' : 'tunesmith.json';
    hub.create('models/acme/model', true, { [file]: `${JSON.stringify(marker)}\n`, 'README.md': 'theirs' });

    await expect(model('weights')).rejects.toMatchObject({
      name: 'PublicationRefused',
      message: expect.stringContaining(message),
    });
    expect(made()?.commits).toHaveLength(1);
  });

  test('a model that is not said to be public goes into no public repository', async () => {
    hub.create('models/acme/model', false);

    await expect(model('weights')).rejects.toMatchObject({
      name: 'PublicationRefused',
      message: expect.stringContaining('acme/model is public'),
    });
    expect([made()?.commits.length, hub.uploaded.length]).toEqual([1, 0]);
  });

  test('a model keeps away from the rows of a dataset whose repository has the same name', async () => {
    await publish(['one'], { repository: 'model' });
    await model('weights');

    expect(hub.repositories.get('acme/model')?.files.has('data/0.parquet')).toBe(true);
    expect(made()?.files.has('data/0.parquet')).toBe(false);
  });

  test('a model does not become the dataset of a repository that is marked as its own', async () => {
    hub.create('acme/rows', true, { 'tunesmith.json': '{"experiment_id":"training-1"}\n', a: 'b' });

    await expect(publish(['one'])).rejects.toMatchObject({ name: 'PublicationRefused' });
    expect(commits()).toBe(0);
  });
});

test('a hub at an inside address is not asked', async () => {
  const outside = createHuggingFace({ hubUrl: hubUrl.replace('http:', 'https:'), allowed: [] });

  await expect(outside(await contentOf(['one']))).rejects.toMatchObject({
    name: 'PublicationRefused',
    message: expect.stringContaining('may not reach'),
  });
  expect(hub.asked).toEqual([]);
});
