import { beforeEach, describe, expect, test } from 'vitest';
import { handler as adapt } from '#functions/api/datasets/adapt.ts';
import { handler as create } from '#functions/api/datasets/pilots/create.ts';
import { handler as appendRows } from '#functions/api/datasets/rows/append.ts';
import { handler as listVersions } from '#functions/api/datasets/versions/list.ts';
import { NO_PAIR } from '#shared/adaptation/decide/preference-pairs.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { RunResult } from '#shared/runs/schema/run-result.ts';
import { linesOf, readPlan, resultOf, writeResults, writeRows } from '#test/helpers/active-run.ts';
import { landAppend } from '#test/helpers/ingesting.ts';
import { assembleRun, endAdaptation, planAdaptation } from '#test/helpers/operations.ts';
import {
  endPilotNow,
  MAPPING,
  type Piloted,
  type PilotWorkers,
  readPilot,
  runPilot,
  SIGNATURES,
  seedQuestions,
  startPilot,
} from '#test/helpers/piloting.ts';
import { NOW } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const ARMS = [{ name: 'First' }, { name: 'Second', brand_controls: { length: 'concise' } }];
const changed = { outcome: 'changed' } as const;
const kept = { outcome: 'kept' } as const;

/** Workers of an arm that finds pairs for the first rows of the sample alone. */
const pairedUpTo =
  (paired: number) =>
  (_arm: number, row: number): Pick<RunResult, 'outcome' | 'reason' | 'cells'> => ({
    outcome: 'kept',
    reason: { code: 'sound', message: 'Nothing is wrong.' },
    cells: {
      enhanced_prompt: 'What is it?',
      enhanced_completion: 'right',
      ...(row < paired ? { chosen: 'right', rejected: 'wrong' } : NO_PAIR),
    },
  });

/** Whether an answer is that of an arm. */
const isOf = (answer: string | null, arm: number): boolean =>
  answer?.endsWith(SIGNATURES[arm] ?? '?') ?? false;

let world: World;
let piloted: Piloted;

beforeEach(async () => {
  world = createWorld(() => NOW);
  piloted = await seedQuestions(world);
});

async function piloting(workers: PilotWorkers, body: object = { arms: ARMS, sample_rows: 20 }) {
  const context = await startPilot(world, piloted, body);
  const steps = await runPilot(world, context, workers);
  await endPilotNow(world, context);
  return { context, steps, pilot: await readPilot(world, piloted, context) };
}

const balance = async () => {
  const { available, held, settled } = (await world.store.ledger.findBalance(piloted.caller.team_id)) ?? {};
  return { available, held, settled };
};

test('a pilot recommends the arm that wins, after all arms have adapted the sample', async () => {
  const { pilot, steps } = await piloting({
    adapt: () => changed,
    judge: ({ after }) => (isOf(after, 1) ? 'after' : 'before'),
  });

  expect(pilot).toMatchObject({
    status: 'succeeded',
    progress: { rows_total: 40 },
    recommendation: { arm: 1, certainty: 'better_than_original' },
    arms: [
      { name: 'First', status: 'finished', rows: { done: 20, changed: 20 } },
      { name: 'Second', status: 'finished', rows: { done: 20, changed: 20 } },
    ],
  });
  expect(pilot.arms[0]?.against_original).toMatchObject({ better: 20, worse: 0, win_rate: 1 });
  expect(pilot.arms[0]?.against_original?.interval?.[0]).toBeGreaterThan(0.5);
  expect(steps.map(({ worker }) => worker)).toEqual(['adapt', 'score']);
  // 40 rows are delivered; a part of a hundred counts as a hundred.
  expect(pilot).toMatchObject({ credits_reserved: 1, credits_charged: 1 });
});

test('a pilot says that nothing helps where no arm is shown to', async () => {
  const { pilot } = await piloting({ adapt: () => kept });

  expect(pilot.recommendation).toMatchObject({ arm: null, certainty: 'nothing_shown' });
  expect(pilot.arms[0]?.against_original).toMatchObject({ same: 20, better: 0, win_rate: null });
});

test('a pilot gives all arms the same rows, each of them once', async () => {
  const { context } = await piloting({ adapt: () => changed });
  const { rows } = JSON.parse(world.objects.text(objectKeys.pilotRows(context.run_id)));
  const lines = linesOf(world.objects.text(objectKeys.pilotSample(context.run_id)));

  expect(new Set(rows).size).toBe(20);
  expect(lines.map((line) => JSON.parse(line).note)).toEqual(rows);
});

test('a pilot writes the same when a step is repeated', async () => {
  const context = await startPilot(world, piloted, { arms: ARMS, sample_rows: 20 });
  const workers: PilotWorkers = { adapt: () => changed, judge: () => 'after' };
  await runPilot(world, context, workers);
  const first = world.objects.text(objectKeys.pilotState(context.run_id));

  await runPilot(world, context, workers);

  expect(world.objects.text(objectKeys.pilotState(context.run_id))).toBe(first);
});

test('a pilot that is stopped keeps what is done, shows it, and bills it', async () => {
  const context = await startPilot(world, piloted, { arms: ARMS, sample_rows: 20 });
  await runPilot(world, context, { adapt: (_, row) => (row < 3 ? changed : kept), judge: () => 'after' }, 1);
  await endPilotNow(world, context, { code: 'run_cancelled', message: 'Cancelled.', level: 'error' });

  const pilot = await readPilot(world, piloted, context);

  expect(pilot).toMatchObject({
    status: 'failed',
    recommendation: null,
    error: { code: 'run_cancelled' },
    credits_charged: 1,
    arms: [{ rows: { done: 20 } }, { rows: { done: 20 } }],
  });
  expect(await balance()).toEqual({ available: 999, held: 0, settled: 1 });
});

test('a pilot whose minutes end while answers are compared says so, and is no failure of the service', async () => {
  let now = NOW;
  const clocked = createWorld(() => now);
  const { caller, dataset } = await seedQuestions(clocked);
  const limited = { ...caller, plan: { ...caller.plan, minutes_per_run: 10 } };
  const context = await startPilot(clocked, { caller: limited, dataset }, { arms: ARMS, sample_rows: 20 });
  const workers: PilotWorkers = { adapt: () => changed, judge: () => 'after' };
  await runPilot(clocked, context, workers, 1);
  const run = await clocked.store.runs.find(dataset.dataset_id, context.run_id);
  now = Date.parse(run?.started_at ?? '') + 11 * 60_000;

  await expect(runPilot(clocked, context, workers, 2, 1)).rejects.toMatchObject({
    code: 'run_budget_exceeded',
  });
});

test('a pilot that ended before its sample was drawn costs nothing', async () => {
  const context = await startPilot(world, piloted);
  await endPilotNow(world, context, { code: 'run_interrupted', message: 'm', level: 'error' });

  expect(await readPilot(world, piloted, context)).toMatchObject({ status: 'failed', credits_charged: 0 });
  expect(await balance()).toEqual({ available: 1000, held: 0, settled: 0 });
});

test('a pilot bills no failed rows, and settles once', async () => {
  piloted = await seedQuestions(world, 300);
  const context = await startPilot(world, piloted, { arms: ARMS, sample_rows: 200 });
  expect(await balance()).toMatchObject({ held: 4 });
  // The second arm fails in every row.
  await runPilot(world, context, {
    adapt: (arm) =>
      arm === 1 ? changed : { outcome: 'failed', reason: { code: 'model_unavailable', message: 'm' } },
    judge: () => 'after',
  });
  await endPilotNow(world, context);
  await endPilotNow(world, context, { code: 'run_interrupted', message: 'late', level: 'error' });

  expect(await readPilot(world, piloted, context)).toMatchObject({
    status: 'succeeded',
    credits_charged: 2,
  });
  expect(await balance()).toEqual({ available: 998, held: 0, settled: 2 });
});

test('a pilot does not bill a row that lacks the pair which its arm asks for, and its quote says so', async () => {
  piloted = await seedQuestions(world, 300);
  const body = { arms: [{ training_type: 'preference_pairs' }], sample_rows: 200 };
  const { body: quote } = await world.call(create, {
    as: piloted.caller,
    params: { dataset_id: piloted.dataset.dataset_id },
    body: { column_mapping: MAPPING, ...body, estimate: true },
  });
  expect(quote.estimated_credits).toBe(2);
  expect(quote.notes).toContainEqual(
    expect.stringContaining('null as chosen and rejected, and are not billed'),
  );

  expect((await piloting({ adapt: pairedUpTo(100) }, body)).pilot).toMatchObject({
    status: 'succeeded',
    arms: [{ rows: { kept: 200 } }],
    credits_charged: 1,
  });
  expect((await piloting({ adapt: pairedUpTo(0) }, body)).pilot.credits_charged).toBe(0);
});

test('a pilot whose workers left rows out fails, instead of comparing what is left', async () => {
  const context = await startPilot(world, piloted, { arms: ARMS, sample_rows: 20 });
  await runPilot(world, context, { adapt: () => changed, judge: () => 'after' }, 1);
  const [last] = world.objects
    .keys()
    .filter((key) => key.includes(`${context.run_id}/results/`))
    .slice(-1);
  await world.objects.remove([last ?? '']);

  await expect(runPilot(world, context, { adapt: () => changed }, 2, 1)).rejects.toMatchObject({
    code: 'run_interrupted',
  });
});

test('a pilot whose workers left rows out or comparisons fails too', async () => {
  const context = await startPilot(world, piloted, { arms: ARMS, sample_rows: 20 });
  await runPilot(world, context, { adapt: () => changed, judge: () => 'after' }, 2);
  await world.objects.remove(
    world.objects
      .keys()
      .filter((key) => key.includes(`${context.run_id}/evaluation/scores/`))
      .slice(-1),
  );

  await expect(runPilot(world, context, { adapt: () => changed }, 3, 2)).rejects.toMatchObject({
    code: 'run_interrupted',
  });
});

test('very long rows are left out of the sample, and a dataset of nothing else is refused', async () => {
  const long = 'word '.repeat(60_000);
  const linesBy = (isLong: (row: number) => boolean) =>
    Array.from({ length: 30 }, (_, row) =>
      JSON.stringify({
        note: row,
        question: `What is ${row}?`,
        answer: isLong(row) ? long : `It is ${row}.`,
      }),
    );
  piloted = await seedQuestions(world, 30);
  await writeRows(
    world,
    piloted.dataset.dataset_id,
    linesBy((row) => row < 10),
    10,
  );
  const context = await startPilot(world, piloted, { arms: [{}], sample_rows: 30 });
  await runPilot(world, context, { adapt: () => kept });
  expect(await readPilot(world, piloted, context)).toMatchObject({
    sample_rows: 20,
    arms: [{ rows: { done: 20 } }],
  });

  const other = await seedQuestions(world, 30);
  await writeRows(
    world,
    other.dataset.dataset_id,
    linesBy(() => true),
    10,
  );
  const refused = await startPilot(world, other, { arms: [{}], sample_rows: 30 });
  await expect(runPilot(world, refused, { adapt: () => kept })).rejects.toMatchObject({
    code: 'dataset_too_large',
  });
});

describe('an adaptation by a pilot', () => {
  const ask = (body: object) =>
    world.call(adapt, { as: piloted.caller, params: { dataset_id: piloted.dataset.dataset_id }, body });

  /** Plans the run and works on the rows that it does not take over; returns those that it takes over, by row. */
  async function workOn(
    run: RunContext,
    resultFor: (row: number) => RunResult,
  ): Promise<Map<number, RunResult>> {
    await world.use(planAdaptation)(run);
    const reused = new Map<number, RunResult>();
    for (const batch of readPlan(world, run.run_id)) {
      const key = `${objectKeys.checkpoints(run.run_id, batch.n)}reused.jsonl`;
      const own = world.objects.keys().includes(key)
        ? linesOf(world.objects.text(key)).map((line) => RunResult.parse(JSON.parse(line)))
        : [];
      for (const result of own) reused.set(result.row, result);
      await writeResults(
        world,
        objectKeys.result(run.run_id, batch.n),
        Array.from({ length: batch.row_count }, (_, place) => {
          const row = batch.first_row + place;
          return reused.get(row) ?? resultFor(row);
        }),
      );
    }
    return reused;
  }

  test('an adaptation by a pilot takes over the rows that are done, and does not bill them again', async () => {
    piloted = await seedQuestions(world, 220);
    const { context } = await piloting(
      { adapt: () => changed, judge: ({ after }) => (isOf(after, 1) ? 'after' : 'before') },
      { arms: ARMS, sample_rows: 20 },
    );
    const before = await balance();
    const { body: quote, status } = await ask({ pilot_id: context.run_id });
    expect(status).toBe(200);
    // 200 rows, not 220.
    expect(quote.estimatedCreditsConsumed).toBe(2);

    const run = { ...context, run_id: quote.run_id ?? '' };
    const reused = await workOn(run, resultOf);
    const { rows } = JSON.parse(world.objects.text(objectKeys.pilotRows(context.run_id)));
    expect([...reused.keys()].sort((a, b) => a - b)).toEqual(rows.toSorted((a: number, b: number) => a - b));
    expect([...reused.values()].every(({ calls, tokens }) => calls === 0 && tokens.input === 0)).toBe(true);

    await world.use(assembleRun)(run, NOW);
    const ended = await world.use(endAdaptation)(run, null, NOW);

    expect(ended).toMatchObject({ status: 'succeeded', settled_credits: 2, counts: { changed: 220 } });
    expect((await balance()).settled).toBe((before.settled ?? 0) + 2);
  });

  test('an adaptation by a pilot that was planned by a release that marked no rows bills none of the pilot either', async () => {
    piloted = await seedQuestions(world, 220);
    const { context } = await piloting({ adapt: () => kept }, { arms: ARMS, sample_rows: 20 });
    const { body: quote } = await ask({ pilot_id: context.run_id, pilot_arm: 1 });

    const run = { ...context, run_id: quote.run_id ?? '' };
    await workOn(run, (row) => resultOf(row, row % 2 === 0 ? 'dropped' : 'changed'));
    for (const { n } of readPlan(world, run.run_id)) {
      const key = objectKeys.result(run.run_id, n);
      const unmarked = world.objects.text(key).replaceAll(',"reused":true', '');
      await world.objects.write(key, unmarked, 'application/jsonl');
    }
    await world.use(assembleRun)(run, NOW);
    const ended = await world.use(endAdaptation)(run, null, NOW);

    const { changed = 0, kept: own = 0 } = ended.counts ?? {};
    expect([own, changed < 101, changed + own > 101]).toEqual([20, true, true]);
    expect(ended).toMatchObject({ status: 'succeeded', settled_credits: 1 });
  });

  test('an adaptation by a pilot bills all its own rows where rows that it takes over lack a pair', async () => {
    piloted = await seedQuestions(world, 320);
    const body = { arms: [{ training_type: 'preference_pairs' }], sample_rows: 200 };
    const { context } = await piloting({ adapt: pairedUpTo(50) }, body);
    const { body: quote } = await ask({ pilot_id: context.run_id, pilot_arm: 1 });
    expect(quote.estimatedCreditsConsumed).toBe(2);

    const run = { ...context, run_id: quote.run_id ?? '' };
    await workOn(run, (row) => ({ ...resultOf(row), ...pairedUpTo(320)(1, row) }));
    await world.use(assembleRun)(run, NOW);
    const ended = await world.use(endAdaptation)(run, null, NOW);

    expect(ended).toMatchObject({ status: 'succeeded', settled_credits: 2, counts: { kept: 320 } });
    const report = JSON.parse(world.objects.text(objectKeys.report(run.run_id)));
    expect(report).toMatchObject({ reused: 200, pairs: 170 });
  });

  test('an adaptation by a pilot takes rows over once: the next run of the pilot pays for all of them', async () => {
    const { context } = await piloting({ adapt: () => kept }, { arms: ARMS, sample_rows: 60 });
    const body = { pilot_id: context.run_id, pilot_arm: 1 };
    const { body: first } = await ask(body);
    expect(first.estimatedCreditsConsumed).toBe(0);
    const { dataset_id } = piloted.dataset;
    await world.endRun({
      dataset_id,
      run_id: first.run_id ?? '',
      error: null,
      billedCredits: 0,
      now: NOW,
    });

    const { body: second } = await ask({ ...body, estimate: true });

    expect(second.estimatedCreditsConsumed).toBe(1);
    expect(second.notes?.join(' ')).toContain('takes over no rows');
    await ask(body);
    const { body: listed } = await world.call(listVersions, { as: piloted.caller, params: { dataset_id } });
    expect(listed.versions.map(({ made_by, pilot_id }) => [made_by, pilot_id])).toEqual([
      ['adapt', context.run_id],
      ['adapt', context.run_id],
    ]);
  });

  test('an adaptation by a pilot is refused once rows were appended to the dataset of the pilot', async () => {
    const { context } = await piloting({ adapt: () => kept });
    const { dataset_id } = piloted.dataset;
    const { body } = await world.call(appendRows, {
      as: piloted.caller,
      params: { dataset_id },
      body: { rows: [{ question: 'how do i answer this', answer: 'just answer it' }] },
    });
    await landAppend(world, dataset_id, body.append_id);

    const { problem } = await ask({ pilot_id: context.run_id, pilot_arm: 1 });

    expect([problem.statusCode, problem.code]).toEqual([409, 'pilot_outdated']);
  });

  test('an adaptation by a pilot has no estimate once rows were appended to the dataset of the pilot', async () => {
    const { context } = await piloting({ adapt: () => kept });
    const { dataset_id } = piloted.dataset;
    const estimate = () => ask({ pilot_id: context.run_id, pilot_arm: 1, estimate: true });
    expect((await estimate()).status).toBe(200);
    const { body } = await world.call(appendRows, {
      as: piloted.caller,
      params: { dataset_id },
      body: { rows: [{ question: 'how do i answer this', answer: 'just answer it' }] },
    });
    await landAppend(world, dataset_id, body.append_id);

    const { problem } = await estimate();

    expect([problem.statusCode, problem.code]).toEqual([409, 'pilot_outdated']);
  });

  test('an adaptation by a pilot by an arm that drops repeated rows takes over none, and leaves them to the next run', async () => {
    const { context } = await piloting(
      { adapt: () => kept },
      {
        arms: [
          { recipe_specification: { recipes: { deduplication: true } } },
          { brand_controls: { length: 'concise' } },
        ],
        sample_rows: 60,
      },
    );
    const { body: first } = await ask({ pilot_id: context.run_id, pilot_arm: 1 });
    await world.endRun({
      dataset_id: piloted.dataset.dataset_id,
      run_id: first.run_id ?? '',
      error: null,
      billedCredits: 0,
      now: NOW,
    });

    const { body: second } = await ask({ pilot_id: context.run_id, pilot_arm: 2, estimate: true });

    expect(first.estimatedCreditsConsumed).toBe(1);
    expect(second.estimatedCreditsConsumed).toBe(0);
  });

  test('an adaptation by a pilot ends where the rows that it does not pay for are gone', async () => {
    const { context } = await piloting({ adapt: () => kept });
    const { body } = await ask({ pilot_id: context.run_id, pilot_arm: 1 });
    await world.objects.remove([objectKeys.pilotResults(context.run_id, 1)]);

    await expect(world.use(planAdaptation)({ ...context, run_id: body.run_id ?? '' })).rejects.toMatchObject({
      code: 'run_interrupted',
    });
  });

  test('an adaptation by a pilot runs the arm that is named where none is recommended', async () => {
    const { context } = await piloting({ adapt: () => kept });

    expect((await ask({ pilot_id: context.run_id, estimate: true })).problem?.code).toBe(
      'pilot_without_winner',
    );
    expect((await ask({ pilot_id: context.run_id, pilot_arm: 9 })).problem?.code).toBe('invalid_request');
    const { body } = await ask({ pilot_id: context.run_id, pilot_arm: 2 });
    const request = JSON.parse(world.objects.text(objectKeys.runRequest(body.run_id ?? '')));
    expect(request.specification.length).toBe('concise');
  });

  test('an adaptation by a pilot cannot say what the arm says, nor name an arm without its pilot', async () => {
    const { context } = await piloting({ adapt: () => kept });

    const double = await ask({ pilot_id: context.run_id, pilot_arm: 1, training_type: 'preference_pairs' });
    expect(double.problem).toMatchObject({ code: 'invalid_request', details: [{ path: 'training_type' }] });
    expect((await ask({ pilot_arm: 1 })).problem?.details).toMatchObject([{ path: 'pilot_arm' }]);
  });

  test('an adaptation by a pilot is refused after the dataset changed, while the pilot runs, and for the pilot of another dataset', async () => {
    const running = await startPilot(world, piloted, { arms: ARMS });
    expect((await ask({ pilot_id: running.run_id })).problem?.code).toBe('pilot_running');
    const other = await seedQuestions(world);
    const foreign = await startPilot(world, other, { arms: ARMS });
    expect((await ask({ pilot_id: foreign.run_id })).problem?.code).toBe('pilot_not_found');

    await runPilot(world, running, { adapt: () => kept });
    await endPilotNow(world, running);
    const { dataset_id: id } = piloted.dataset;
    const stored = JSON.parse(world.objects.text(objectKeys.runRequest(running.run_id)));
    await world.objects.write(
      objectKeys.runRequest(running.run_id),
      JSON.stringify({ ...stored, fingerprint: 'of other rows' }),
      'application/json',
    );
    expect(id).toBe(running.dataset_id);
    expect((await ask({ pilot_id: running.run_id, pilot_arm: 1 })).problem?.code).toBe('pilot_outdated');
  });

  test('an adaptation by a pilot answers a repeated key as it did', async () => {
    const { context } = await piloting({ adapt: () => kept });
    const body = {
      pilot_id: context.run_id,
      pilot_arm: 1,
      job_specification: { idempotency_key: 'again' },
    };

    const first = await ask(body);
    const second = await ask(body);

    expect(second.body).toEqual(first.body);
    expect((await ask({ ...body, pilot_arm: 2 })).problem?.code).toBe('idempotency_mismatch');
  });
});
