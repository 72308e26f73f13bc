import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { assembleRun } from '#shared/lifecycle/assemble-run.ts';
import { type EndAdaptationPorts, endAdaptation } from '#shared/lifecycle/end-adaptation.ts';
import { billFailedRun, interruptedEnding } from '#shared/lifecycle/end-failed-run.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { StoredReport } from '#shared/runs/decide/report.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import {
  type ActiveRun,
  type ActiveRunOptions,
  evaluateRun,
  finishBatches,
  noBatchJobs,
  resultOf,
  resultsOf,
  startRun,
  writeResults,
} from '#test/helpers/active-run.ts';
import { makeCaller, makeDataset, makeRun, NOW } from '#test/helpers/records.ts';
import { faultsOf } from '#test/helpers/store-contract.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;

beforeEach(() => {
  world = createWorld();
});

const NO_PAIR = { chosen: null, rejected: null };
const failure: ErrorData = { code: 'model_unavailable', message: 'The model is gone.', level: 'error' };
const LATER = NOW + 60_000;

const ports = (): EndAdaptationPorts => ({
  datasets: world.store.datasets,
  runs: world.store.runs,
  objects: world.objects,
  trainings: world.store.trainings,
  endRun: world.endRun,
  endBatchJobs: noBatchJobs,
});
const assemble = ({ context }: ActiveRun) => assembleRun(ports(), context, { now: LATER });
const finish = ({ context }: ActiveRun, error: ErrorData | null = null) =>
  endAdaptation(ports(), context, error, LATER);
const balance = ({ caller }: ActiveRun) => world.store.ledger.findBalance(caller.team_id);

/** A run whose rows came to the given outcomes: as many of each as asked for, the rest changed. */
async function runTo(counts: Partial<Record<RunResult['outcome'], number>>, options: ActiveRunOptions = {}) {
  const active = await startRun(world, options);
  const outcomes = Object.entries(counts).flatMap(([outcome, count]) =>
    Array.from({ length: count }, () => outcome as RunResult['outcome']),
  );
  await finishBatches(world, active, (row) => outcomes[row] ?? 'changed');
  return active;
}

test('a run that succeeded is billed for changed and kept rows, and gets the rest back', async () => {
  const active = await runTo({ failed: 40, dropped: 20, kept: 50 });
  await assemble(active);

  const run = await finish(active);

  expect(run).toMatchObject({ status: 'succeeded', settled_credits: 2, reserved_credits: 3 });
  expect(run.counts).toMatchObject({ changed: 140, kept: 50, failed: 40, dropped: 20 });
  expect(await balance(active)).toMatchObject({ settled: 2, held: 0, available: 998 });
  expect(await world.store.datasets.find(active.dataset.dataset_id)).toMatchObject({
    state: 'succeeded',
    last_run_id: active.run.run_id,
    error_data: null,
  });
});

test('a run that has all its rows succeeds whatever its state machine failed of, and one that lacks a row does not', async () => {
  const whole = await runTo({ failed: 40 });
  expect(await finish(whole, failure)).toMatchObject({
    status: 'succeeded',
    settled_credits: 3,
    error_data: null,
  });

  const refused = await runTo({ failed: 200 });
  expect(await finish(refused, failure)).toMatchObject({ status: 'failed', error_data: failure });
});

test('a run that succeeded with images in its context is billed at ten credits for each hundred rows, as quoted', async () => {
  const request = { column_mapping: { prompt: 'question', image: 'note' } };
  const whole = await runTo({}, { request });
  await assemble(whole);
  expect(await finish(whole)).toMatchObject({ reserved_credits: 30, settled_credits: 30 });

  const part = await runTo({ failed: 60 }, { request });
  await assemble(part);
  expect(await finish(part)).toMatchObject({ reserved_credits: 30, settled_credits: 20 });
});

test('a run for pairs that succeeded is billed for the rows that have one, and for none where it found none', async () => {
  const pairsOf = async (paired: number, reused = 0) => {
    const active = await startRun(world, { request: { training_type: 'preference_pairs' } });
    for (const batch of active.batches) {
      const rows = resultsOf(batch, () => 'kept').map((result) => {
        const pair = result.row < paired ? { chosen: 'right', rejected: 'wrong' } : NO_PAIR;
        const cells = { ...result.cells, ...pair };
        return { ...result, cells, ...(result.row < reused ? { reused: true as const } : {}) };
      });
      await writeResults(world, objectKeys.result(active.run.run_id, batch.n), rows);
    }
    const report = await assemble(active);
    return { report, run: await finish(active) };
  };

  const some = await pairsOf(110);
  expect(some.run).toMatchObject({ status: 'succeeded', reserved_credits: 3, settled_credits: 2 });
  expect(some.report).toMatchObject({ pairs: 110, unpaired: { rows: 140, added: 0 } });
  expect((await pairsOf(110, 20)).run.settled_credits).toBe(1);
  expect((await pairsOf(0)).run).toMatchObject({ status: 'succeeded', settled_credits: 0 });
  expect((await pairsOf(250)).report.unpaired).toBeUndefined();
});

test('a run that succeeded shows the evaluation that its own rows got, and no other', async () => {
  const evaluated = async (runId?: string) => {
    const active = await runTo({}, { rows: 30 });
    await assemble(active);
    const { dataset, run } = active;
    const summary = await evaluateRun(world, { dataset, run: { run_id: runId ?? run.run_id } });
    await finish(active);
    const shown = await world.store.datasets.find(dataset.dataset_id);
    return { summary, shown: shown?.evaluation_summary };
  };

  const own = await evaluated();
  expect(own.shown).toEqual(own.summary);
  expect((await evaluated('an-earlier-run')).shown).toBeNull();
});

test('a run that succeeded ends once: a second call, also with a failure, changes nothing', async () => {
  const active = await runTo({});
  await assemble(active);
  const first = await finish(active);

  expect(await finish(active)).toEqual(first);
  expect(await finish(active, failure)).toEqual(first);
  expect(await balance(active)).toMatchObject({ settled: 3, held: 0 });
  expect(await faultsOf(world.store, active.caller.team_id)).toEqual([]);
});

test('the report is written with counts, tokens and the stage', async () => {
  const active = await runTo({ kept: 10, failed: 5, dropped: 3 });

  const report = await assemble(active);

  expect(StoredReport.parse(JSON.parse(world.objects.text(objectKeys.report(active.run.run_id))))).toEqual(
    report,
  );
  expect(report).toMatchObject({
    rows: { total: 250, changed: 232, kept: 10, failed: 5, dropped: 3 },
    tokens: { input: 2500, output: 1250, calls: 750 },
    stages: [
      {
        name: 'adapt',
        rows_in: 250,
        rows_out: 247,
        started_at: '2026-03-01T12:00:00.000Z',
        ended_at: '2026-03-01T12:01:00.000Z',
      },
    ],
  });
});

test('the report is written also where the run then fails', async () => {
  const active = await runTo({ failed: 200 });

  await assemble(active).catch(() => {});

  expect(JSON.parse(world.objects.text(objectKeys.report(active.run.run_id)))).toMatchObject({
    rows: { failed: 200 },
  });
});

test.each([
  [125, 'succeeds'],
  [126, 'fails'],
])('a run fails above half of its rows: with %i of 250 failed it %s', async (failed, what) => {
  const assembled = assemble(await runTo({ failed }));

  if (what === 'succeeds') await expect(assembled).resolves.toMatchObject({ rows: { failed } });
  else await expect(assembled).rejects.toMatchObject({ code: 'too_many_rows_failed' });
});

test('a run fails by the share of the rows that were selected, not of all', async () => {
  const active = await startRun(world, { request: { job_specification: { max_rows: 10 } } });
  await finishBatches(world, active, () => 'failed');

  await expect(assemble(active)).rejects.toMatchObject({ code: 'too_many_rows_failed' });
});

test('a run fails when a row has no result, for what is lost must not pass for done', async () => {
  const active = await startRun(world);
  await finishBatches(world, { ...active, batches: active.batches.slice(1) });

  await expect(assemble(active)).rejects.toMatchObject({ code: 'run_interrupted' });
});

test('a run fails when its dataset is gone', async () => {
  const active = await runTo({}, { rows: 30 });
  await finish(active, failure);
  await world.store.datasets.delete(active.caller, active.dataset.dataset_id, LATER);

  await expect(assemble(active)).rejects.toMatchObject({ code: 'run_interrupted' });
});

test('a run that failed is billed for the rows that it finished, which can be downloaded', async () => {
  const active = await startRun(world);
  await writeResults(
    world,
    `${objectKeys.checkpoints(active.run.run_id, 0)}a-000001.jsonl`,
    Array.from({ length: 20 }, (_, row) => resultOf(row, row < 5 ? 'failed' : 'changed')),
  );

  const run = await finish(active, failure);

  expect(run).toMatchObject({ status: 'failed', settled_credits: 1, error_data: failure });
  expect(run.counts).toMatchObject({ changed: 15, failed: 235 });
  expect(await balance(active)).toMatchObject({ settled: 1, held: 0, available: 999 });
});

test('a run that failed before it was planned costs nothing', async () => {
  const active = await startRun(world);
  await world.objects.remove([objectKeys.plan(active.run.run_id)]);

  const run = await finish(active, failure);

  expect(run).toMatchObject({ status: 'failed', settled_credits: 0, counts: null });
  expect(await balance(active)).toMatchObject({ settled: 0, held: 0, available: 1000 });
});

test('a run that failed before any row was done costs nothing', async () => {
  const active = await startRun(world);

  expect(await finish(active, failure)).toMatchObject({ settled_credits: 0 });
});

test('a run that failed as an ingest bills nothing, whatever lies there', async () => {
  const active = await runTo({}, { rows: 30 });

  expect(await billFailedRun(ports(), { ...active.run, pipeline: 'ingest' }, LATER)).toEqual({
    billedCredits: 0,
    counts: null,
  });
});

describe('a run that was stopped', () => {
  const reason = {
    code: 'run_budget_exceeded',
    message: 'It has used up its tokens.',
    level: 'error',
  } as const;

  test('a run that was stopped says why where rows are missing', async () => {
    const active = await startRun(world);
    await finishBatches(world, { ...active, batches: active.batches.slice(1) });
    await world.store.runs.requestStop(active.run.dataset_id, active.run.run_id, reason);

    await expect(assemble(active)).rejects.toMatchObject({ code: reason.code, message: reason.message });
  });

  test('a run that was stopped after its last row is complete', async () => {
    const active = await runTo({});
    await world.store.runs.requestStop(active.run.dataset_id, active.run.run_id, reason);

    await expect(assemble(active)).resolves.toMatchObject({ rows: { changed: 250 } });
  });

  test('a run that was stopped and ends from outside has that reason, its bill and its counts', () => {
    const run = { ...makeRun(makeDataset(makeCaller())), stop_reason: reason };
    const of = { dataset_id: run.dataset_id, run_id: run.run_id };

    expect(interruptedEnding(run, failure, { billedCredits: 1, counts: null }, LATER)).toEqual({
      ...{ ...of, error: reason, billedCredits: 1, now: LATER },
    });
    const { stop_reason: _reason, ...goingOn } = run;
    expect(interruptedEnding(goingOn, failure, { billedCredits: 0, counts: null }, LATER).error).toBe(
      failure,
    );
    const trained = { billedCredits: 2, counts: null, hasModel: true };
    expect(interruptedEnding(goingOn, failure, trained, LATER).error).toBeNull();
    expect(interruptedEnding(run, failure, trained, LATER).error).toBe(reason);
  });
});

test('a run that nobody knows is an error, and has no report', async () => {
  const active = await runTo({}, { rows: 30 });
  const unknown = { ...active, context: { ...active.context, run_id: 'unknown' } };

  await expect(finish(unknown)).rejects.toThrow('unknown');
  await expect(assemble(unknown)).rejects.toMatchObject({ code: 'run_interrupted' });
});

test('a run that nobody knows bills nothing as a training', async () => {
  const active = await startRun(world, { rows: 30 });

  expect(await billFailedRun(ports(), { ...active.run, pipeline: 'train' }, LATER)).toEqual({
    billedCredits: 0,
    counts: null,
  });
});

test('a run whose dataset makes rows is billed those, and not what an adaptation would be', async () => {
  const active = await runTo({}, { rows: 230 });
  const report = await assemble(active);
  const grown = { ...report, rows: { ...report.rows, changed: 0, kept: 0, expanded: 120 } };
  await world.objects.write(objectKeys.report(active.run.run_id), JSON.stringify(grown), 'application/json');

  expect(await billFailedRun(ports(), { ...active.run, pipeline: 'expand' }, LATER)).toEqual({
    billedCredits: 2,
    counts: grown.rows,
  });
});

test('rows that an adaptation added are billed like the others', async () => {
  const active = await runTo({ failed: 120, dropped: 30 });
  const report = await assemble(active);
  const added = { ...report, rows: { ...report.rows, expanded: 150 } };
  await world.objects.write(objectKeys.report(active.run.run_id), JSON.stringify(added), 'application/json');

  expect(await finish(active)).toMatchObject({ settled_credits: 3, counts: { changed: 100, expanded: 150 } });
});

test('an evaluation that was cut off has failed with its run; one that ended stays as it was', async () => {
  for (const [status, after] of [
    ['running', 'failed'],
    ['succeeded', 'succeeded'],
  ] as const) {
    const active = await runTo({}, { rows: 30 });
    await assemble(active);
    const evaluation = {
      dataset_id: active.dataset.dataset_id,
      run_id: active.run.run_id,
      status,
      quality: null,
      results_key: null,
      started_at: '2026-03-01T12:00:00.000Z',
      updated_at: '2026-03-01T12:00:00.000Z',
    };
    await world.store.datasets.recordEvaluation(active.dataset.team_id, evaluation);

    await finish(active);

    expect(await world.store.datasets.findEvaluation(evaluation.dataset_id, evaluation.run_id)).toEqual({
      ...evaluation,
      status: after,
      updated_at: after === 'failed' ? '2026-03-01T12:01:00.000Z' : evaluation.updated_at,
    });
    expect((await world.store.datasets.find(evaluation.dataset_id))?.evaluation_summary).toBeNull();
  }
});

test('the speed of a run is measured when it succeeds, and not of one that failed', async () => {
  const measured = vi.fn(async () => {});
  const measuring = { speeds: { recordSpeed: measured }, modelConcurrency: 1, evaluationSampleRows: 10 };
  const end = async (error: ErrorData | null) => {
    const active = await runTo({}, { rows: 30 });
    const { dataset_id, run_id } = active.run;
    await world.store.runs.recordPlan(dataset_id, run_id, {
      total_rows: 30,
      models: { answer: 'a-model' },
      prompt_versions: {},
    });
    const effort = { tokens: 1, failedRows: 0, startedAtMs: NOW };
    await world.store.runs.recordBatchProgress(run_id, 0, 30, effort);
    const report = await assemble(active);
    const timed = JSON.stringify({ ...report, call_seconds: 5 });
    await world.objects.write(objectKeys.report(run_id), timed, 'application/json');
    await endAdaptation({ ...ports(), measuring }, active.context, error, LATER);
  };

  await end(failure);
  expect(measured).not.toHaveBeenCalled();
  await end(null);
  expect(measured).toHaveBeenCalled();
});

test('whatever becomes of its rows, a run is billed for no row that it did not deliver, and never above its quote', async () => {
  const outcome = fc.constantFrom<(RunResult['outcome'] | 'missing')[]>(
    'changed',
    'kept',
    'failed',
    'dropped',
    'missing',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        outcomes: fc.array(outcome, { minLength: 1, maxLength: 130 }),
        maxRows: fc.option(fc.integer({ min: 1, max: 140 })),
        chunkRows: fc.integer({ min: 10, max: 130 }),
      }),
      async ({ outcomes, maxRows, chunkRows }) => {
        world = createWorld();
        const active = await startRun(world, {
          rows: outcomes.length,
          chunkRows,
          request: maxRows === null ? {} : { job_specification: { max_rows: maxRows } },
        });
        let delivered = 0;
        for (const batch of active.batches) {
          const places = batch.selected ?? Array.from({ length: batch.row_count }, (_, place) => place);
          const results = places.flatMap((place) => {
            const row = batch.first_row + place;
            const what = outcomes[row] ?? 'missing';
            if (what === 'changed' || what === 'kept') delivered += 1;
            return what === 'missing' ? [] : [resultOf(row, what)];
          });
          await writeResults(world, `${objectKeys.checkpoints(active.run.run_id, batch.n)}a.jsonl`, results);
        }

        const { settled_credits, reserved_credits } = await finish(active, failure);

        expect(settled_credits).toBe(Math.ceil(delivered / 100));
        expect(settled_credits).toBeLessThanOrEqual(reserved_credits);
        expect(await faultsOf(world.store, active.caller.team_id)).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});
