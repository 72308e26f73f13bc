import { expect, test } from 'vitest';
import { handler } from '#functions/api/files/content.ts';
import { handler as deleteFile } from '#functions/api/files/delete.ts';
import { handler as getFile } from '#functions/api/files/get.ts';
import { handler as listFiles } from '#functions/api/files/list.ts';
import { handler as getJob } from '#functions/api/fine-tuning/jobs/get.ts';
import { fileIdOf } from '#shared/openai/decide/ids.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { beginJob, jobParams, measuredJob } from '#test/helpers/fine-tuning.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo } from '#test/helpers/world.ts';

test('the content of a file is what was uploaded, also after it was adapted', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 10);
  const raw_key = objectKeys.raw('3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10', 'a.csv');
  const { dataset_id } = await seedDataset(world.store, owner, { state: 'succeeded', row_count: 1, raw_key });

  const { status, headers } = await world.call(handler, {
    as: owner,
    params: { file_id: fileIdOf(dataset_id) },
  });

  expect(status).toBe(307);
  expect(headers.location).toContain(raw_key);
});

test('the content of a file whose personal data was replaced is its rows, and not the upload', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 10);
  const raw_key = objectKeys.raw('3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10', 'a.csv');
  const fields = { state: 'awaiting_upload', row_count: null, raw_key, redact_personal_data: true } as const;
  const { dataset_id } = await seedDataset(world.store, owner, fields);

  const { problem } = await world.call(handler, { as: owner, params: { file_id: dataset_id } });

  expect(problem.code).toBe('no_data_yet');
});

test('a dataset without a file of its own and without rows has no content yet', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 10);
  const { dataset_id } = await seedDataset(world.store, owner, {
    state: 'awaiting_upload',
    row_count: null,
    raw_key: null,
  });

  const { problem } = await world.call(handler, { as: owner, params: { file_id: dataset_id } });

  expect(problem.code).toBe('no_data_yet');
});

test('the content of the file that a job names is the losses of its best iteration by step', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 100);
  const training = await measuredJob(world, owner);
  const { body: job } = await world.call(getJob, { as: owner, params: jobParams(training) });
  const [file_id = ''] = job.result_files;

  const { status, headers } = await world.call(handler, { as: owner, params: { file_id } });
  const { body: file } = await world.call(getFile, { as: owner, params: { file_id } });

  expect(status).toBe(307);
  const key = objectKeys.resultFile(owner.team_id, training.experiment_id);
  expect(headers.location).toContain(key);
  expect(world.objects.text(key)).toBe(
    'step,train_loss,train_accuracy,valid_loss,valid_mean_token_accuracy\n1,3,,,\n2,2,,2.5,\n',
  );
  expect(file).toMatchObject({ id: file_id, purpose: 'fine-tune-results', bytes: 85, status: 'processed' });
  const read = async (as: typeof owner) =>
    (await world.call(handler, { as, params: { file_id } })).problem.code;
  expect(await read({ ...owner, scopes: ['datasets:read'] })).toBe('scope_missing');
  expect(await read(strangerTo(owner))).toBe('dataset_not_found');
});

test('the file of a job’s metrics is not deleted alone, nor listed', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 100);
  const { experiment_id } = await measuredJob(world, owner);
  const file_id = fileIdOf(experiment_id);

  const { status, problem } = await world.call(deleteFile, { as: owner, params: { file_id } });
  expect([status, problem.error.param]).toEqual([400, 'file_id']);
  expect(problem.message).toContain('delete the training file');

  const query = { purpose: 'fine-tune-results' };
  expect((await world.call(listFiles, { as: owner, query })).body).toMatchObject({
    data: [],
    has_more: false,
  });
});

test('a job that has not succeeded has no file of results', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 100);
  const training = await beginJob(world, owner);

  const { body } = await world.call(getJob, { as: owner, params: jobParams(training) });
  const { problem } = await world.call(handler, {
    as: owner,
    params: { file_id: fileIdOf(training.experiment_id) },
  });

  expect(body.result_files).toEqual([]);
  expect(problem.code).toBe('dataset_not_found');
});
