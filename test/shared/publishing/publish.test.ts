import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/datasets/publish.ts';
import { handler as translate } from '#functions/api/datasets/translate.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { theConnections } from '#shared/platform/wire.ts';
import { KaggleError } from '#shared/publishing/adapters/kaggle-api.ts';
import {
  type ContentToPublish,
  PublicationRefused,
  type PublishContent,
} from '#shared/publishing/decide/ports.ts';
import { createPublicationRepository } from '#shared/publishing/store/publications.ts';
import { theHuggingFace, theKaggle } from '#shared/publishing/wire.ts';
import { type ActiveRun, endRunNow, finishBatches, startRun } from '#test/helpers/active-run.ts';
import { executeExpansion, translator } from '#test/helpers/growing.ts';
import { standIn } from '#test/helpers/memory-resources.ts';
import { publish } from '#test/helpers/operations.ts';
import { endingOf, interruption } from '#test/helpers/store-contract.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let active: ActiveRun;
let token: string | null;
/** What the platform does with a content. */
let take: (content: ContentToPublish) => Promise<void>;
const taken: { platform: string; content: ContentToPublish; hashes: string[] }[] = [];

const hashOf = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

const platform =
  (name: string): PublishContent =>
  async (content) => {
    const hashes = await Promise.all(content.files.map(({ localPath }) => hashOf(localPath)));
    taken.push({ platform: name, content, hashes });
    await content.onProgress(0.5);
    await take(content);
    return { repository: 'acme/rows', url: `https://${name}.example/acme/rows`, commit: 'c1' };
  };

beforeEach(async () => {
  token = 'hf_token';
  take = async () => {};
  taken.length = 0;
  world = createWorld(Date.now, [
    standIn(theConnections, async () => token),
    standIn(theHuggingFace, platform('hub')),
    standIn(theKaggle, platform('kaggle')),
  ]);
  vi.spyOn(logger, 'error').mockImplementation(() => logger);
  active = await startRun(world, { rows: 5 });
  await finishBatches(world, active);
  await endRunNow(world, active);
});

async function start(target_spec: object = { repo_name: 'rows' }, target = 'huggingface'): Promise<string> {
  const { dataset, caller } = active;
  const { body } = await world.call(handler, {
    as: caller,
    params: { dataset_id: dataset.dataset_id },
    body: { target, target_spec },
  });
  return body.publish_id;
}

const attempt = (publish_id: string) =>
  world.use(publish)({ dataset_id: active.dataset.dataset_id, publish_id });
const stored = (publish_id: string) =>
  createPublicationRepository(world.table).find(active.dataset.dataset_id, publish_id);

test('the rows of a run that failed before any was done are not published, as they are not downloaded', async () => {
  active = await startRun(world, { rows: 5 });
  const { dataset, caller, run } = active;
  await world.store.ledger.end(
    endingOf(run, { status: 'failed', billedCredits: 0, errorData: interruption, counts: null }),
  );

  const { status, problem } = await world.call(handler, {
    as: caller,
    params: { dataset_id: dataset.dataset_id },
    body: { target: 'huggingface', target_spec: { repo_name: 'rows' } },
  });

  expect([status, problem.code]).toEqual([422, 'no_data_yet']);
});

test('the rows of a download go to the platform, with a card, and the publication says where they are', async () => {
  const id = await start({ repo_name: 'rows', license: 'mit', commit_message: 'First rows' });

  expect(await attempt(id)).toEqual({ status: 'succeeded' });

  const [{ content } = { content: undefined }] = taken;
  expect(content).toMatchObject({
    token: 'hf_token',
    repository: 'rows',
    isPrivate: true,
    commitMessage: 'First rows',
    files: [{ path: 'data/train-00000-of-00001.parquet' }],
    card: expect.stringContaining('license: "mit"'),
  });
  expect(await stored(id)).toMatchObject({
    status: 'succeeded',
    attempts: 1,
    progress_percent: 100,
    repository: 'acme/rows',
    url: 'https://hub.example/acme/rows',
    commit: 'c1',
  });
  expect(JSON.stringify(world.table.items())).not.toContain('hf_token');
});

test.each([undefined, 1])(
  'rows that models made with their dataset are not called those of an upload (version %s)',
  async (version) => {
    const { body } = await world.call(translate, {
      as: active.caller,
      params: { dataset_id: active.dataset.dataset_id },
      body: { languages: ['de'], sample_rate: 1 },
    });
    const datasetId = body.dataset_id ?? '';
    await executeExpansion(world, datasetId, translator());
    const { body: started } = await world.call(handler, {
      as: active.caller,
      params: { dataset_id: datasetId },
      body: { target: 'huggingface', target_spec: { repo_name: 'rows', version } },
    });
    const { publish_id } = started;

    await world.use(publish)({ dataset_id: datasetId, publish_id });

    const card = taken[0]?.content.card ?? '';
    expect(card).toContain('translated rows of another dataset');
    expect(card).toContain('- synthetic');
    expect(card).toContain('language:\n- "de"\n- "en"\ntags');
    expect(card).not.toContain('upload');
  },
);

test('rows for Kaggle go there, with what it keeps beside the files', async () => {
  token = 'acme:kaggle_key';
  const id = await start({ repo_name: 'our-rows', license: 'cc-by-4.0', title: 'Our own rows' }, 'kaggle');

  expect(await attempt(id)).toEqual({ status: 'succeeded' });
  expect(taken).toMatchObject([
    {
      platform: 'kaggle',
      content: { token, repository: 'our-rows', license: 'CC-BY-4.0', title: 'Our own rows', uploads: [] },
    },
  ]);
  expect(await stored(id)).toMatchObject({ url: 'https://kaggle.example/acme/rows' });
});

test('an attempt has the uploads of the one before, and nothing keeps them after the last', async () => {
  token = 'acme:kaggle_key';
  const upload = { name: 'a', sha256: 'f'.repeat(64), token: 'blob', url: 'https://storage.example/signed' };
  take = async (content) => {
    if (content.uploads.length > 0) return;
    await content.keepUploads([upload]);
    throw new Error('killed');
  };
  const id = await start({ repo_name: 'our-rows' }, 'kaggle');
  await expect(attempt(id)).rejects.toThrow();
  await attempt(id);

  expect(taken.map(({ content }) => content.uploads)).toEqual([[], [upload]]);
  expect(await stored(id)).toMatchObject({ status: 'succeeded', uploads: [] });

  const other = await start({ repo_name: 'our-rows' }, 'kaggle');
  take = async (content) => {
    await content.keepUploads([upload]);
    throw new PublicationRefused('No.');
  };
  await attempt(other);
  expect(await stored(other)).toMatchObject({ status: 'failed', uploads: [] });
});

test('no log has a credential, an address of an upload, or what a platform says', async () => {
  token = 'acme:kaggle_key';
  const log = vi.spyOn(logger, 'error').mockImplementation(() => logger);
  const id = await start({ repo_name: 'our-rows' }, 'kaggle');
  take = async () => {
    throw new KaggleError(503, true);
  };
  await expect(attempt(id)).rejects.toThrow();

  const logged = JSON.stringify(log.mock.calls);
  expect(logged).toContain('The storage of Kaggle answered 503.');
  expect(logged).not.toMatch(/kaggle_key|https?:/);
});

test('the same rows give the same bytes and the same card each time', async () => {
  await attempt(await start());
  await attempt(await start());

  expect(taken[0]?.hashes).toEqual(taken[1]?.hashes);
  expect(taken[0]?.content.card).toBe(taken[1]?.content.card);
});

test('an attempt that fails is repeated by Lambda, twice, and then the publication has failed', async () => {
  const id = await start();
  take = () => Promise.reject(new Error('secret of the hub'));

  await expect(attempt(id)).rejects.toThrow();
  expect(await stored(id)).toMatchObject({
    status: 'running',
    message: expect.stringContaining('Another one'),
  });
  await expect(attempt(id)).rejects.toThrow();
  expect(await attempt(id)).toEqual({ status: 'failed' });

  const record = await stored(id);
  expect(record).toMatchObject({ status: 'failed', attempts: 3, url: null });
  expect(record?.message).not.toContain('secret');
  // A fourth one finds that it has ended.
  expect(await attempt(id)).toEqual({ status: 'failed' });
  expect(taken).toHaveLength(3);
});

test('a publication that ends, however it does, lets the team publish again', async () => {
  await attempt(await start());
  const id = await start();
  take = () => Promise.reject(new PublicationRefused('No.'));
  await attempt(id);

  expect(await start()).toBeDefined();
});

test('a publication that Lambda has kept waiting until its caller was told to publish again is not begun', async () => {
  const id = await start();
  const record = await stored(id);
  if (record === null) throw new Error('There is no such publication.');
  const publications = createPublicationRepository(world.table);
  await publications.update(record, { updated_at: timestamp(Date.now() - 61 * 60_000) });

  expect(await attempt(id)).toEqual({ status: 'failed' });
  expect([taken, (await stored(id))?.status]).toEqual([[], 'failed']);
});

test('a publication fails at once if the platform refuses it', async () => {
  const id = await start();
  take = () => Promise.reject(new PublicationRefused('Name another repository.'));

  expect(await attempt(id)).toEqual({ status: 'failed' });
  expect(await stored(id)).toMatchObject({ status: 'failed', message: 'Name another repository.' });
});

test('a publication fails at once if the connection is gone', async () => {
  const id = await start();
  token = null;

  expect(await attempt(id)).toEqual({ status: 'failed' });
  expect((await stored(id))?.message).toContain('connection');
  expect(taken).toEqual([]);
});

test('a publication fails at once if the dataset was deleted', async () => {
  const id = await start();
  await world.store.datasets.delete(active.caller, active.dataset.dataset_id, Date.now());

  expect(await attempt(id)).toEqual({ status: 'failed' });
  expect((await stored(id))?.message).toContain('deleted');
});
