import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/batches/create.ts';
import { BATCHES_MAX, createBatch, OPEN_BATCHES_MAX } from '#shared/openai/create-batch.ts';
import type { BatchRecord, BatchRepository } from '#shared/openai/decide/batches.ts';
import { batches } from '#shared/openai/wire.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { CHAT, portsOf, requests, seedBatch, seedRequests, workLastBatch } from '#test/helpers/requesting.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

const create = (body: object, as = owner) =>
  world.call(handler, { as, body: { endpoint: CHAT, completion_window: '24h', ...body } });

test('a batch of a file is validated first, and its worker is started once', async () => {
  const input_file_id = await seedRequests(world, owner, requests(2));

  const { status, body } = await create({ input_file_id, metadata: { a: 'b' } });

  expect(status).toBe(200);
  expect(body).toMatchObject({
    object: 'batch',
    status: 'validating',
    input_file_id,
    completion_window: '24h',
    request_counts: { total: 0, completed: 0, failed: 0 },
    output_file_id: null,
    metadata: { a: 'b' },
  });
  expect(Number(body.expires_at) - body.created_at).toBe(86_400);
  expect(world.invoked.filter(({ functionId }) => functionId === 'consumers/work-batch')).toHaveLength(1);
});

test.each([
  ['the endpoint of embeddings', { endpoint: '/v1/embeddings' }, 'endpoint'],
  ['another window', { completion_window: '1h' }, 'completion_window'],
  ['a field that is not offered', { output_expires_after: { seconds: 3600 } }, 'output_expires_after'],
])('%s is refused by its field', async (_, fields, param) => {
  const input_file_id = await seedRequests(world, owner, requests(1));

  const { status, problem } = await create({ input_file_id, ...fields });

  expect([status, problem.error?.param]).toEqual([400, param]);
});

test('a file of another team, one that is still read, and one without rows start no batch', async () => {
  const input_file_id = await seedRequests(world, owner, requests(1));
  const pending = await seedDataset(world.store, owner, { state: 'ingesting', row_count: null });
  const empty = await seedDataset(world.store, owner, { state: 'succeeded', row_count: 0 });

  expect((await create({ input_file_id }, strangerTo(owner))).problem.code).toBe('dataset_not_found');
  expect((await create({ input_file_id: pending.dataset_id })).problem.code).toBe('rows_pending');
  expect((await create({ input_file_id: empty.dataset_id })).problem.code).toBe('invalid_request');
});

test('a file that cannot be read fails its batch with the line and the reason, and takes no place', async () => {
  const message = 'Line 3 is not valid JSON. Correct it.';
  const unreadable = {
    state: 'failed',
    row_count: null,
    error_data: { code: 'file_unreadable', level: 'error', message },
  } as const;
  const file = await seedDataset(world.store, owner, unreadable);
  const binary = await seedDataset(world.store, owner, {
    ...unreadable,
    error_data: { code: 'file_unreadable', level: 'error', message: 'The file is a ZIP archive.' },
  });

  for (let n = 0; n <= OPEN_BATCHES_MAX; n += 1) {
    const { status, body } = await create({ input_file_id: file.dataset_id });

    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'failed', failed_at: expect.any(Number) });
    expect(body.errors?.data).toEqual([{ code: 'invalid_json_line', message, line: 3, param: null }]);
  }
  expect((await create({ input_file_id: binary.dataset_id })).body.errors?.data).toMatchObject([
    { code: 'invalid_request', message: 'The file is a ZIP archive.', line: null },
  ]);
  expect(world.invoked).toEqual([]);
});

test('a key without the right to read datasets reads no file as requests', async () => {
  const input_file_id = await seedRequests(world, owner, requests(1));

  const { problem } = await create({ input_file_id }, { ...owner, scopes: ['responses'] });

  expect(problem.code).toBe('scope_missing');
});

test('a team has five open batches, and a place comes free as one ends', async () => {
  for (let n = 0; n < OPEN_BATCHES_MAX; n += 1) await seedBatch(world, owner);
  const input_file_id = await seedRequests(world, owner, requests(1));

  expect((await create({ input_file_id })).problem.code).toBe('runs_limit_reached');
  await workLastBatch(world);
  expect((await create({ input_file_id })).status).toBe(200);
});

test('a team has a thousand batches in thirty days', async () => {
  const input_file_id = await seedRequests(world, owner, requests(1));
  const repository = world.use(batches('write'));
  const { body } = await create({ input_file_id });
  const record = await onlyBatch(repository);
  for (let n = 1; n < BATCHES_MAX; n += 1) await repository.create({ ...record, batch_id: `${n}` });

  expect((await create({ input_file_id })).problem.message).toContain(`${BATCHES_MAX} batches`);
  expect(body.status).toBe('validating');
});

const onlyBatch = async (repository: BatchRepository): Promise<BatchRecord> => {
  const [head] = await repository.list(owner.team_id);
  const record = await repository.find(owner.team_id, head?.batch_id ?? '');
  if (record === null) throw new Error('There is no batch.');
  return record;
};

test('of batches that are started at once no more stay than a team may have', async () => {
  const input_file_id = await seedRequests(world, owner, requests(1));
  const repository = world.use(batches('write'));
  await create({ input_file_id });
  const record = await onlyBatch(repository);
  for (let n = 1; n < BATCHES_MAX - 1; n += 1) await repository.create({ ...record, batch_id: `${n}` });

  const made = await Promise.all(Array.from({ length: 4 }, () => create({ input_file_id })));

  const stored = (await repository.list(owner.team_id)).length;
  expect(stored).toBeLessThanOrEqual(BATCHES_MAX);
  expect(made.filter(({ status }) => status === 200)).toHaveLength(stored - (BATCHES_MAX - 1));
  expect(made.filter(({ status }) => status !== 200).map(({ problem }) => problem.code)).toContain(
    'runs_limit_reached',
  );
});

test('a batch whose worker cannot be started leaves nothing behind', async () => {
  const input_file_id = await seedRequests(world, owner, requests(1));
  const repository = world.use(batches('write'));
  const ports = {
    ...portsOf(world),
    datasets: world.store.datasets,
    start: async () => {
      throw new TypeError('no function');
    },
  };
  const asked = { input_file_id, endpoint: CHAT, completion_window: '24h' } as const;

  for (let n = 0; n <= OPEN_BATCHES_MAX; n += 1) {
    const made = createBatch(ports, { caller: owner, request: asked, now: Date.now() });
    await expect(made).rejects.toMatchObject({ code: 'service_unavailable' });
  }
  expect(await repository.list(owner.team_id)).toEqual([]);
});
