import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type AdaptBatchPorts, adaptBatch } from '#shared/adaptation/adapt-batch.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { assembleRun } from '#shared/lifecycle/assemble-run.ts';
import { endAdaptation } from '#shared/lifecycle/end-adaptation.ts';
import { toModelError } from '#shared/models/adapters/bedrock-errors.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { measureModel } from '#shared/models/measure-models.ts';
import { writeMetrics } from '#shared/platform/runtime/metrics.ts';
import { noBatchJobs, startRun } from '#test/helpers/active-run.ts';
import { adaptingPorts } from '#test/helpers/adapting-ports.ts';
import { NOW } from '#test/helpers/records.ts';
import { createVirtualClock, type VirtualClock } from '#test/helpers/virtual-clock.ts';
import { createWorld, type World } from '#test/helpers/world.ts';
import { collectMetrics } from '#test/helpers/written-metrics.ts';

const CALLS = 4;
const ROWS_OF_THE_DAY = 40;
let world: World;
let clock: VirtualClock;

// Virtual time does not wait for a file to be read.
beforeAll(async () => {
  await loadLanguageDetector();
});

beforeEach(() => {
  world = createWorld();
  clock = createVirtualClock(NOW);
});

/** Amazon Bedrock in a new account: it answers a call in a second, until the tokens of the day are used up. */
function newAccount(): { readonly client: ModelClient; calls: number; limit: number } {
  const account = {
    calls: 0,
    limit: ROWS_OF_THE_DAY,
    client: {
      modelId: 'm',
      generate: async ({ messages }, signal) => {
        account.calls += 1;
        const call = account.calls;
        await clock.sleep(1000, signal);
        if (call > account.limit) {
          throw toModelError(
            Object.assign(new Error('Too many tokens per day, please wait before trying again.'), {
              name: 'ThrottlingException',
              $metadata: { httpStatusCode: 429 },
            }),
          );
        }
        const row = Number(/(?:question|answer) (\d+)/.exec(messages.at(-1)?.content ?? '')?.[1]);
        return {
          text: `Give answer ${row} as soon as you know it, which is a much better text about ${row}.`,
          finishReason: 'stop',
          usage: { input_tokens: 60, output_tokens: 40 },
        };
      },
    } satisfies ModelClient,
  };
  return account;
}

/** A run of 300 rows, and its only worker. */
async function startWork(client: ModelClient, overrides: Partial<AdaptBatchPorts> = {}) {
  const active = await startRun(world, {
    rows: 300,
    chunkRows: 300,
    modelConcurrency: CALLS,
    request: { recipe_specification: { recipes: { prompt_rephrase: false } } },
  });
  const [batch] = active.batches;
  if (batch === undefined) throw new Error('The run has no batch.');
  const model = measureModel(client, 'rewrite');
  const ports: AdaptBatchPorts = {
    ...adaptingPorts(world, model, clock),
    callsPerWorker: CALLS,
    outageSecondsMax: 240,
    ...overrides,
  };
  let attempt = 0;
  const work = () => {
    attempt += 1;
    return clock.run(adaptBatch(ports, batch, { deadlineMs: clock.now() + 900_000, attempt: `a${attempt}` }));
  };
  return { active, work };
}

test('a run whose model has no tokens left for the day ends within two minutes, its done rows delivered and billed, the others returned', async () => {
  const written = collectMetrics();
  const { active, work } = await startWork(newAccount().client);
  const ports = {
    datasets: world.store.datasets,
    runs: world.store.runs,
    unbilled: world.store.unbilled,
    objects: world.objects,
    trainings: world.store.trainings,
    endRun: world.endRun,
    endBatchJobs: noBatchJobs,
  };

  expect(await work()).toEqual({ status: 'stopped' });
  const error = await assembleRun(ports, active.context, { now: clock.now() }).then(
    () => null,
    ({ code, message }) => ({ code, message, level: 'error' as const }),
  );
  const ended = await endAdaptation(ports, active.context, error, clock.now());

  expect(clock.now() - NOW).toBeLessThan(120_000);
  expect(ended).toMatchObject({
    status: 'failed',
    error_data: {
      code: 'model_quota_exhausted',
      message: expect.stringMatching(/tokens of this day are used up.*Start again.*operator/),
    },
    counts: { changed: ROWS_OF_THE_DAY, failed: 300 - ROWS_OF_THE_DAY },
    reserved_credits: 3,
    settled_credits: 1,
  });

  writeMetrics();
  const refusals = written().filter(
    ({ name, dimensions }) => name === 'ModelQuotaRefusals' && !dimensions.includes('role'),
  );
  // The threshold of the alarm `model-quota-exhausted` is 1.
  expect(refusals.flatMap(({ values }) => values).reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(1);
});

test('a run waits for the tokens of the next day where the operator lets it, and goes on from its checkpoints', async () => {
  const account = newAccount();
  const { active, work } = await startWork(account.client, { quotaWaitHours: 12 });

  expect(await work()).toEqual({ status: 'waiting' });
  await clock.advance(3_600_000);
  const asked = account.calls;
  expect(await work()).toEqual({ status: 'waiting' });
  expect(account.calls - asked).toBeLessThanOrEqual(CALLS);

  account.limit = Number.POSITIVE_INFINITY;
  const before = account.calls;
  expect(await work()).toEqual({ status: 'finished' });
  expect(account.calls - before).toBe(300 - ROWS_OF_THE_DAY);
  const run = await world.store.runs.find(active.dataset.dataset_id, active.run.run_id);
  expect(run?.stop_reason).toBeUndefined();
});

test('a run that has waited for as long as the operator lets it ends with the reason', async () => {
  const { active, work } = await startWork(newAccount().client, { quotaWaitHours: 2 });
  expect(await work()).toEqual({ status: 'waiting' });

  await clock.advance(2 * 3_600_000);

  expect(await work()).toEqual({ status: 'stopped' });
  const run = await world.store.runs.find(active.dataset.dataset_id, active.run.run_id);
  expect(run?.stop_reason).toMatchObject({ code: 'model_quota_exhausted' });
});
