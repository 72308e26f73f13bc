import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { Ledger } from '#shared/runs/decide/ledger/repository.ts';
import { createEndRun } from '#shared/runs/end-run.ts';
import { createLaunchRun, type LaunchRun, type LaunchRunInput } from '#shared/runs/launch-run.ts';
import { createMemoryExecutions, type MemoryExecutions } from '#test/helpers/memory-executions.ts';
import { createMemoryStore, type Store } from '#test/helpers/memory-store.ts';
import { NOW, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { faultsOf } from '#test/helpers/store-contract.ts';

interface Quote {
  run_id: string;
  estimatedCreditsConsumed: number;
}

let store: Store;
let executions: MemoryExecutions;
let objects: Map<string, string>;
let caller: Caller;
let dataset: DatasetRecord;

const request = { column_mapping: { prompt: 'question' } };

function launcher(
  ledger: Ledger = store.ledger,
  starting: Pick<MemoryExecutions, 'start'> = executions,
  idempotency: Store['idempotency'] = store.idempotency,
  clock = { now: () => NOW },
): LaunchRun {
  return createLaunchRun({
    ledger,
    runs: store.runs,
    idempotency,
    objects: {
      head: async (key) =>
        objects.has(key) ? { bytes: 1, contentType: null, etag: '', modifiedMs: NOW } : null,
      write: async (key, body) => void objects.set(key, body.toString()),
    },
    executions: starting,
    endRun: createEndRun(store),
    unbilled: store.unbilled,
    freeUses: store.freeUses,
    clock,
    newId: randomUUID,
  });
}

function input(fields: Partial<LaunchRunInput<Quote>> = {}): LaunchRunInput<Quote> {
  return {
    caller,
    dataset,
    pipeline: 'adapt',
    request,
    decide: () => ({
      credits: 3,
      rows: 120,
      response: (runId) => ({ run_id: runId, estimatedCreditsConsumed: 3 }),
    }),
    now: NOW,
    ...fields,
  };
}

function keyed(key = 'a key', fields: Partial<LaunchRunInput<Quote>> = {}): LaunchRunInput<Quote> {
  const launch = input(fields);
  return { ...launch, idempotency: { operation: 'adapt', key, request: launch.request } };
}

beforeEach(async () => {
  store = createMemoryStore(() => NOW);
  executions = createMemoryExecutions();
  objects = new Map();
  caller = await seedTeam(store, 10);
  dataset = await seedDataset(store, caller);
});

test('a launch keeps the request, reserves the credits and starts the execution under the id of the run', async () => {
  const { run_id } = await launcher()(input());

  expect(await store.runs.find(dataset.dataset_id, run_id)).toMatchObject({
    status: 'running',
    reserved_credits: 3,
    total_rows: 120,
    request_key: `runs/${run_id}/request.json`,
    started_at: '2026-03-01T12:00:00.000Z',
  });
  expect(objects.get(`runs/${run_id}/request.json`)).toBe(JSON.stringify(request));
  expect([...executions.started.values()]).toEqual([
    { run_id, dataset_id: dataset.dataset_id, team_id: caller.team_id },
  ]);
});

test('a launch that is refused starts nothing and stores nothing of its request', async () => {
  const poor = input({ decide: () => ({ ...input().decide(), credits: 11 }) });

  await expect(launcher()(poor)).rejects.toMatchObject({ code: 'credits_insufficient' });
  expect(executions.started.size).toBe(0);
  expect([...objects.keys()]).toEqual([]);
});

test('a launch whose request cannot be stored returns the credits', async () => {
  const launch = createLaunchRun({
    ...{ ledger: store.ledger, runs: store.runs, idempotency: store.idempotency, executions },
    objects: { head: async () => null, write: () => Promise.reject(new Error('no space')) },
    endRun: createEndRun(store),
    unbilled: store.unbilled,
    freeUses: store.freeUses,
    clock: { now: () => NOW },
    newId: randomUUID,
  });

  await expect(launch(input())).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({ available: 10, held: 0 });
});

test('a launch keeps to the runs at once of the plan', async () => {
  const one = { ...caller, plan: { ...caller.plan, runs_at_once: 1 } };
  const other = await seedDataset(store, caller);
  await launcher()(input({ caller: one }));

  await expect(launcher()(input({ caller: one, dataset: other }))).rejects.toMatchObject({
    code: 'runs_limit_reached',
  });
});

test('a launch that cannot start returns the credits, frees the key and says so', async () => {
  executions.failStarts(new Error('no such machine'));

  const failed = await launcher()(keyed()).catch((error: unknown) => error);

  expect(failed).toBeInstanceOf(ServiceError);
  expect(failed).toMatchObject({ code: 'service_unavailable', cause: new Error('no such machine') });
  expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({ available: 10, held: 0 });
  expect(await store.datasets.find(dataset.dataset_id)).toMatchObject({
    state: 'awaiting_input',
    run_id: null,
  });
  executions.failStarts(null);
  dataset = (await store.datasets.find(dataset.dataset_id)) as DatasetRecord;
  const { run_id } = await launcher()(keyed());
  expect(executions.started.has(run_id)).toBe(true);
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('a replay gets the first answer word for word and changes nothing', async () => {
  const first = await launcher()(keyed());

  const again = await launcher()(
    keyed('a key', {
      decide: () => {
        throw new Error('nothing is decided for a replay');
      },
    }),
  );

  expect(JSON.stringify(again)).toBe(JSON.stringify(first));
  expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({ held: 3, active_runs: 1 });
  expect(executions.started.size).toBe(1);
});

test('a replay gets it also when the run has ended', async () => {
  const first = await launcher()(keyed());
  await createEndRun(store)({
    dataset_id: dataset.dataset_id,
    run_id: first.run_id,
    error: null,
    billedCredits: 3,
    now: NOW,
  });

  expect(await launcher()(keyed())).toEqual(first);
  expect(await store.datasets.find(dataset.dataset_id)).toMatchObject({ state: 'succeeded' });
});

test('a replay that cannot look after a run that goes on leaves it alone, and its key too', async () => {
  const first = await launcher()(keyed());
  executions.failStarts(new Error('throttled'));

  await expect(launcher()(keyed())).rejects.toMatchObject({ code: 'service_unavailable' });

  executions.failStarts(null);
  expect(await store.runs.find(dataset.dataset_id, first.run_id)).toMatchObject({ status: 'running' });
  expect(await launcher()(keyed())).toEqual(first);
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('a replay may have its keys in another order, but nothing else', async () => {
  const body = { a: 1, b: { c: [1, 2], d: null } };
  const first = await launcher()(keyed('a key', { request: body }));

  expect(await launcher()(keyed('a key', { request: { b: { d: null, c: [1, 2] }, a: 1 } }))).toEqual(first);
  for (const other of [
    { ...body, a: 2 },
    { ...body, e: 0 },
    { a: 1, b: { c: [2, 1], d: null } },
  ]) {
    await expect(launcher()(keyed('a key', { request: other }))).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    });
  }
});

test('a replay of a request that raced with it gets the answer of the one that won', async () => {
  const launchRun = launcher();

  const answers = await Promise.all(Array.from({ length: 20 }, () => launchRun(keyed())));

  expect(new Set(answers.map(({ run_id }) => run_id)).size).toBe(1);
  expect(await store.ledger.listHolds(caller.team_id)).toHaveLength(1);
  expect(executions.started.size).toBe(1);
});

test('a replay starts the execution where a crash came between the request and the start', async () => {
  const dead = launcher(store.ledger, { start: () => new Promise<never>(() => {}) });
  void dead(keyed());
  await vi.waitFor(() => expect(objects.size).toBe(1));

  const { run_id } = await launcher()(keyed());

  expect([...executions.started.keys()]).toEqual([run_id]);
  expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({ held: 3, active_runs: 1 });
});

describe('a launch that broke off between its transaction and the storing of its request', () => {
  const MINUTE = 60_000;
  let first: string;

  beforeEach(async () => {
    const crash: Ledger = {
      ...store.ledger,
      launch: async (launch) => {
        await store.ledger.launch(launch);
        throw new Error('the process died');
      },
    };
    await expect(launcher(crash)(keyed())).rejects.toThrow('the process died');
    first = (await store.datasets.find(dataset.dataset_id))?.run_id ?? '';
  });

  test('a broken launch is not started without its request by a repetition, which may come while it is under way', async () => {
    expect((await launcher()(keyed())).run_id).toBe(first);
    expect(executions.started.size).toBe(0);
  });

  test('a broken launch is ended by a repetition after a minute, and launched anew by the next one', async () => {
    const late = launcher()(keyed('a key', { now: NOW + MINUTE }));
    await expect(late).rejects.toMatchObject({ code: 'service_unavailable' });
    dataset = (await store.datasets.find(dataset.dataset_id)) as DatasetRecord;
    const { run_id } = await launcher()(keyed('a key', { now: NOW + MINUTE }));

    expect(run_id).not.toBe(first);
    expect([...executions.started.keys()]).toEqual([run_id]);
    expect([...objects.keys()]).toEqual([`runs/${run_id}/request.json`]);
    expect(await store.runs.find(dataset.dataset_id, first)).toMatchObject({
      status: 'failed',
      error_data: { code: 'run_not_started' },
    });
    expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({ held: 3, active_runs: 1 });
    expect(await faultsOf(store, caller.team_id)).toEqual([]);
  });

  test('a broken launch is not made anew once a repetition was answered with it: it ends with its missing execution', async () => {
    await launcher()(keyed());

    await expect(launcher()(keyed('a key', { now: NOW + MINUTE }))).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(await store.runs.find(dataset.dataset_id, first)).toMatchObject({ status: 'running' });
  });
});

test('a launch that goes on after a minute starts nothing, and leaves its run to a repetition or a sweep', async () => {
  let looks = 0;
  const clock = { now: () => NOW + 60_000 * looks++ };
  const frozen = launcher(store.ledger, executions, store.idempotency, clock);

  await expect(frozen(keyed())).rejects.toMatchObject({ code: 'service_unavailable' });
  const first = (await store.datasets.find(dataset.dataset_id))?.run_id ?? '';
  expect(executions.started.size).toBe(0);
  expect(await store.runs.find(dataset.dataset_id, first)).toMatchObject({ status: 'running' });

  expect((await launcher()(keyed('a key', { now: NOW + 60_000 }))).run_id).toBe(first);
  expect([...executions.started.keys()]).toEqual([first]);
});

test('a launch whose start fails after a repetition was answered with its run leaves the run to that repetition', async () => {
  let repeated: Quote | null = null;
  const failing = launcher(store.ledger, {
    start: async () => {
      repeated = await launcher()(keyed());
      throw new Error('the answer is lost');
    },
  });

  await expect(failing(keyed())).rejects.toMatchObject({ code: 'service_unavailable' });

  const answered = await launcher()(keyed());
  expect(answered).toEqual(repeated);
  expect(await store.runs.find(dataset.dataset_id, answered.run_id)).toMatchObject({ status: 'running' });
  expect([...executions.started.keys()]).toEqual([answered.run_id]);
});

test('a launch whose start fails unheard leaves the key to a run that has succeeded by then', async () => {
  let answered: Quote | null = null;
  const failing = launcher(store.ledger, {
    start: async () => {
      answered = await launcher()(keyed());
      await createEndRun(store)({
        dataset_id: dataset.dataset_id,
        run_id: answered.run_id,
        error: null,
        billedCredits: 0,
        now: NOW,
      });
      throw new Error('the answer is lost');
    },
  });

  await expect(failing(keyed())).rejects.toMatchObject({ code: 'service_unavailable' });

  expect(await launcher()(keyed())).toEqual(answered);
});

test('a repetition frees the key where the first launch ended its run and died before it could', async () => {
  executions.failStarts(new Error('no such machine'));
  const dying = launcher(store.ledger, executions, {
    ...store.idempotency,
    forget: () => new Promise<never>(() => {}),
  });
  void dying(keyed());
  await vi.waitFor(async () =>
    expect(await store.runs.listOfDataset(dataset.dataset_id)).toMatchObject([{ status: 'failed' }]),
  );
  executions.failStarts(null);
  dataset = (await store.datasets.find(dataset.dataset_id)) as DatasetRecord;

  await expect(launcher()(keyed())).rejects.toMatchObject({ code: 'service_unavailable' });
  const { run_id } = await launcher()(keyed());

  expect([...executions.started.keys()]).toEqual([run_id]);
  expect(await launcher()(keyed())).toMatchObject({ run_id });
});

test('a dataset that had failed has failed again, for the same reason, after a run that could not be started', async () => {
  const reason = { code: 'model_unavailable', message: 'The model was down', level: 'error' } as const;
  dataset = await seedDataset(store, caller, { state: 'failed', error_data: reason });
  executions.failStarts(new Error('no such machine'));

  await expect(launcher()(keyed())).rejects.toMatchObject({ code: 'service_unavailable' });

  expect(await store.datasets.find(dataset.dataset_id)).toMatchObject({
    state: 'failed',
    error_data: reason,
    run_id: null,
  });
});

test.each(['awaiting_input', 'succeeded', 'failed'] as const)(
  'a dataset that was %s is so again, with the settings it had, after a launch that died and was repeated',
  async (state) => {
    const mapping = { prompt: 'question', completion: 'answer', context: [] };
    const before: Partial<DatasetRecord> = {
      state,
      configured_column_mapping: mapping,
      language_expansion: { type: 'translate', languages: ['de'], sample_rate: 1 },
      image_column_formats: null,
    };
    dataset = await seedDataset(store, caller, {
      ...before,
      result: { run_id: 'run-before', configured_column_mapping: mapping },
    });
    const dying: Ledger = {
      ...store.ledger,
      launch: async (launch) => {
        await store.ledger.launch(launch);
        throw new Error('the process died');
      },
    };
    const changes = {
      configured_column_mapping: { ...mapping, prompt: 'answer' },
      language_expansion: null,
      image_column_formats: { photo: 'url' },
    } as const;
    const asked = { decide: () => ({ ...input().decide(), changes }) };
    await expect(launcher(dying)(keyed('a key', asked))).rejects.toThrow('the process died');
    expect(await store.datasets.find(dataset.dataset_id)).toMatchObject({ state: 'running', ...changes });

    await expect(launcher()(keyed('a key', { ...asked, now: NOW + 60_000 }))).rejects.toMatchObject({
      code: 'service_unavailable',
    });

    expect(await store.datasets.find(dataset.dataset_id)).toMatchObject({ ...before, run_id: null });
  },
);

test('an ingest starts without credits and without a request', async () => {
  const uploaded = await seedDataset(store, caller, {
    state: 'awaiting_upload',
    row_count: null,
    manifest_key: null,
  });

  const { run_id } = await launcher()(
    input({
      dataset: uploaded,
      pipeline: 'ingest',
      request: null,
      decide: () => ({
        credits: 0,
        rows: null,
        changes: { raw_key: 'raw' },
        response: (runId) => ({ run_id: runId, estimatedCreditsConsumed: 0 }),
      }),
    }),
  );

  expect(objects.size).toBe(0);
  expect(await store.datasets.find(uploaded.dataset_id)).toMatchObject({
    state: 'ingesting',
    run_id,
    raw_key: 'raw',
  });
  expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({ available: 10, active_runs: 0 });
});

test('a launch is refused while the tokens for unbilled rows are used up, and a repetition of one before is not', async () => {
  const limited = { ...caller, plan: { ...caller.plan, unbilled_tokens_per_hour: 1000 } };
  const keyed = input({ caller: limited, idempotency: { operation: 'adapt', key: 'k', request } });
  const first = await launcher()(keyed);
  await store.unbilled.add(caller.team_id, 1000, keyed.now);

  expect(await launcher()(keyed)).toEqual(first);
  await expect(
    launcher()({ ...keyed, idempotency: { operation: 'adapt', key: 'other', request } }),
  ).rejects.toMatchObject({
    code: 'rate_limited',
    details: [{ path: 'unbilled_tokens_per_hour', limit: 1000 }],
  });
  expect(executions.started.size).toBe(1);
});

test('a team has as many files and appends read in an hour as its plan says', async () => {
  const one = { ...caller, plan: { ...caller.plan, readings_per_hour: 1 } };
  const other = await seedDataset(store, caller);
  const decide = () => ({ credits: 0, rows: null, response: () => ({}) as never });
  const read = (of: DatasetRecord) =>
    launcher()(input({ caller: one, dataset: of, pipeline: 'append', request: null, decide }));
  await read(dataset);

  await expect(read(other)).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining('1 uploads, imports and appends an hour (readings_per_hour)'),
  });
});
