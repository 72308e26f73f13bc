import { beforeEach, expect, test } from 'vitest';
import { handler as get } from '#functions/api/autoscientist/publications/get.ts';
import { handler } from '#functions/api/autoscientist/publish.ts';
import { handler as exportLinks } from '#functions/api/datasets/export-links.ts';
import { handler as getOfDataset } from '#functions/api/datasets/publications/get.ts';
import { handler as publishDataset } from '#functions/api/datasets/publish.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theConnections } from '#shared/platform/wire.ts';
import { createPublicationRepository } from '#shared/publishing/store/publications.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { standIn } from '#test/helpers/memory-resources.ts';
import { seedModel } from '#test/helpers/published-model.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { endTrainingNow, launchTraining, seedTrainable } from '#test/helpers/training.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
let training: TrainingRecord;
/** Tokens by provider. */
let connections: Record<string, string>;

beforeEach(async () => {
  connections = { huggingface: 'hf_token' };
  world = createWorld(Date.now, [
    standIn(theConnections, async (team, provider) =>
      team === owner.team_id ? (connections[provider] ?? null) : null,
    ),
  ]);
  owner = await seedTeam(world.store, 0);
  ({ dataset, training } = await seedModel(world, owner));
});

const body = { target: 'huggingface', target_spec: { repo_name: 'acme/model' } };
const publish = (sent: unknown = body, as = owner, experiment_id = training.experiment_id) =>
  world.call(handler, { as, params: { experiment_id }, body: sent });
const read = (publish_id: string, as = owner, experiment_id = training.experiment_id) =>
  world.call(get, { as, params: { experiment_id, publish_id } });

test('a publication of a model is queued, private, and handed over', async () => {
  const { status, body: job } = await publish();

  expect(status).toBe(202);
  const { dataset_id } = dataset;
  expect(job).toMatchObject({
    status: 'queued',
    message: expect.stringContaining(
      `/api/v1/autoscientist/${training.experiment_id}/publish/${job.publish_id}`,
    ),
  });
  expect(world.invoked).toEqual([
    { functionId: 'tasks/publishing/publish', payload: { dataset_id, publish_id: job.publish_id } },
  ]);
  expect((await read(job.publish_id)).body).toMatchObject({
    status: 'queued',
    target: 'huggingface',
    repository: 'acme/model',
    private: true,
    progress_percent: 0,
    url: null,
  });
  expect(JSON.stringify(world.table.items())).not.toContain('hf_token');
});

test.each(['huggingface', 'kaggle'])(
  'publishing a model to %s without a connection is a 501 that clients do not repeat',
  async (target) => {
    connections = {};

    const { status, headers, problem } = await publish({ target });

    expect([status, problem.code]).toEqual([501, 'publish_not_implemented']);
    expect(problem.message).toContain('ownload the model');
    expect(headers['x-should-retry']).toBe('false');
    expect(world.invoked).toEqual([]);
  },
);

test('publishing a model to Kaggle is a 501 with a connection too', async () => {
  connections = { kaggle: 'token' };

  expect((await publish({ target: 'kaggle' })).status).toBe(501);
});

test.each([
  [undefined, 'target_spec.repo_name'],
  [{ repo_name: '../x' }, 'target_spec.repo_name'],
  [{ repo_name: 'x', private: 'no' }, 'target_spec.private'],
  [{ repo_name: 'x', license: 'MIT\nevil: 1' }, 'target_spec.license'],
  [{ repo_name: 'x', version: 1 }, 'target_spec.version'],
])('the settings %j are refused by the name of the field', async (target_spec, path) => {
  const { status, problem } = await publish({ target: 'huggingface', target_spec });

  expect(status).toBe(400);
  expect(problem.details[0]?.path).toBe(path);
});

test('there is no model to publish while its training goes on, or if it failed', async () => {
  const other = await launchTraining(world, await seedTrainable(world, owner));
  expect((await publish(body, owner, other.experiment_id)).problem).toMatchObject({
    statusCode: 422,
    code: 'no_artifact',
  });

  await endTrainingNow(world, other, { error: 'run_timed_out' });
  expect((await publish(body, owner, other.experiment_id)).problem.code).toBe('no_artifact');
});

test('there is no model to publish once its dataset was deleted', async () => {
  await world.store.datasets.delete(owner, dataset.dataset_id, Date.now());

  expect((await publish()).problem).toMatchObject({
    code: 'no_artifact',
    message: expect.stringContaining('removed together with the dataset'),
  });
  expect(world.invoked).toEqual([]);
});

test('there is no model to publish once its artifact was removed', async () => {
  await world.objects.remove([objectKeys.trainingArtifact(training.experiment_id)]);

  expect((await publish()).problem.code).toBe('no_artifact');
});

test('a team publishes one thing at a time, dataset or model', async () => {
  const params = { dataset_id: dataset.dataset_id };
  expect((await world.call(publishDataset, { as: owner, params, body })).status).toBe(202);

  const { status, problem } = await publish();

  expect([status, problem.code]).toEqual([409, 'publication_active']);
});

test('another team neither publishes the model nor sees its publications', async () => {
  const { body: job } = await publish();
  const stranger = strangerTo(owner);

  expect((await publish(body, stranger)).problem.code).toBe('training_not_found');
  expect((await read(job.publish_id, stranger)).problem.code).toBe('training_not_found');
});

test('publications of a model are found at its training, and not at its dataset', async () => {
  const { body: job } = await publish();
  const { dataset_id } = dataset;
  const found = await createPublicationRepository(world.table).find(dataset_id, job.publish_id);
  if (found === null) throw new Error('There is no such publication.');
  await createPublicationRepository(world.table).update(found, { status: 'succeeded', url: 'https://hub' });
  await createClaims(world.table).release(`publication ${owner.team_id}`);
  const params = { dataset_id };
  const { body: ofRows } = await world.call(publishDataset, { as: owner, params, body });

  const wrong = await world.call(getOfDataset, {
    as: owner,
    params: { ...params, publish_id: job.publish_id },
  });
  expect(wrong.problem.code).toBe('publication_not_found');
  expect((await read(ofRows.publish_id)).problem.code).toBe('publication_not_found');
  expect((await read('other')).problem.code).toBe('publication_not_found');
  const { body: links } = await world.call(exportLinks, { as: owner, params });
  expect(links.huggingface).toBeNull();
});
