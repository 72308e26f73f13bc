import { beforeEach, describe, expect, test } from 'vitest';
import { handler as exportLinks } from '#functions/api/datasets/export-links.ts';
import { handler as get } from '#functions/api/datasets/publications/get.ts';
import { handler } from '#functions/api/datasets/publish.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theConnections, theTable } from '#shared/platform/wire.ts';
import { theInvokers } from '#shared/platform/wire-functions.ts';
import { createPublicationRepository } from '#shared/publishing/store/publications.ts';
import { standIn } from '#test/helpers/memory-resources.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
/** Tokens by provider. */
let connections: Record<string, string>;

beforeEach(async () => {
  connections = {};
  world = createWorld(Date.now, [
    standIn(theConnections, async (team, provider) =>
      team === owner.team_id ? (connections[provider] ?? null) : null,
    ),
  ]);
  owner = await seedTeam(world.store, 0);
  dataset = await seedDataset(world.store, owner, { row_count: 3 });
});

const publish = (body: unknown, as = owner) =>
  world.call(handler, { as, params: { dataset_id: dataset.dataset_id }, body });
const read = (publish_id: string, as = owner) =>
  world.call(get, { as, params: { dataset_id: dataset.dataset_id, publish_id } });

test.each(['huggingface', 'kaggle'])(
  'publishing to %s without a connection is a 501 that clients do not repeat',
  async (target) => {
    const { status, headers, problem } = await publish({
      target,
      target_spec: { repo: 'a/b', deep: [1, null] },
    });

    expect([status, problem.code]).toEqual([501, 'publish_not_implemented']);
    expect(headers['x-should-retry']).toBe('false');
    expect(world.invoked).toEqual([]);
  },
);

test('a connection to one platform is none to another', async () => {
  connections = { kaggle: 'acme:key' };

  const { status, problem } = await publish({ target: 'huggingface', target_spec: { repo_name: 'rows' } });
  expect([status, problem.message]).toEqual([
    501,
    expect.stringContaining('Hugging Face needs a connection'),
  ]);
});

test('a wrong target is a 400 before it is a 501', async () => {
  const { status, problem } = await publish({ target: 'ftp' });

  expect(status).toBe(400);
  expect(problem.details[0]).toMatchObject({ path: 'target', allowed: ['huggingface', 'kaggle'] });
});

describe('with a connection', () => {
  const body = { target: 'huggingface', target_spec: { repo_name: 'acme/rows' } };

  beforeEach(() => {
    connections = { huggingface: 'hf_token' };
  });

  test('a publication is queued, private, and handed over', async () => {
    const { status, body: job } = await publish(body);

    expect(status).toBe(202);
    expect(job).toMatchObject({ status: 'queued', message: expect.stringContaining(job.publish_id) });
    const publication = { dataset_id: dataset.dataset_id, publish_id: job.publish_id };
    expect(world.invoked).toEqual([{ functionId: 'tasks/publishing/publish', payload: publication }]);
    expect((await read(job.publish_id)).body).toMatchObject({
      status: 'queued',
      target: 'huggingface',
      repository: 'acme/rows',
      private: true,
      progress_percent: 0,
      url: null,
      commit: null,
    });
    expect(JSON.stringify(world.table.items())).not.toContain('hf_token');
  });

  test.each([
    [undefined, 'target_spec.repo_name'],
    [{}, 'target_spec.repo_name'],
    [{ repo_name: 'a b' }, 'target_spec.repo_name'],
    [{ repo_name: 'a/b/c' }, 'target_spec.repo_name'],
    [{ repo_name: '../x' }, 'target_spec.repo_name'],
    [{ repo_name: 'a..b' }, 'target_spec.repo_name'],
    [{ repo_name: 'x.git' }, 'target_spec.repo_name'],
    [{ repo_name: 'x', private: 'no' }, 'target_spec.private'],
    [{ repo_name: 'x', license: 'CC BY\nevil: 1' }, 'target_spec.license'],
    [{ repo_name: 'x', visibility: 'public' }, 'target_spec.visibility'],
  ])('the settings %j are refused by the name of the field', async (target_spec, path) => {
    const { status, problem } = await publish({ target: 'huggingface', target_spec });

    expect(status).toBe(400);
    expect(problem.details[0]?.path).toBe(path);
  });

  test.each([
    ['acme/our-rows', { repo_name: 'acme/our-rows' }, { license: null, title: null, is_private: true }],
    [
      'our-rows',
      {
        repo_name: 'our-rows',
        private: false,
        license: 'cc-by-4.0',
        title: ' Our own rows ',
        version: undefined,
      },
      { license: 'CC-BY-4.0', title: 'Our own rows', is_private: false },
    ],
    ['rows-2', { repo_name: 'rows-2', license: 'odbl' }, { license: 'ODbL-1.0' }],
  ])('a publication to Kaggle is queued: %s', async (repository, target_spec, fields) => {
    connections = { kaggle: 'acme:kaggle_key' };
    const { status, body: job } = await publish({ target: 'kaggle', target_spec });

    expect(status).toBe(202);
    const record = await createPublicationRepository(world.table).find(dataset.dataset_id, job.publish_id);
    expect(record).toMatchObject({ target: 'kaggle', repository, uploads: [], ...fields });
    expect(JSON.stringify(world.table.items())).not.toContain('kaggle_key');
  });

  test.each([
    [undefined, 'target_spec.repo_name', /a string/],
    [{ repo_name: 'short' }, 'target_spec.repo_name', /6 to 50/],
    [{ repo_name: 'x'.repeat(51) }, 'target_spec.repo_name', /6 to 50/],
    [{ repo_name: 'Our-Rows' }, 'target_spec.repo_name', /lower-case/],
    [{ repo_name: 'our--rows' }, 'target_spec.repo_name', /single hyphens/],
    [{ repo_name: 'our_rows' }, 'target_spec.repo_name', /single hyphens/],
    [{ repo_name: '-our-rows' }, 'target_spec.repo_name', /single hyphens/],
    [{ repo_name: 'a/b/our-rows' }, 'target_spec.repo_name', /owner\/name/],
    [{ repo_name: 'our-rows\n' }, 'target_spec.repo_name', /6 to 50/],
    [{ repo_name: 'our-rows', title: 'short' }, 'target_spec.title', /6/],
    [{ repo_name: 'our-rows', title: 'x'.repeat(51) }, 'target_spec.title', /50/],
    [{ repo_name: 'our-rows', title: 'two\nlines' }, 'target_spec.title', /one line/],
    [{ repo_name: 'our-rows', license: 'mit' }, 'target_spec.license', /CC0-1\.0, .*CC-BY-4\.0, .*unknown/],
    [{ repo_name: 'our-rows', license: '__proto__' }, 'target_spec.license', /CC0-1\.0/],
    [{ repo_name: 'our-rows', subtitle: 'x' }, 'target_spec.subtitle', /./],
  ])(
    'with a connection for Kaggle the settings %j are refused before anything is uploaded',
    async (target_spec, path, message) => {
      connections = { kaggle: 'acme:key' };
      const { status, problem } = await publish({ target: 'kaggle', target_spec });

      expect(status).toBe(400);
      expect(problem.details[0]).toMatchObject({ path, message: expect.stringMatching(message) });
      expect(world.invoked).toEqual([]);
    },
  );

  test('a title is for Kaggle alone', async () => {
    const target_spec = { repo_name: 'rows', title: 'Our own rows' };
    const { problem } = await publish({ target: 'huggingface', target_spec });

    expect(problem.details[0]?.path).toBe('target_spec.title');
  });

  test('a key that may not read rows may not publish them', async () => {
    const { problem } = await publish(body, { ...owner, scopes: ['datasets:write'] });

    expect(problem.code).toBe('scope_missing');
  });

  test('a version that does not exist is not published, nor is a dataset without rows', async () => {
    const target_spec = { repo_name: 'x', version: 9 };
    expect((await publish({ target: 'huggingface', target_spec })).problem.code).toBe('version_not_found');

    dataset = await seedDataset(world.store, owner, { row_count: null });
    expect((await publish(body)).problem.code).toBe('no_data_yet');
  });

  test('a team has one publication at a time, and another after one that could not be started', async () => {
    expect((await publish(body)).status).toBe(202);
    const { status, problem } = await publish(body);
    expect([status, problem.code]).toEqual([409, 'publication_active']);

    const failing = createWorld(Date.now, [
      standIn(theConnections, async () => 'hf_token'),
      standIn(theTable, world.table),
      standIn(theInvokers, () => ({ start: () => Promise.reject(new Error('throttled')) })),
    ]);
    await createClaims(world.table).release(`publication ${owner.team_id}`);
    const params = { dataset_id: dataset.dataset_id };
    expect((await failing.call(handler, { as: owner, params, body })).status).toBe(500);
    expect((await publish(body)).status).toBe(202);
  });

  test('another team neither publishes the dataset nor sees its publications', async () => {
    const { body: job } = await publish(body);
    const stranger = strangerTo(owner);

    expect((await publish(body, stranger)).problem.code).toBe('dataset_not_found');
    expect((await read(job.publish_id, stranger)).problem.code).toBe('dataset_not_found');
    expect((await read('other')).problem.code).toBe('publication_not_found');
  });

  test('links are those of what was published last, by platform', async () => {
    connections = { huggingface: 'hf_token', kaggle: 'acme:key' };
    const publications = createPublicationRepository(world.table);
    const claims = createClaims(world.table);
    const end = async (target: string, status: 'succeeded' | 'failed', url: string | null) => {
      await claims.release(`publication ${owner.team_id}`);
      const { body: job } = await publish({ target, target_spec: { repo_name: 'our-rows' } });
      const record = await publications.find(dataset.dataset_id, job.publish_id);
      if (record === null) throw new Error('There is no such publication.');
      await publications.update(record, { status, url });
      await new Promise((resolve) => setTimeout(resolve, 2));
    };
    await end('huggingface', 'succeeded', 'https://hub.example/1');
    await end('kaggle', 'succeeded', 'https://kaggle.example/1');
    await end('huggingface', 'succeeded', 'https://hub.example/2');
    await end('kaggle', 'succeeded', 'https://kaggle.example/2');
    await end('kaggle', 'failed', null);
    await end('huggingface', 'failed', null);

    const { body: links } = await world.call(exportLinks, {
      as: owner,
      params: { dataset_id: dataset.dataset_id },
    });
    expect(links).toEqual({
      huggingface: 'https://hub.example/2',
      kaggle: 'https://kaggle.example/2',
      google_sheets: null,
    });
  });
});
