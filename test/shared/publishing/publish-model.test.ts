import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/autoscientist/publish.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { theConnections } from '#shared/platform/wire.ts';
import type { ContentToPublish } from '#shared/publishing/decide/ports.ts';
import { createPublicationRepository } from '#shared/publishing/store/publications.ts';
import { theHuggingFace, theKaggle } from '#shared/publishing/wire.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { standIn } from '#test/helpers/memory-resources.ts';
import { eraseDataset, publish } from '#test/helpers/operations.ts';
import { ADAPTER, packFiles, seedModel, withReport } from '#test/helpers/published-model.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
let training: TrainingRecord;
/** What the platform was given, with the texts of the files by their paths. */
let taken: { content: ContentToPublish; texts: Record<string, string> }[];

beforeEach(async () => {
  taken = [];
  world = createWorld(Date.now, [
    standIn(theConnections, async () => 'hf_token'),
    standIn(theKaggle, async () => {
      throw new Error('Models go to Hugging Face alone.');
    }),
    standIn(theHuggingFace, async (content) => {
      const texts = await Promise.all(
        content.files.map(async ({ path, localPath }) => [path, await readFile(localPath, 'utf8')] as const),
      );
      taken.push({ content, texts: Object.fromEntries(texts) });
      return { repository: 'acme/model', url: 'https://hub.example/acme/model', commit: 'c1' };
    }),
  ]);
  vi.spyOn(logger, 'error').mockImplementation(() => logger);
  owner = await seedTeam(world.store, 0);
  ({ dataset, training } = await seedModel(world, owner));
});

async function start(target_spec: object = { repo_name: 'model' }): Promise<string> {
  const { body } = await world.call(handler, {
    as: owner,
    params: { experiment_id: training.experiment_id },
    body: { target: 'huggingface', target_spec },
  });
  return body.publish_id;
}

const attempt = (publish_id: string) => world.use(publish)({ dataset_id: dataset.dataset_id, publish_id });
const stored = (publish_id: string) =>
  createPublicationRepository(world.table).find(dataset.dataset_id, publish_id);
const pack = (files: Readonly<Record<string, string | Buffer>>) =>
  world.objects.write(
    objectKeys.trainingArtifact(training.experiment_id),
    withReport(packFiles(files)),
    'application/gzip',
  );

test('the adapter goes to the platform with the tokenizer, the license and a card, and no report', async () => {
  const id = await start({ repo_name: 'model', license: 'apache-2.0' });

  expect(await attempt(id)).toEqual({ status: 'succeeded' });

  const { 'training_report.json': _, ...files } = ADAPTER;
  expect(taken[0]?.texts).toEqual(files);
  expect(taken[0]?.content).toMatchObject({
    kind: 'model',
    marker: { experiment_id: training.experiment_id },
    repository: 'model',
    isPrivate: true,
    commitMessage: 'Publish model',
    card: expect.stringContaining('license: "apache-2.0"'),
  });
  expect(await stored(id)).toMatchObject({
    status: 'succeeded',
    message: 'The model is published.',
    progress_percent: 100,
    repository: 'acme/model',
    url: 'https://hub.example/acme/model',
    commit: 'c1',
  });
});

test('the same model gives the same files and the same card each time', async () => {
  await attempt(await start());
  await attempt(await start());

  expect(taken[0]?.texts).toEqual(taken[1]?.texts);
  expect(taken[0]?.content.card).toBe(taken[1]?.content.card);
});

test('all weights go to the platform as a checkpoint', async () => {
  await pack({ 'config.json': '{}', 'model.safetensors': 'weights', 'tokenizer.json': '{}' });

  await attempt(await start());

  expect(Object.keys(taken[0]?.texts ?? {})).toEqual(['config.json', 'model.safetensors', 'tokenizer.json']);
  expect(taken[0]?.content.card).toContain('library_name: transformers');
});

test('what else an artifact holds stays where it is', async () => {
  await pack({
    ...ADAPTER,
    '../outside.json': '1',
    'folder/inner.json': '1',
    'script.py': '1',
    'README.md': 'theirs',
    'tunesmith.json': '{}',
    '.hidden.json': '1',
  });

  await attempt(await start());

  expect(Object.keys(taken[0]?.texts ?? {})).toEqual([
    'LICENSE.md',
    'adapter_config.json',
    'adapter_model.safetensors',
    'tokenizer.json',
  ]);
});

test('a damaged artifact is attempted three times, and published never', async () => {
  const whole = withReport(packFiles({ ...ADAPTER, 'adapter_model.safetensors': 'weights'.repeat(10_000) }));
  const key = objectKeys.trainingArtifact(training.experiment_id);
  await world.objects.write(key, whole.subarray(0, whole.length - 60), 'application/gzip');
  const id = await start();

  await expect(attempt(id)).rejects.toThrow();
  await expect(attempt(id)).rejects.toThrow();
  expect(await attempt(id)).toEqual({ status: 'failed' });
  expect(taken).toEqual([]);
});

describe('a publication of a model fails at once, and says what to do,', () => {
  const failure = async (id: string) => {
    expect(await attempt(id)).toEqual({ status: 'failed' });
    expect(taken).toEqual([]);
    return (await stored(id))?.message;
  };

  test('a publication of a model fails at once, and says what to do if its dataset was deleted', async () => {
    const id = await start();
    await world.store.datasets.delete(owner, dataset.dataset_id, Date.now());

    expect(await failure(id)).toMatch(/deleted with the dataset.*Publish another one/);
  });

  test('a publication of a model fails at once, and says what to do if the model was erased', async () => {
    const id = await start();
    await world.objects.remove([objectKeys.trainingArtifact(training.experiment_id)]);

    expect(await failure(id)).toMatch(/deleted with the dataset/);
  });

  test('a publication of a model fails at once, and says what to do if the artifact holds no model', async () => {
    const id = await start();
    await pack({ 'notes.txt': 'nothing' });

    expect(await failure(id)).toMatch(/neither an adapter nor a checkpoint/);
  });
});

test('the erasure of a dataset takes the publications of its models with it', async () => {
  const id = await start();
  await world.store.datasets.delete(owner, dataset.dataset_id, Date.now());

  await world.use(eraseDataset)(dataset.dataset_id, Date.now());

  const item = world.table.items().find(({ publish_id }) => publish_id === id);
  expect(item).toHaveProperty('expires_at');
});
