import OpenAI from 'openai';
import { beforeEach, expect, test } from 'vitest';
import { fileIdOf } from '#shared/openai/decide/ids.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { CONTAINS, workRun } from '#test/helpers/evaluating.ts';
import { openaiClient, operationsOf } from '#test/helpers/openai-client.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { CHAT, request, requests, seedRequests, workLastBatch } from '#test/helpers/requesting.ts';
import { SMALL_MODEL, seedTrainable } from '#test/helpers/training.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let client: OpenAI;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
  client = openaiClient(world, owner);
});

/** Operations that are not offered, and why. */
const NOT_OFFERED = {
  permissions: 'administrators share checkpoints between projects of an organization: a deployment has teams',
  graders: 'they grade for reinforcement fine-tuning, which is not offered; evals run the same graders',
};

test('the groups of the package have the operations that these tests call, and no others', () => {
  expect(operationsOf(client.fineTuning.jobs).sort()).toEqual(
    ['cancel', 'create', 'list', 'listEvents', 'pause', 'resume', 'retrieve'].sort(),
  );
  expect(operationsOf(client.fineTuning.jobs.checkpoints)).toEqual(['list']);
  expect(operationsOf(client.fineTuning.checkpoints.permissions).sort()).toEqual(
    ['create', 'delete', 'list', 'retrieve'].sort(),
  );
  expect(operationsOf(client.fineTuning.alpha.graders).sort()).toEqual(['run', 'validate']);
  expect(operationsOf(client.batches).sort()).toEqual(['cancel', 'create', 'list', 'retrieve']);
  expect(operationsOf(client.evals).sort()).toEqual(['create', 'delete', 'list', 'retrieve', 'update']);
  expect(operationsOf(client.evals.runs).sort()).toEqual(['cancel', 'create', 'delete', 'list', 'retrieve']);
  expect(operationsOf(client.evals.runs.outputItems).sort()).toEqual(['list', 'retrieve']);
  expect(Object.keys(NOT_OFFERED)).toEqual(['permissions', 'graders']);
});

test('the openai package of npm creates, lists, reads and cancels fine-tuning jobs, with their events and checkpoints', async () => {
  const { dataset_id } = await seedTrainable(world, owner);
  const job = await client.fineTuning.jobs.create({
    model: SMALL_MODEL,
    training_file: fileIdOf(dataset_id),
    suffix: 'support',
    seed: 7,
    metadata: { team: 'a' },
    method: { type: 'supervised', supervised: { hyperparameters: { n_epochs: 2, batch_size: 'auto' } } },
  });
  expect(job).toMatchObject({ object: 'fine_tuning.job', status: 'queued', seed: 7 });

  expect(await client.fineTuning.jobs.retrieve(job.id)).toEqual(job);
  const listed: string[] = [];
  for await (const each of client.fineTuning.jobs.list({ limit: 1 })) listed.push(each.id);
  expect(listed).toEqual([job.id]);
  expect((await client.fineTuning.jobs.list({ metadata: { team: 'a' } })).data).toHaveLength(1);
  expect((await client.fineTuning.jobs.list({ metadata: { team: 'b' } })).data).toHaveLength(0);
  expect((await client.fineTuning.jobs.listEvents(job.id)).data[0]?.message).toContain(job.id);
  expect((await client.fineTuning.jobs.checkpoints.list(job.id)).data).toEqual([]);
  await expect(client.fineTuning.jobs.pause(job.id)).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  await expect(client.fineTuning.jobs.resume(job.id)).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  expect((await client.fineTuning.jobs.cancel(job.id)).status).toBe('cancelled');
  await expect(client.fineTuning.jobs.retrieve('ftjob-none')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
});

test('the openai package of npm creates, lists, reads and cancels batches, and reads the files that they leave', async () => {
  const batch = await client.batches.create({
    input_file_id: await seedRequests(world, owner, [...requests(3), request(3, { body: {} })]),
    endpoint: CHAT,
    completion_window: '24h',
    metadata: { team: 'a' },
  });
  expect(batch).toMatchObject({ object: 'batch', status: 'validating', metadata: { team: 'a' } });
  await workLastBatch(world);

  const done = await client.batches.retrieve(batch.id);
  expect(done).toMatchObject({ status: 'completed', request_counts: { total: 4, completed: 3, failed: 1 } });
  const listed: string[] = [];
  for await (const each of client.batches.list({ limit: 1 })) listed.push(each.id);
  expect(listed).toEqual([batch.id]);
  expect((await client.batches.cancel(batch.id)).status).toBe('completed');
  for (const id of [done.output_file_id ?? '', done.error_file_id ?? '']) {
    expect(await client.files.retrieve(id)).toMatchObject({
      id,
      purpose: 'batch_output',
      status: 'processed',
    });
    expect((await client.files.delete(id)).deleted).toBe(true);
    await expect(client.files.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  }
  await expect(client.batches.retrieve('batch_none')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
});

test('the openai package of npm creates, changes, runs and deletes evals, and reads what each row came to', async () => {
  const of = await client.evals.create({
    name: 'Capitals',
    data_source_config: { type: 'custom', item_schema: { type: 'object' }, include_sample_schema: true },
    testing_criteria: [CONTAINS],
  });
  expect(await client.evals.retrieve(of.id)).toEqual(of);
  expect((await client.evals.update(of.id, { name: 'Cities', metadata: { a: 'b' } })).name).toBe('Cities');
  const all: string[] = [];
  for await (const each of client.evals.list({ order: 'desc', order_by: 'created_at' })) all.push(each.id);
  expect(all).toEqual([of.id]);

  const begun = await client.evals.runs.create(of.id, {
    name: 'first',
    data_source: {
      type: 'jsonl',
      source: {
        type: 'file_content',
        content: ['Paris', 'Rome', 'Bern'].map((answer, n) => ({
          item: { answer },
          sample: { output_text: n === 2 ? 'No.' : `It is ${answer}.` },
        })),
      },
    },
  });
  expect(begun.status).toBe('queued');
  await workRun(world);
  const place = { eval_id: of.id };
  const run = await client.evals.runs.retrieve(begun.id, place);
  expect(run).toMatchObject({ status: 'completed', result_counts: { passed: 2, failed: 1, total: 3 } });
  expect(run).toMatchObject({ interval: [expect.any(Number), expect.any(Number)] });
  expect((await client.evals.runs.list(of.id, { status: 'completed' })).data).toHaveLength(1);

  const at = { eval_id: of.id, run_id: run.id };
  const rows: number[] = [];
  for await (const { datasource_item_id } of client.evals.runs.outputItems.list(run.id, {
    ...place,
    limit: 2,
  })) {
    rows.push(datasource_item_id);
  }
  expect(rows).toEqual([0, 1, 2]);
  const [failed] = (await client.evals.runs.outputItems.list(run.id, { ...place, status: 'fail' })).data;
  expect(await client.evals.runs.outputItems.retrieve(failed?.id ?? '', at)).toEqual(failed);

  expect((await client.evals.runs.cancel(run.id, place)).status).toBe('completed');
  expect((await client.evals.runs.delete(run.id, place)).deleted).toBe(true);
  expect((await client.evals.delete(of.id)).deleted).toBe(true);
  await expect(client.evals.retrieve(of.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
});
