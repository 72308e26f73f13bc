import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cancelBatchJobs } from '#shared/adaptation/advance-batch-jobs.ts';
import { BATCH_PASSES_MAX, type BatchState, isUnderWay } from '#shared/adaptation/decide/batch-jobs.ts';
import { requireSmallCalls } from '#shared/adaptation/decide/request.ts';
import { planJobs } from '#shared/adaptation/plan-jobs.ts';
import type { AdaptRequest } from '#shared/adaptation/schema/adaptation.ts';
import { ModelError } from '#shared/models/decide/port.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import { seedQuestions } from '#test/helpers/active-run.ts';
import {
  BATCH_PROVIDERS,
  BATCH_SETTINGS,
  type Batching,
  type BatchProviderName,
  betterAnswer,
  type Ended,
  type Launched,
  startBatching,
} from '#test/helpers/batching.ts';
import { cancelRun, endAdaptation, launchAdaptation } from '#test/helpers/operations.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { faultsOf } from '#test/helpers/store-contract.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let batching: Batching;

beforeEach(async () => {
  world = createWorld(() => NOW);
  owner = await seedTeam(world.store, 1000);
  batching = await startBatching(world, owner);
});
afterEach(() => batching.close());

/** Starts again with another provider, whose jobs may be as small as these runs need them. */
const restart = async (
  name: BatchProviderName,
  answer = betterAnswer,
  refuse?: Parameters<typeof startBatching>[3],
): Promise<void> => {
  await batching.close();
  batching = await startBatching(world, owner, answer, refuse, { name, callsMin: 1 });
};

/** What providers call a job that is asked to end, and that has ended so. */
const WORDS = {
  openai: { ending: 'cancelling', ended: 'cancelled' },
  bedrock: { ending: 'Stopping', ended: 'Stopped' },
} as const;

const singly: Partial<AdaptRequest> = { job_specification: {} };
const cellsOf = ({ results }: Ended) =>
  results.map(({ row, outcome, cells, edit }) => ({ row, outcome, cells, edit }));
const stateOf = (runId: string): BatchState => JSON.parse(world.objects.text(objectKeys.batchState(runId)));
const singleRows = (): number[] =>
  [
    ...new Set(
      batching.single.map(({ messages }) =>
        Number(/(?:question|answer) (\d+)/.exec(messages.map(({ content }) => content).join('\n'))?.[1]),
      ),
    ),
  ].sort((a, b) => a - b);

/** Tokens at the provider's price: half for those of batch jobs. */
const metered = ({ report: { tokens, batched } }: Ended): number => {
  const all = tokens.input + tokens.output;
  return all - ((batched?.input ?? 0) + (batched?.output ?? 0)) / 2;
};

/** A run without batch jobs on rows of its own. */
async function runSingly(rows: number, name: BatchProviderName): Promise<Ended> {
  const launched = await batching.launch(
    await seedQuestions(world, owner, rows, { chunkRows: rows / 4 }),
    singly,
  );
  const ended = await batching.finish(launched);
  batching.single.length = 0;
  // Another team has no recorded calls of these rows.
  owner = await seedTeam(world.store, 1000);
  await batching.close();
  batching = await startBatching(world, owner, undefined, undefined, { name });
  return ended;
}

test.each(BATCH_PROVIDERS)(
  'a run of 800 rows in batch jobs of %s gives the rows of single calls, at half the metered price',
  async (name) => {
    const single = await runSingly(800, name);
    const launched = await batching.launch(await seedQuestions(world, owner, 800, { chunkRows: 200 }));
    const steps = await batching.process(launched);
    const batched = await batching.finish(launched);

    expect(cellsOf(batched)).toEqual(cellsOf(single));
    expect(single.results.every(({ outcome }) => outcome === 'changed')).toBe(true);
    expect(batching.single).toHaveLength(0);
    expect(batched.report.tokens).toEqual(single.report.tokens);
    expect(metered(batched)).toBe(metered(single) / 2);
    expect(batched.report.batched).toEqual(batched.report.tokens);
    expect(single.run).toMatchObject({ reserved_credits: 8, settled_credits: 8 });
    expect(batched.run).toMatchObject({ reserved_credits: 4, settled_credits: 4 });
    // The prompt, then the answer, and a pass that finds nothing left. A job may be looked at more than once.
    const passes = steps.map(({ status }) => status);
    expect(passes.filter((status, n) => status !== 'wait' || passes[n - 1] !== 'wait')).toEqual([
      'collect',
      'wait',
      'collect',
      'wait',
      'collect',
      'done',
    ]);
    expect(batching.stand.batches().map(({ calls }) => calls)).toEqual([800, 800]);
    expect(batching.stand.files()).toEqual([]);
    expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
  },
);

const FEW = 40;
const launchFew = async (request: Partial<AdaptRequest> = {}) =>
  batching.launch(await seedQuestions(world, owner, FEW), request);

/** What a run gives whose calls the batch jobs answer as they should. */
const texts = (results: readonly RunResult[]) => results.map(({ cells }) => cells?.enhanced_completion);
const EXPECTED = Array.from({ length: FEW }, (_, row) => betterAnswer([{ content: `question ${row}` }]).text);

describe.each(BATCH_PROVIDERS)(
  'calls that a batch job of %s does not answer are made singly, at the price of the run',
  (name) => {
    beforeEach(() => restart(name));
    const all = Array.from({ length: FEW }, (_, row) => row);
    test.each([
      ['of a file that is not valid', { isInvalid: true }, all, 0],
      ['of a job that expires before it begins', { expiresAfter: 0 }, all, 0],
      ['of a job that expires half done', { expiresAfter: FEW / 2 }, all.slice(FEW / 2), FEW / 2],
      [
        'that end in errors of the provider',
        { failsEvery: 4 },
        all.filter((row) => row % 4 === 0),
        (FEW * 3) / 4,
      ],
      ['of a file of answers that is cut off', { spoils: 'truncated' }, all.slice(FEW / 2), FEW / 2],
    ] as const)(
      'calls that a batch job does not answer are made singly, at the price of the run: %s',
      async (_, script, left, first) => {
        batching.stand.setScript(script);
        const launched = await launchFew();
        await batching.process(launched, ({ pass }) => {
          if (pass === 2) batching.stand.setScript({});
        });
        const { run, report, results } = await batching.finish(launched);

        expect(texts(results)).toEqual(EXPECTED);
        expect(singleRows()).toEqual(left);
        expect(report.batched?.calls).toBeGreaterThanOrEqual(first);
        expect(report.tokens.calls).toBe(batching.single.length + (report.batched?.calls ?? 0));
        expect(run).toMatchObject({ status: 'succeeded', reserved_credits: 1, settled_credits: 1 });
      },
    );

    test('calls that a batch job does not answer are made singly, at the price of the run of a job that the provider refuses to make', async () => {
      batching.stand.setScript({ refusals: [401] });
      const launched = await launchFew();
      await batching.process(launched);
      const { results } = await batching.finish(launched);

      expect(texts(results)).toEqual(EXPECTED);
      expect(batching.stand.batches()).toEqual([]);
      expect(batching.troubles).toEqual(['run-1-0: misconfigured']);
    });

    test('calls that a batch job does not answer are made singly, at the price of the run of a provider that has not answered for an hour', async () => {
      batching.stand.setScript({ refusals: Array.from({ length: 1000 }, () => 503) });
      const launched = await launchFew();
      const steps = await batching.process(launched);
      const { results } = await batching.finish(launched);

      expect(texts(results)).toEqual(EXPECTED);
      const waited = steps.reduce((sum, { wait_seconds: seconds }) => sum + seconds, 0);
      expect(waited).toBeGreaterThanOrEqual(3600);
      expect(waited).toBeLessThan(2 * 3600);
    });

    test('calls that a batch job does not answer are made singly, at the price of the run if the installation makes no batch jobs any more', async () => {
      const launched = await launchFew();

      expect(await batching.advance(launched, 0, { provider: null })).toMatchObject({ status: 'done' });
      expect(texts((await batching.finish(launched)).results)).toEqual(EXPECTED);
    });
  },
);

test.each(
  BATCH_PROVIDERS.flatMap((name) =>
    (['doubled', 'unknown'] as const).map((spoils) => [name, spoils] as const),
  ),
)('an answer file of %s with %s lines is read all the same', async (name, spoils) => {
  await restart(name);
  batching.stand.setScript({ spoils });
  const launched = await launchFew();
  await batching.process(launched);
  const { report, results } = await batching.finish(launched);

  expect(texts(results)).toEqual(EXPECTED);
  expect(batching.single).toEqual([]);
  expect(report.batched?.calls).toBe(2 * FEW);
});

test.each(BATCH_PROVIDERS)('a job of %s that is late is waited for, ever longer', async (name) => {
  await restart(name);
  batching.stand.setScript({ delayMilliseconds: 1e9 });
  const launched = await launchFew();
  const steps = await batching.process(launched, () => {
    if (batching.clock.now() - NOW > 5 * 3_600_000) batching.stand.release();
  });

  const waits = steps.flatMap(({ status, wait_seconds: seconds }) => (status === 'wait' ? [seconds] : []));
  expect(waits[0]).toBe(5);
  expect(Math.max(...waits)).toBe(2400);
  expect(texts((await batching.finish(launched)).results)).toEqual(EXPECTED);
  expect(batching.single).toEqual([]);
});

test.each(BATCH_PROVIDERS)(
  'a job of %s that never ends is cancelled after a day, and the run goes on with what it has answered',
  async (name) => {
    await restart(name);
    batching.stand.setScript({ delayMilliseconds: 1e12 });
    const launched = await launchFew();
    await batching.process(launched);
    const { report, results } = await batching.finish(launched);

    expect(batching.stand.batches().every(({ status }) => status === WORDS[name].ended)).toBe(true);
    expect(batching.clock.now() - NOW).toBeLessThan(60 * 3_600_000);
    expect(texts(results)).toEqual(EXPECTED);
    expect(report.batched?.calls).toBeGreaterThan(0);
  },
);

describe.each(BATCH_PROVIDERS)('a killed invocation, with jobs of %s,', (name) => {
  beforeEach(() => restart(name));

  test('a killed invocation, with jobs of %s whose submission was answered to nobody finds the job again', async () => {
    batching.stand.setScript({ breaksAfterCreation: true });
    const launched = await launchFew();
    await batching.process(launched);

    // The SDK of AWS calls a connection that breaks a timeout.
    expect(batching.troubles).toEqual([`run-1-0: ${name === 'openai' ? 'unavailable' : 'timeout'}`]);
    expect(batching.stand.batches().map(({ calls }) => calls)).toEqual([FEW, FEW]);
    expect(texts((await batching.finish(launched)).results)).toEqual(EXPECTED);
    expect(batching.single).toEqual([]);
    expect(batching.stand.files()).toEqual([]);
  });

  test('a killed invocation, with jobs of %s is repeated at every write without a second job, or a call that is lost', async () => {
    const launched = await launchFew();
    let writes = 0;
    let dies = 0;
    /** Dies before the write, or after it. */
    const mortal = () => ({
      ...world.objects,
      write: async (...args: Parameters<typeof world.objects.write>) => {
        writes += 1;
        const isLast = writes === dies;
        if (isLast && dies % 2 === 0) throw new Error('killed');
        await world.objects.write(...args);
        if (isLast) throw new Error('killed');
      },
    });
    let collected = 0;
    for (let step = 0; step < 200; step += 1) {
      // Each write of a step is met once, before the step may go on.
      let next = null;
      for (dies = 1; next === null; dies += 1) {
        writes = 0;
        next = await batching.advance(launched, collected, { objects: mortal() }).catch((error: Error) => {
          if (error.message !== 'killed') throw error;
          return null;
        });
      }
      if (next.status === 'done') break;
      if (next.status === 'wait') await batching.clock.advance(next.wait_seconds * 1000);
      else {
        await batching.collect(launched);
        await batching.collect(launched);
        collected = next.pass;
      }
    }
    const { results } = await batching.finish(launched);

    expect(batching.stand.batches().map(({ calls }) => calls)).toEqual([FEW, FEW]);
    expect(texts(results)).toEqual(EXPECTED);
    expect(batching.single).toEqual([]);
  });
});

/** The provider with other limits. */
const within = (limits: Partial<Batching['provider']['limits']>) => ({
  ...batching.provider,
  limits: { ...batching.provider.limits, ...limits },
});

describe.each(BATCH_PROVIDERS)('a run that ends before its jobs of %s', (name) => {
  beforeEach(() => restart(name));
  const { ending, ended } = WORDS[name];
  const CANCELLED = { code: 'run_cancelled', message: 'm', level: 'error' } as const;

  test('a run that ends before its jobs has them cancelled, and bills nothing before a row is done', async () => {
    batching.stand.setScript({ delayMilliseconds: 1e9 });
    const launched = await launchFew();
    await batching.advance(launched, 0);
    await batching.collect(launched);
    expect(await batching.advance(launched, 1)).toMatchObject({ status: 'wait' });
    const { run_id, dataset_id } = launched.context;
    const use = world.installed({});

    const run = await use(endAdaptation)(launched.context, CANCELLED, NOW);
    const cancelling = world.invoked.filter(
      ({ functionId }) => functionId === 'tasks/runs/cancel-batch-jobs',
    );
    expect(cancelling.map(({ payload }) => payload)).toEqual([{ run_id }]);
    const ports = { objects: world.objects, provider: batching.provider, onTrouble: () => {} };
    expect(await cancelBatchJobs(ports, run_id)).toEqual({ cancelled: 1 });
    expect(batching.stand.batches().map(({ status }) => status)).toEqual([ending]);
    await cancelBatchJobs(ports, run_id);

    expect(run).toMatchObject({ status: 'failed', settled_credits: 0, dataset_id });
    expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
  });

  test('a run that ends before its jobs submits none after it was cancelled while the first one was submitted', async () => {
    batching.stand.setScript({ delayMilliseconds: 1e9 });
    const launched = await launchFew();
    await batching.advance(launched, 0);
    await batching.collect(launched);
    const { dataset_id, run_id } = launched.context;
    const submit: Batching['provider']['submit'] = async (submission) => {
      await world.store.runs.requestStop(dataset_id, run_id, CANCELLED);
      return batching.provider.submit(submission);
    };
    const provider = { ...within({ callsMax: 15 }), submit };

    const steps = await batching.process(launched, undefined, { provider }, 1);
    expect(steps.map(({ status, pass }) => [status, pass])).toEqual([
      ['wait', 1],
      ['collect', 2],
      ['done', 2],
    ]);

    expect(batching.stand.batches()).toHaveLength(1);
    expect(batching.stand.batches()[0]?.status).toMatch(new RegExp(`^(${ending}|${ended})$`));
  });

  test('a run that ends before its jobs has a job cancelled whose id was never learned', async () => {
    batching.stand.setScript({ breaksAfterCreation: true, delayMilliseconds: 1e9 });
    const launched = await launchFew();
    await batching.advance(launched, 0);
    await batching.collect(launched);
    await batching.advance(launched, 1);
    expect(stateOf(launched.context.run_id).jobs).toMatchObject([{ is_tried: true, job_id: null }]);

    const ports = { objects: world.objects, provider: batching.provider, onTrouble: () => {} };
    await cancelBatchJobs(ports, launched.context.run_id);

    expect(batching.stand.batches().map(({ status }) => status)).toEqual([ending]);
  });

  test('a run that ends before its jobs fails the cancellation that the provider does not take, so that it is repeated', async () => {
    const launched = await launchFew();
    await batching.advance(launched, 0);
    await batching.collect(launched);
    await batching.advance(launched, 1);
    const provider = {
      ...batching.provider,
      cancel: () => Promise.reject(new ModelError('unavailable', 'It does not answer')),
    };
    const ports = { objects: world.objects, provider, onTrouble: () => {} };

    await expect(cancelBatchJobs(ports, launched.context.run_id)).rejects.toThrow('could not be cancelled');
  });

  test('a run that ends before its jobs has nothing cancelled without batch jobs', async () => {
    const launched = await launchFew(singly);
    await world.installed({})(endAdaptation)(launched.context, CANCELLED, NOW);

    expect(world.invoked).toEqual([]);
  });
});

describe('a run that is cancelled while it waits for jobs', () => {
  const cancel = (launched: Launched) =>
    world.installed(BATCH_SETTINGS)(cancelRun)({
      dataset_id: launched.context.dataset_id,
      run_id: launched.context.run_id,
    });
  /** As the state machine ends a run that was stopped. */
  const settle = async ({ context }: Launched) => {
    const run = await world.store.runs.find(context.dataset_id, context.run_id);
    return world.installed({})(endAdaptation)(context, run?.stop_reason ?? null, NOW);
  };

  test('a run that is cancelled while it waits for jobs bills and delivers the rows that the jobs had answered by then', async () => {
    const launched = await launchFew();
    let steps = 0;
    await batching.process(launched, async ({ status, pass }) => {
      steps += 1;
      if (status === 'wait' && pass === 1) batching.stand.setScript({ delayMilliseconds: 1e9 });
      if (status !== 'wait' || pass !== 2 || steps > 4) return;
      // The answers to the prompts are there; half of the rows' own are when the provider has ended the job.
      expect(await cancel(launched)).toEqual({ status: 'running' });
      const ports = { objects: world.objects, provider: batching.provider, onTrouble: () => {} };
      expect(await cancelBatchJobs(ports, launched.context.run_id)).toEqual({ cancelled: 1 });
    });
    const run = await settle(launched);

    expect(batching.stand.batches().map(({ status, answered }) => [status, answered])).toEqual([
      ['completed', FEW],
      ['cancelled', FEW / 2],
    ]);
    expect(run).toMatchObject({
      status: 'failed',
      error_data: { code: 'run_cancelled' },
      settled_credits: 1,
      counts: { changed: FEW / 2, failed: FEW / 2 },
    });
    expect(batching.single).toEqual([]);
    expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
  });
});

test('a run whose state machine of jobs has failed goes on with single calls, and has the open jobs cancelled', async () => {
  batching.stand.setScript({ delayMilliseconds: 1e9 });
  const launched = await launchFew();
  await batching.advance(launched, 0);
  await batching.collect(launched);
  await batching.advance(launched, 1);
  const { run, results } = await batching.finish(launched);

  expect(run.status).toBe('succeeded');
  expect(texts(results)).toEqual(EXPECTED);
  expect(world.invoked.map(({ functionId }) => functionId)).toContain('tasks/runs/cancel-batch-jobs');
});

describe('rows that are done before the others', () => {
  /** Of every other row the prompt is well written already, so that it needs one call less. */
  const line = (row: number): string =>
    JSON.stringify({
      note: row,
      question:
        row % 2 === 0
          ? `How do I answer question ${row} in the shortest time?`
          : `how do i answer question ${row}`,
      answer: `dont think, just give answer ${row}`,
    });

  test('rows that are done before the others are delivered and billed when the run is cancelled', async () => {
    const launched = await batching.launch(await seedQuestions(world, owner, FEW, { line }));
    await batching.advance(launched, 0);
    await batching.collect(launched);
    await batching.advance(launched, 1);
    await batching.advance(launched, 1);
    await batching.collect(launched);

    const error = { code: 'run_cancelled', message: 'm', level: 'error' } as const;
    const run = await world.installed({})(endAdaptation)(launched.context, error, NOW);

    expect(run).toMatchObject({ status: 'failed', settled_credits: 1 });
    expect(run.counts).toMatchObject({ changed: FEW / 2, failed: FEW / 2 });
    expect(await world.store.runs.readProcessedRows(run.run_id)).toBe(FEW / 2);
  });
});

const refusalOf = (param: string) => ({ error: { message: `Unsupported parameter: '${param}'`, param } });

test.each(BATCH_PROVIDERS)(
  'a call whose field the model does not take is asked by the next job of %s without it',
  async (name) => {
    await restart(name, betterAnswer, (body) =>
      JSON.stringify(body).includes('"temperature"') ? refusalOf('temperature') : null,
    );
    const launched = await launchFew();
    await batching.process(launched);
    const { results } = await batching.finish(launched);

    expect(batching.stand.batches().map(({ answered }) => answered)).toEqual([0, FEW, FEW]);
    expect(stateOf(launched.context.run_id).refused).toEqual({ 'a-model': ['temperature'] });
    expect(texts(results)).toEqual(EXPECTED);
    expect(batching.single).toEqual([]);
  },
);

test('a call of which a value is refused is asked singly, and the other calls keep the field', async () => {
  await restart('openai', betterAnswer, (body) =>
    JSON.stringify(body).includes('question 3')
      ? { error: { message: `Invalid value for 'temperature'`, param: 'temperature' } }
      : null,
  );
  const launched = await launchFew();
  await batching.process(launched);
  const { results } = await batching.finish(launched);

  expect(stateOf(launched.context.run_id).refused).toEqual({});
  expect(batching.single.length).toBeGreaterThan(0);
  expect(texts(results)).toEqual(EXPECTED);
});

test('rows that ask without end are worked on singly after the last pass', async () => {
  await batching.close();
  let said = 0;
  batching = await startBatching(world, owner, () => {
    said += 1;
    // An empty answer is asked for again, twice for each of several calls.
    return { text: '', finishReason: 'stop', usage: { input_tokens: 1, output_tokens: 1 } };
  });
  const launched = await launchFew();
  const steps = await batching.process(launched);

  expect(steps.at(-1)?.status).toBe('done');
  expect(batching.stand.batches().length).toBeLessThanOrEqual(BATCH_PASSES_MAX);
  expect(said).toBeGreaterThan(FEW);
});

/** The most tokens that the calls of a pass can use, by the plan of its jobs. */
async function worstOf({ context }: Launched): Promise<number> {
  const state = stateOf(context.run_id);
  const jobs = await planJobs({ objects: world.objects }, batching.provider, context.run_id, state);
  return jobs.reduce((sum, job) => sum + job.tokens_max, 0);
}

describe("the provider's queue", () => {
  const ROWS = 900;
  const launchMany = async () => batching.launch(await seedQuestions(world, owner, ROWS, { chunkRows: 500 }));
  const expectAll = async (launched: Launched) => {
    const { results, run } = await batching.finish(launched);
    expect(results.every(({ outcome }) => outcome === 'changed')).toBe(true);
    expect(batching.single).toEqual([]);
    expect(run).toMatchObject({ status: 'succeeded', settled_credits: 5 });
    expect(batching.stand.files()).toEqual([]);
  };

  test.each([0, 1, 7, 12])(
    "the provider's queue that has room for some of the jobs makes the others wait (%d hours)",
    async (hours) => {
      batching.stand.setScript({ queueCalls: 500, delayMilliseconds: 1e9 });
      const launched = await launchMany();
      const releaseLater = () => {
        const isFull = batching.stand.batches().some(({ status }) => status === 'failed');
        if (isFull && batching.clock.now() - NOW >= hours * 3_600_000) batching.stand.release();
      };
      await batching.process(launched, releaseLater, { provider: within({ callsMax: 300 }) });

      const answered = batching.stand.batches().filter(({ status }) => status === 'completed');
      expect(answered.map(({ calls }) => calls)).toEqual([300, 300, 300, 300, 300, 300]);
      expect(batching.stand.batches().some(({ status }) => status === 'failed')).toBe(true);
      await expectAll(launched);
    },
  );

  test("the provider's queue that has emptied takes several of the jobs that waited at once", async () => {
    batching.stand.setScript({ queueCalls: 500, delayMilliseconds: 1e9 });
    const launched = await launchMany();
    let again = 0;
    const look = () => {
      const { jobs } = stateOf(launched.context.run_id);
      again = Math.max(again, jobs.filter((job) => isUnderWay(job) && job.name.endsWith('.2')).length);
      if (batching.stand.batches().some(({ status }) => status === 'failed')) batching.stand.release();
    };
    await batching.process(launched, look, { provider: within({ callsMax: 200 }) });

    expect(again).toBeGreaterThan(1);
    await expectAll(launched);
  });

  test("the provider's queue that has room for no job has the jobs split until they fit", async () => {
    batching.stand.setScript({ queueCalls: 250 });
    const launched = await launchMany();
    await batching.process(launched);

    const answered = batching.stand.batches().filter(({ status }) => status === 'completed');
    expect(answered.every(({ calls }) => calls <= 250)).toBe(true);
    expect(answered.reduce((sum, { calls }) => sum + calls, 0)).toBe(2 * ROWS);
    await expectAll(launched);
  });

  test("the provider's queue that has no room for six hours leaves the calls to single ones", async () => {
    batching.stand.setScript({ queueCalls: 0 });
    const launched = await launchFew();
    const steps = await batching.process(launched);

    expect(batching.clock.now() - NOW).toBeGreaterThan(6 * 3_600_000);
    // Looks are rare: a job is submitted again a few times an hour.
    expect(steps.length).toBeLessThan(400);
    expect(texts((await batching.finish(launched)).results)).toEqual(EXPECTED);
  });

  test("the provider's queue that takes no further job for now is asked again", async () => {
    batching.stand.setScript({ refusals: [429, 429, 429] });
    const launched = await launchFew();
    await batching.process(launched);

    expect(batching.troubles).toContain('run-1-0: throttled');
    expect(batching.single).toEqual([]);
    expect(texts((await batching.finish(launched)).results)).toEqual(EXPECTED);
  });
});

test('a run with fewer calls than a job of Amazon Bedrock takes is made singly, without waiting', async () => {
  await batching.close();
  batching = await startBatching(world, owner, undefined, undefined, { name: 'bedrock' });
  const few = await batching.launch(await seedQuestions(world, owner, 99));
  const steps = await batching.process(few);

  expect(steps.map(({ status }) => status)).toEqual(['collect', 'done']);
  expect(batching.stand.batches()).toEqual([]);
  expect((await batching.finish(few)).run).toMatchObject({ status: 'succeeded', settled_credits: 1 });
  expect(singleRows()).toHaveLength(99);
});

test('the limits of the provider split the calls of a pass into several jobs', async () => {
  const launched = await launchFew();
  await batching.process(launched, undefined, { provider: within({ callsMax: 15 }) });

  expect(batching.stand.batches().map(({ calls }) => calls)).toEqual([15, 15, 10, 15, 15, 10]);
  expect(texts((await batching.finish(launched)).results)).toEqual(EXPECTED);
  expect(batching.single).toEqual([]);
});

test('the limits of the provider leave calls to single ones that are too few for a job, or too large', async () => {
  for (const limits of [{ callsMin: FEW + 1 }, { bytesMax: 100 }]) {
    const launched = await launchFew({ reuse: false });
    await batching.process(launched, undefined, { provider: within(limits) });

    expect(batching.stand.batches()).toEqual([]);
    expect(texts((await batching.finish(launched)).results)).toEqual(EXPECTED);
  }
});

test('the limits of the provider do not count a call twice that several rows make', async () => {
  const same = (row: number): string =>
    JSON.stringify({ note: row, question: 'how do i answer question 1', answer: 'just give answer 1' });
  const launched = await batching.launch(
    await seedQuestions(world, owner, FEW, { chunkRows: 20, line: same }),
  );
  await batching.process(launched);
  const { results } = await batching.finish(launched);

  expect(batching.stand.batches().map(({ calls }) => calls)).toEqual([1, 1]);
  expect(new Set(texts(results)).size).toBe(1);
  expect(batching.single).toEqual([]);
});

describe('the budget of the plan', () => {
  const stop = async (budget: { tokens: number | null; minutes: number | null }) => {
    const launched = await launchFew();
    const key = objectKeys.runRequest(launched.context.run_id);
    const request = JSON.parse(world.objects.text(key));
    await world.objects.write(key, JSON.stringify({ ...request, budget }), 'application/json');
    batching.stand.setScript({ delayMilliseconds: budget.minutes === null ? 0 : 1e9 });
    const steps = await batching.process(launched);
    return { launched, steps };
  };

  test('the budget of the plan ends the jobs of a run that has used up its minutes', async () => {
    const { launched, steps } = await stop({ tokens: null, minutes: 30 });

    expect(steps.at(-1)).toMatchObject({ status: 'done' });
    const run = await world.store.runs.find(launched.context.dataset_id, launched.context.run_id);
    expect(run?.stop_reason?.code).toBe('run_budget_exceeded');
    expect(batching.stand.batches().map(({ status }) => status)).toEqual(['cancelled']);
  });

  test('the budget of the plan counts what jobs have used before their rows are done', async () => {
    const launched = await batching.launch(await seedQuestions(world, owner, 400, { chunkRows: 200 }));
    const key = objectKeys.runRequest(launched.context.run_id);
    await batching.process(launched, ({ pass, status }) => {
      if (pass === 1 && status === 'wait') batching.stand.setScript({ isInvalid: true });
    });
    const { tokens } = stateOf(launched.context.run_id);
    const request = JSON.parse(world.objects.text(key));
    const budget = { tokens: tokens + 1000, minutes: null };
    await world.objects.write(key, JSON.stringify({ ...request, budget }), 'application/json');
    const ended = batching.finish(launched);

    await expect(ended).rejects.toMatchObject({ code: 'run_budget_exceeded' });
    // Those that are in progress finish: eight rows of a worker.
    const single = batching.single.map(({ messages }) => betterAnswer(messages).usage);
    const used = single.reduce((sum, usage) => sum + usage.input_tokens + usage.output_tokens, 0);
    expect(used).toBeGreaterThan(0);
    expect(used).toBeLessThan(1000 + 16 * 400);
  });

  test('the budget of the plan makes no job whose calls can use more tokens than are left', async () => {
    const { steps } = await stop({ tokens: 10, minutes: null });

    expect(steps.at(-1)).toMatchObject({ status: 'done', pass: 2 });
    expect(batching.stand.batches()).toEqual([]);
  });

  test('the budget of the plan is never exceeded by jobs, which are split and wait for each other', async () => {
    const rows = 900;
    const launched = await batching.launch(await seedQuestions(world, owner, rows, { chunkRows: 500 }));
    const key = objectKeys.runRequest(launched.context.run_id);
    const request = JSON.parse(world.objects.text(key));
    await batching.advance(launched, 0);
    await batching.collect(launched);
    const calls = Number(await worstOf(launched));
    const budget = { tokens: Math.ceil(calls / 3), minutes: null };
    await world.objects.write(key, JSON.stringify({ ...request, budget }), 'application/json');

    const most: number[] = [];
    await batching.process(
      launched,
      () => {
        const { jobs, tokens } = stateOf(launched.context.run_id);
        most.push(jobs.filter(isUnderWay).reduce((sum, job) => sum + job.tokens_max, tokens));
      },
      {},
      1,
    );

    expect(Math.max(...most)).toBeGreaterThan(0);
    expect(Math.max(...most)).toBeLessThanOrEqual(budget.tokens);
    expect(batching.stand.batches().length).toBeGreaterThan(3);
  });

  test('the budget of the plan ends the jobs of a run of which too many rows have failed', async () => {
    batching.stand.setScript({ delayMilliseconds: 1e9 });
    const launched = await launchFew();
    await batching.advance(launched, 0);
    await batching.collect(launched);
    await batching.advance(launched, 1);
    const { dataset_id, run_id } = launched.context;
    await world.store.runs.recordBatchProgress(run_id, 0, FEW, {
      tokens: 1,
      failedRows: FEW,
      startedAtMs: NOW,
    });
    await batching.advance(launched, 1);

    const run = await world.store.runs.find(dataset_id, run_id);
    expect(run?.stop_reason?.code).toBe('too_many_rows_failed');
    expect(batching.stand.batches().map(({ status }) => status)).toEqual(['cancelling']);
  });
});

test('reuse serves a later run of either kind from what batch jobs have answered', async () => {
  const dataset = await seedQuestions(world, owner, FEW);
  const first = await batching.launch(dataset);
  await batching.process(first);
  const { results } = await batching.finish(first);

  for (const request of [{}, singly]) {
    const again = await batching.launch(dataset, request);
    if (request !== singly) await batching.process(again);
    const ended = await batching.finish(again);
    expect(again.quote).toMatchObject({ reused_rows: FEW, estimatedCreditsConsumed: 0 });
    expect(ended.run.settled_credits).toBe(0);
    expect(texts(ended.results)).toEqual(texts(results));
  }
  expect(batching.single).toEqual([]);
  expect(batching.stand.batches()).toHaveLength(2);
});

describe('a launch', () => {
  const ask = (request: Partial<AdaptRequest>, settings: Readonly<Record<string, string>> = BATCH_SETTINGS) =>
    seedQuestions(world, owner, 250).then(({ dataset_id: datasetId }) =>
      world.installed(settings)(launchAdaptation)({
        caller: owner,
        datasetId,
        route: 'adapt',
        request: { column_mapping: { prompt: 'question', completion: 'answer' }, ...request },
        now: NOW,
      }),
    );
  const batch = { job_specification: { processing: 'batch' } } as const;

  test('a launch is refused, with its estimate, where the provider has no batch interface', async () => {
    for (const estimate of [true, false]) {
      await expect(
        ask({ ...batch, estimate }, { ...BATCH_SETTINGS, MODEL_BATCH_JOBS: 'false' }),
      ).rejects.toMatchObject({
        code: 'not_available_yet',
        details: [{ path: 'job_specification.processing' }],
      });
    }
  });

  test('a launch is refused together with a web search', async () => {
    const request = { ...batch, brand_controls: { hallucination_mitigation: true } };
    await expect(ask(request, { ...BATCH_SETTINGS, SEARCH_BASE_URL: 'http://s' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test.each(['embedded_bytes', 'file_reference'] as const)(
    'a launch is refused where calls would hold images (%s)',
    (format) => {
      expect(() => requireSmallCalls('batch', { image_format: format }, false)).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      );
      expect(() => requireSmallCalls('standard', { image_format: format }, true)).not.toThrow();
      expect(() => requireSmallCalls('batch', { image_format: 'url' }, false)).not.toThrow();
    },
  );

  test('a launch is refused where the provider takes no addresses of images, and calls would hold what they lead to', () => {
    expect(() => requireSmallCalls('batch', { image_format: 'url' }, true)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
    expect(() => requireSmallCalls('batch', { image_format: null }, true)).not.toThrow();
  });

  test('a launch reserves half, rounded up, and an estimate shows both prices and times', async () => {
    const [standard, batched, launched] = [
      await ask({ estimate: true }),
      await ask({ ...batch, estimate: true }),
      await ask(batch),
    ];

    const both = {
      standard: { estimatedCreditsConsumed: 3, estimatedMinutes: standard.estimatedMinutes },
      batch: { estimatedCreditsConsumed: 2, estimatedMinutes: 120 },
    };
    expect(standard).toMatchObject({ estimatedCreditsConsumed: 3, processing: both });
    expect(batched).toMatchObject({ estimatedCreditsConsumed: 2, estimatedMinutes: 120, processing: both });
    expect(batched.estimateBasis).toContain('2 batch jobs one after the other');
    expect(launched).toMatchObject({ estimatedCreditsConsumed: 2 });
    expect(launched.processing).toBeUndefined();
    expect(
      (await ask({ estimate: true }, { ...BATCH_SETTINGS, MODEL_BATCH_JOBS: '' })).processing,
    ).toBeUndefined();
  });
});
