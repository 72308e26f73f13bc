import { beforeEach, describe, expect, test } from 'vitest';
import { handler as exportLinks } from '#functions/api/datasets/export-links.ts';
import { handler as get } from '#functions/api/datasets/publications/get.ts';
import { handler } from '#functions/api/datasets/publish.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theConnections } from '#shared/platform/wire/connections.ts';
import { theInvokers } from '#shared/platform/wire/invoker.ts';
import { theTable } from '#shared/platform/wire/table.ts';
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

test('publishing to Kaggle is a 501 with a connection too', async () => {
  connections = { kaggle: 'token' };

  expect((await publish({ target: 'kaggle' })).status).toBe(501);
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

  test('links are those of what was published last', async () => {
    const publications = createPublicationRepository(world.table);
    const claims = createClaims(world.table);
    const end = async (status: 'succeeded' | 'failed', url: string | null) => {
      await claims.release(`publication ${owner.team_id}`);
      const { body: job } = await publish(body);
      const record = await publications.find(dataset.dataset_id, job.publish_id);
      if (record === null) throw new Error('There is no such publication.');
      await publications.update(record, { status, url });
    };
    await end('succeeded', 'https://hub.example/1');
    await new Promise((resolve) => setTimeout(resolve, 2));
    await end('succeeded', 'https://hub.example/2');
    await end('failed', null);

    const { body: links } = await world.call(exportLinks, {
      as: owner,
      params: { dataset_id: dataset.dataset_id },
    });
    expect(links).toEqual({ huggingface: 'https://hub.example/2', kaggle: null, google_sheets: null });
  });
});
