import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { type GenerateRequest, type ModelClient, ModelError } from '#shared/models/decide/port.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { unbilled } from '#shared/platform/wire.ts';
import type { PairKind } from '#shared/runs/schema/pair-kind.ts';
import type { AttemptContext, ComparePlan, RunContext } from '#shared/runs/schema/run-context.ts';
import { augmentTraining } from '#shared/training/augment-training.ts';
import { assembleIteration, compareAnswers, planComparison } from '#shared/training/compare-iteration.ts';
import { attemptSecret } from '#shared/training/decide/attempt-secret.ts';
import { recommendStages } from '#shared/training/decide/recommend-hyperparams.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { toTrainingRun } from '#shared/training/decide/record.ts';
import { modelOf } from '#shared/training/decide/resolve.ts';
import { endTraining } from '#shared/training/end-training.ts';
import { prepareTraining } from '#shared/training/prepare-training.ts';
import { proposeHyperparams } from '#shared/training/propose-hyperparams.ts';
import { queueAttempt } from '#shared/training/queue-attempt.ts';
import type { HeldOutAnswer, TrainerReport, TrainingJob } from '#shared/training/schema/training-job.ts';
import { IterationOutcome } from '#shared/training/schema/training-outcome.ts';
import { startTrainingAugmentation } from '#shared/training/start-training-augmentation.ts';
import { watchTrainers } from '#shared/training/watch-trainers.ts';
import { linesOf } from '#test/helpers/active-run.ts';
import { calibrationOf } from '#test/helpers/calibrations.ts';
import { seedRows } from '#test/helpers/combining.ts';
import { iterateComparison } from '#test/helpers/comparing.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import { deliverIteration, queueIteration } from '#test/helpers/iterating.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { endTrainingNow, launchTraining, seedTrainable } from '#test/helpers/training.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const HELD_OUT = 20;
const MINUTE = 60_000;

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
let training: TrainingRecord;
let context: RunContext;
let sent: object[];
let failed: { token: string; error: string }[];

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
  dataset = await seedTrainable(world, owner);
  await begin();
});

async function begin(fields: Partial<TrainingRecord> = {}): Promise<void> {
  training = await launchTraining(world, dataset, fields);
  context = {
    run_id: training.experiment_id,
    dataset_id: dataset.dataset_id,
    team_id: dataset.team_id,
  };
  sent = [];
  failed = [];
}

const ports = () => ({ ...world.store, objects: world.objects });
const tokens = {
  fail: async (token: string, error: string) => {
    failed.push({ token, error });
    return true;
  },
};
const attemptOf = (iteration: number, attempt = 1): AttemptContext => ({ ...context, iteration, attempt });
const read = async () => {
  const found = await world.store.trainings.find(dataset.team_id, context.run_id);
  if (found === null) throw new Error('The training is gone.');
  return found;
};
const outcomeOf = (iteration: number) =>
  IterationOutcome.parse(
    JSON.parse(world.objects.text(objectKeys.iterationOutcome(context.run_id, iteration))),
  );

/** Prepares, proposes and queues; answers the job of the attempt. */
const queueNext = (attempt = 1, now = NOW): Promise<TrainingJob> =>
  queueIteration(world, context, {
    attempt,
    now,
    send: (message) => void sent.push(message),
    fail: (token, error) => void failed.push({ token, error }),
  });

/** What a trainer leaves that won on `wins` of the rows that are held out. */
const deliver = (job: TrainingJob, wins: number, changes: Partial<TrainerReport> = {}): Promise<void> =>
  deliverIteration(world, job, wins, changes);

/** An iteration without a judge. */
async function iterate(wins: number, changes: Partial<TrainerReport> = {}): Promise<boolean> {
  const job = await queueNext();
  await deliver(job, wins, changes);
  return (await assembleIteration({ ...ports(), judgeId: null }, attemptOf(job.iteration), null)).goes_on;
}

const finish = (error: Parameters<typeof endTraining>[2] = null) =>
  endTraining({ ...ports(), endRun: world.endRun }, context, error, NOW);

test('preparing holds out of sixty rows twenty, and trains on all others', async () => {
  const job = await queueNext();

  const rowsOf = (key: string) =>
    linesOf(world.objects.text(key)).map((line) => JSON.parse(line).row as number);
  const trained = job.data.train_keys.flatMap(rowsOf);
  const held = rowsOf(job.data.held_out_key);
  expect(held).toHaveLength(HELD_OUT);
  expect(job.data).toMatchObject({ train_rows: 40, held_out_rows: HELD_OUT });
  expect([...trained, ...held].sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n));
});

test('the answers to rows with reasoning traces have room for these', async () => {
  dataset = await seedTrainable(world, owner);
  await begin();
  const plain = await queueNext();
  dataset = await seedTrainable(world, owner);
  await begin({ columns: { ...training.columns, reasoning_trace: 'thought' } });

  const reasoning = await queueNext();

  expect(reasoning.answer_tokens_max - plain.answer_tokens_max).toBe(512);
});

test('preparing trains on no row that is the same as one that is held out', async () => {
  const twice = await seedTrainable(world, owner, 60);
  const manifest = JSON.parse(world.objects.text(objectKeys.manifest(twice.dataset_id)));
  const [chunk] = manifest.chunks as { key: string; row_count: number }[];
  const lines = linesOf(world.objects.text(chunk?.key ?? ''));
  const doubled = lines.map((_, n) => lines[Math.floor(n / 2)]);
  await world.objects.write(chunk?.key ?? '', doubled.map((line) => `${line}\n`).join(''), 'x');
  dataset = twice;
  await begin();

  const job = await queueNext();

  const textOf = (key: string) =>
    linesOf(world.objects.text(key)).map((line) => JSON.stringify(JSON.parse(line).messages));
  const held = new Set(textOf(job.data.held_out_key));
  expect(held.size).toBe(15);
  const trained = job.data.train_keys.flatMap(textOf);
  expect(trained.filter((text) => held.has(text))).toEqual([]);
  expect(trained).toHaveLength(30);
});

test.each([
  ['rows without an answer', (n: number) => ({ question: `q${n % 60}`, answer: n < 60 ? `a${n}` : '' })],
  ['rows that repeat others', (n: number) => ({ question: `q${n % 60}`, answer: `a${n % 60}` })],
])('preparing a dataset with %s holds out the same rows as of the others alone', async (_, rowOf) => {
  const prompts = async (rows: readonly object[]): Promise<string[]> => {
    const lines = rows.map((row) => JSON.stringify(row));
    dataset = await seedRows(world, owner, { question: 'VARCHAR', answer: 'VARCHAR' }, lines);
    await begin({ source_rows: rows.length });
    const { data } = await queueNext();
    return linesOf(world.objects.text(data.held_out_key)).map((line) => JSON.parse(line).messages[0].content);
  };
  const rows = Array.from({ length: 600 }, (_, n) => rowOf(n));

  const alone = await prompts(rows.slice(0, 60));

  expect(alone).toHaveLength(HELD_OUT);
  expect((await prompts(rows)).sort()).toEqual(alone.sort());
  const { split } = JSON.parse(world.objects.text(objectKeys.trainingData(context.run_id)));
  expect(split).toContain(`${HELD_OUT} of ${rows.filter(({ answer }) => answer !== '').length} rows`);
});

test('preparing derives the hyperparameters again where fewer rows can be used than the launch counted on', async () => {
  const lines = Array.from({ length: 600 }, (_, n) =>
    JSON.stringify({ question: `q${n}`, answer: n < 60 ? `a${n}` : '' }),
  );
  dataset = await seedRows(world, owner, { question: 'VARCHAR', answer: 'VARCHAR' }, lines);
  const launched = { source_rows: 600, overrides: { weight_decay: 0.1 } };
  await begin({ ...launched, effective_rows: 6000 });

  await prepareTraining(ports(), context);
  await prepareTraining(ports(), context);

  const prepared = await read();
  const recommended = recommendStages(modelOf(training), 'instruction', 60, { weight_decay: 0.1 });
  expect(prepared).toMatchObject({ effective_rows: 60, recommended });
  expect(recommended).not.toEqual(
    recommendStages(modelOf(training), 'instruction', 6000, { weight_decay: 0.1 }),
  );
  const again = '60 could be used, where the launch counted on 6000';
  expect(prepared.explanation.filter((sentence) => sentence.includes(again))).toHaveLength(1);

  await endTrainingNow(world, prepared, { error: 'run_cancelled' });
  await begin({ ...launched, effective_rows: 60 });
  await prepareTraining(ports(), context);
  expect(await read()).toMatchObject({
    recommended: training.recommended,
    explanation: training.explanation,
  });
});

test('preparing keeps the rank of the launch where the caller gave an alpha, which was held against it', async () => {
  const model = modelOf(training);
  const overrides = { lora_alpha: 64 };
  const recommended = recommendStages(model, 'instruction', 6000, overrides);
  const rank = recommended[0]?.hyperparams.lora_r;
  expect(recommendStages(model, 'instruction', 60, overrides)[0]?.hyperparams.lora_r).not.toBe(rank);
  await endTrainingNow(world, training, { error: 'run_cancelled' });
  await begin({ overrides, effective_rows: 6000, recommended });

  await prepareTraining(ports(), context);

  expect((await read()).recommended[0]?.hyperparams).toMatchObject({ lora_r: rank, lora_alpha: 64 });
});

test('preparing refuses a dataset of which too few rows make examples, naming the minimum and why', async () => {
  const manifest = JSON.parse(world.objects.text(objectKeys.manifest(dataset.dataset_id)));
  const key = manifest.chunks[0].key as string;
  const lines = linesOf(world.objects.text(key)).map((line, n) =>
    n < 30 ? JSON.stringify({ ...JSON.parse(line), answer: '' }) : line,
  );
  await world.objects.write(key, lines.map((line) => `${line}\n`).join(''), 'x');

  const refusal = prepareTraining(ports(), context);

  await expect(refusal).rejects.toThrow(ServiceError);
  await expect(refusal).rejects.toThrow(/needs at least 40 rows, and 30 .* \(30 have no completion\)/);
});

test('preparing refuses a dataset of which no row has a prompt, since no model of it could be compared', async () => {
  const manifest = JSON.parse(world.objects.text(objectKeys.manifest(dataset.dataset_id)));
  const key = manifest.chunks[0].key as string;
  const lines = linesOf(world.objects.text(key)).map((line) => ({ ...JSON.parse(line), question: ' ' }));
  await world.objects.write(key, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), 'x');

  await expect(prepareTraining(ports(), context)).rejects.toThrow(
    'too few different rows of the dataset have a prompt',
  );
});

describe('an attempt', () => {
  /** The message of an attempt, without a proposal before it. */
  const queue = (iteration: number, attempt: number) =>
    queueAttempt(
      {
        ...ports(),
        queue: { send: async () => void sent.push({}) },
        tokens,
        bucket: 'bucket',
        lender: 'lender',
      },
      { ...attemptOf(iteration, attempt), task_token: `token-${iteration}-${attempt}` },
      NOW,
    );

  test('an attempt is told where earlier ones left off, and revokes them', async () => {
    await queueNext();
    const second = await queueNext(2);

    expect(second.resume_prefixes).toEqual([objectKeys.trainerOutput(context.run_id, 1, 1)]);
    const first = await world.store.trainings.findAttempt({ ...attemptOf(1), experiment_id: context.run_id });
    expect(first?.state).toBe('revoked');
    expect((await read()).attempt).toMatchObject({ iteration: 1, attempt: 2 });
    expect(sent).toEqual(
      [1, 2].map((attempt) => ({
        bucket: 'bucket',
        job_key: objectKeys.trainingJob(context.run_id, 1, attempt),
        lender: 'lender',
        secret: attemptSecret(`token-1-${attempt}`),
      })),
    );
  });

  test('an attempt of a training that has ended is not queued, and who waits for it is told', async () => {
    await prepareTraining(ports(), context);
    await proposeHyperparams(ports(), context);
    await world.endRun({ ...context, error: null, billedCredits: 0, now: NOW });

    expect(await queue(1, 1)).toEqual({ is_queued: false });
    expect(failed).toEqual([{ token: 'token-1-1', error: 'run_interrupted' }]);
    expect(sent).toEqual([]);
  });

  test('an attempt whose message is delivered again does not take the place of a newer one', async () => {
    const first = { ...attemptOf(1), experiment_id: context.run_id };
    await queueNext(1);
    const second = await queueNext(2);
    failed = [];

    await queueNext(1);

    expect((await read()).attempt).toMatchObject({ iteration: 1, attempt: 2 });
    expect(await world.store.trainings.isCurrent({ ...first, attempt: 2 })).toBe(true);
    expect(failed).toEqual([{ token: 'token-1-1', error: 'run_interrupted' }]);
    expect(sent).toHaveLength(2);

    await queueNext(2);
    expect((await read()).attempt).toMatchObject({ iteration: 1, attempt: 2 });
    await deliver(second, 4);
    await assembleIteration({ ...ports(), judgeId: null }, attemptOf(1, 2), null);
    await queue(1, 2);
    expect((await read()).attempt).toBeNull();
  });
});

describe('watching', () => {
  const watch = (now: number) => watchTrainers({ ...ports(), tokens }, now);

  test('watching gives up what no trainer has claimed in six hours, and not before', async () => {
    await queueNext();

    expect((await watch(NOW + 359 * MINUTE)).givenUp).toEqual([]);
    expect((await watch(NOW + 361 * MINUTE)).givenUp).toEqual([
      { experiment_id: context.run_id, iteration: 1, attempt: 1, error: 'trainer_never_started' },
    ]);
    expect(failed).toEqual([{ token: 'token-1-1', error: 'trainer_never_started' }]);
  });

  test('watching tells of a silent trainer again, where whoever revoked it did not get to', async () => {
    await queueNext();
    await world.store.trainings.revokeAttempt({ ...attemptOf(1), experiment_id: context.run_id });

    expect((await watch(NOW + 2 * MINUTE)).givenUp).toEqual([]);
    await watch(NOW + 4 * MINUTE);

    expect(failed).toEqual([{ token: 'token-1-1', error: 'trainer_lost' }]);
  });

  test('watching does not stop at an attempt that it cannot look at', async () => {
    const job = await queueNext();
    await world.objects.remove([objectKeys.trainingJob(job.experiment_id, 1, 1)]);
    dataset = await seedTrainable(world, owner);
    await begin();
    await queueNext();

    const { givenUp, failures } = await watch(NOW + 361 * MINUTE);

    expect(failures).toHaveLength(1);
    expect(givenUp).toHaveLength(1);
  });
});

test('an iteration ends the loop at the target, and not below it', async () => {
  expect(await iterate(13)).toBe(true);
  expect(await iterate(14)).toBe(false);
  expect(await read()).toMatchObject({ iterations_completed: 2, best: { iteration: 2, win_rate: 0.7 } });
});

test('an iteration ends the loop as the last of those that are allowed', async () => {
  await world.endRun({ ...context, error: null, billedCredits: 0, now: NOW });
  await begin({ max_iterations: 1 });

  expect(await iterate(2)).toBe(false);
});

test('an iteration is told with who compared the answers', async () => {
  await iterate(8);

  expect(toTrainingRun(await read())).toMatchObject({
    iterations_completed: 1,
    best_win_rate: 0.4,
    best_win_rate_method: 'likelihood',
  });
});

test('an iteration that was concluded is not concluded again', async () => {
  const job = await queueNext();
  await deliver(job, 4);
  await assembleIteration({ ...ports(), judgeId: null }, attemptOf(1), null);
  await deliver(job, 20);

  expect(await assembleIteration({ ...ports(), judgeId: null }, attemptOf(1), null)).toEqual({
    goes_on: true,
  });
  expect((await read()).best?.win_rate).toBe(0.2);
});

test('an iteration that is worse than an earlier one does not take its place', async () => {
  await iterate(8);
  await iterate(4);

  expect((await read()).best).toMatchObject({ iteration: 1, win_rate: 0.4 });
});

test.each<[string, Partial<TrainerReport>]>([
  ['an artifact of another attempt', { artifact_key: 'trainings/other/artifact.tar.gz' }],
  ['answers that are not there', { answers_key: null }],
  [
    'a number of steps that is none',
    { stages: [{ method: 'sft', steps: -1, seconds: 0, train_loss: [], held_out_loss: [] }] },
  ],
  ['no size', { artifact_bytes: 0 }],
])('an iteration is not believed where its report names %s', async (_, changes) => {
  await world.objects.write('trainings/other/artifact.tar.gz', 'of another attempt', 'x');
  expect(await iterate(20, changes)).toBe(true);

  expect(outcomeOf(1)).toMatchObject({ status: 'failed', win_rate: null });
  expect(toTrainingRun(await read())).toMatchObject({
    iterations_completed: 0,
    best_hyperparams: null,
    best_win_rate_method: null,
  });
  expect((await read()).best).toBeNull();
});

test('an iteration is not believed where it left out a row that is held out', async () => {
  const job = await queueNext();
  await deliver(job, HELD_OUT);
  const key = `${job.output_prefix}answers.jsonl`;
  const [, ...others] = linesOf(world.objects.text(key));
  await world.objects.write(key, others.map((line) => `${line}\n`).join(''), 'x');

  await assembleIteration({ ...ports(), judgeId: null }, attemptOf(1), null);

  expect(outcomeOf(1)).toMatchObject({ status: 'failed', win_rate: null });
  expect(outcomeOf(1).reason).toContain('did not answer each of the 20 held-out rows');
});

test.each([
  ['an empty report', 'report.json', '', 'left no report'],
  ['a report of more than 8 MB', 'report.json', ' '.repeat(8_000_001), 'report of the trainer is too large'],
  [
    'answers of more than 64 MB',
    'answers.jsonl',
    ' '.repeat(64_000_001),
    'answers of the trainer are too large',
  ],
  ['answers that are no JSON', 'answers.jsonl', 'x', 'it is not JSON'],
])('an iteration is not believed where its trainer left %s', async (_, name, body, reason) => {
  const job = await queueNext();
  await deliver(job, HELD_OUT);
  await world.objects.write(`${job.output_prefix}${name}`, body, 'x');

  await assembleIteration({ ...ports(), judgeId: null }, attemptOf(1), null);

  expect(outcomeOf(1)).toMatchObject({ status: 'failed', win_rate: null });
  expect(outcomeOf(1).reason).toContain(reason);
});

test.each([
  ['answers', 'answers.jsonl'],
  ['artifact', 'artifact.tar.gz'],
])('an iteration is not believed where its trainer left no %s', async (what, name) => {
  const job = await queueNext();
  await deliver(job, HELD_OUT);
  await world.objects.remove([`${job.output_prefix}${name}`]);

  await assembleIteration({ ...ports(), judgeId: null }, attemptOf(1), null);

  expect(outcomeOf(1)).toMatchObject({ status: 'failed', win_rate: null });
  expect(outcomeOf(1).reason).toContain(`left no ${what} of this attempt`);
});

test('an iteration whose report is as large as one may be is believed', async () => {
  const job = await queueNext();
  await deliver(job, HELD_OUT);
  const key = `${job.output_prefix}report.json`;
  await world.objects.write(key, world.objects.text(key).padEnd(8_000_000), 'x');

  await assembleIteration({ ...ports(), judgeId: null }, attemptOf(1), null);

  expect(outcomeOf(1)).toMatchObject({ status: 'completed' });
});

test('an iteration that no trainer could do ends the loop', async () => {
  await queueNext();
  const error = { code: 'trainer_refused', message: 'It does not fit.', level: 'error' } as const;

  const { goes_on } = await assembleIteration({ ...ports(), judgeId: null }, attemptOf(1), error);

  expect(goes_on).toBe(false);
  expect(outcomeOf(1)).toMatchObject({ status: 'failed', reason: 'It does not fit.' });
});

describe('a judge', () => {
  const asked: GenerateRequest[] = [];
  /** Finds what says "better" better, and what says "worse" worse. */
  const judge: ModelClient = {
    modelId: 'judge',
    generate: async (request) => {
      asked.push(request);
      const text = request.messages.at(-1)?.content ?? '';
      const [better, worse, plain] = ['better ', 'worse ', 'plain '].map((word) => text.lastIndexOf(word));
      const first = Math.min(
        ...([better, worse, plain].filter((at) => at !== undefined && at >= 0) as number[]),
      );
      const isTunedFirst = first !== plain;
      const winner = (better ?? -1) >= 0 === isTunedFirst ? 'A' : 'B';
      return {
        text: `{"winner": "${winner}"}`,
        finishReason: 'stop',
        usage: { input_tokens: 1, output_tokens: 1 },
      };
    },
  };

  /** The plan of a comparison by a judge that was found right about these kinds of pairs. */
  const planned = (judgeId: string, believed?: readonly PairKind[]) => {
    const calibrations = { findCalibration: async () => calibrationOf(judgeId, believed) };
    return planComparison({ ...ports(), calibrations, judgeId, modelConcurrency: 2 }, attemptOf(1));
  };

  const compare = (by: ModelClient, part: string) => {
    const clock = createFastClock(10);
    return compareAnswers(
      {
        objects: world.objects,
        judge: by,
        callsPerWorker: 2,
        outageSecondsMax: 60,
        clock,
        random: () => 0.5,
        unbilled: world.use(unbilled),
      },
      JSON.parse(part) as ComparePlan,
      { deadlineMs: clock.now() + 900_000, attempt: 'a' },
    );
  };

  test('a judge that is trusted compares all rows, blind, and its word is the win rate', async () => {
    const job = await queueNext();
    await deliver(job, 16);
    const plan = await planned('judge');
    for (const part of linesOf(world.objects.text(plan.plan_key ?? ''))) await compare(judge, part);

    await assembleIteration({ ...ports(), judgeId: 'judge' }, attemptOf(1), null);

    expect(asked).toHaveLength(2 * HELD_OUT);
    // A training is free: what its judge reads and writes is bounded by the hour.
    const { team_id } = JSON.parse(linesOf(world.objects.text(plan.plan_key ?? ''))[0] ?? '') as ComparePlan;
    expect(await world.use(unbilled).used(team_id, Date.now())).toBe(2 * 2 * HELD_OUT);
    const { win_rate, likelihood, likelihood_reason } = outcomeOf(1);
    expect(win_rate).toMatchObject({ method: 'judge', judge: 'judge', value: 0.8, n: HELD_OUT });
    expect(likelihood).toMatchObject({ method: 'likelihood', value: 0.8 });
    expect(likelihood_reason).toBeNull();
  });

  test('a tuned answer whose reasoning did not end loses without a call of the judge, and one of the base decides nothing', async () => {
    const silent = (row: number): string => (row % 2 === 0 ? ' ' : 'plain');
    await deliverIteration(world, await queueNext(), 16, {}, (won, row) => ({
      base: silent(row),
      tuned: won ? 'better ' : '',
    }));
    const plan = await planned('judge');
    asked.length = 0;
    const [part = ''] = linesOf(world.objects.text(plan.plan_key ?? ''));
    await compare(judge, part);

    const { run_id, iteration, n, sample_key } = JSON.parse(part) as ComparePlan;
    const read = (key: string) => linesOf(world.objects.text(key)).map((line) => JSON.parse(line));
    const verdicts = read(objectKeys.comparisonVerdicts(run_id, iteration, n));
    const answers = read(sample_key) as HeldOutAnswer[];
    for (const [at, { base, tuned }] of answers.entries()) {
      const [isBaseSilent, isTunedSilent] = [base, tuned].map(({ answer }) => answer.trim() === '');
      if (!isBaseSilent && !isTunedSilent) continue;
      const expected = isBaseSilent ? 'undecided' : 'loss';
      expect(verdicts[at]).toMatchObject({ dataset_row: answers[at]?.row, verdict: expected });
    }
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(expect.arrayContaining(['loss', 'undecided']));
    expect(answers.some(({ base, tuned }) => base.answer === ' ' && tuned.answer !== '')).toBe(true);
    const both = answers.filter(({ base, tuned }) => base.answer !== ' ' && tuned.answer !== '');
    expect(asked).toHaveLength(2 * both.length);
  });

  test('a judge that no longer answers leaves likelihoods to decide, and the outcome says so', async () => {
    await deliver(await queueNext(), 16);
    const plan = await planned('judge');
    const silent: ModelClient = {
      modelId: 'judge',
      generate: async () => {
        throw new ModelError('unavailable', 'It is gone.');
      },
    };
    const [part = ''] = linesOf(world.objects.text(plan.plan_key ?? ''));

    await expect(compare(silent, part)).rejects.toMatchObject({ code: 'model_unavailable' });
    await assembleIteration({ ...ports(), judgeId: 'judge' }, attemptOf(1), null);

    expect(outcomeOf(1)).toMatchObject({
      status: 'completed',
      reason: null,
      win_rate: { method: 'likelihood', value: 0.8 },
      likelihood_reason: 'The judge judge stopped answering: 1 of 1 parts of the answers were not compared.',
    });
  });

  test('a judge without a readable verdict leaves likelihoods to decide, and the outcome says so', async () => {
    await deliver(await queueNext(), 16);
    const plan = await planned('judge');
    const babbling: ModelClient = {
      modelId: 'judge',
      generate: async () => ({
        text: 'Both are fine.',
        finishReason: 'stop',
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    };
    for (const part of linesOf(world.objects.text(plan.plan_key ?? ''))) await compare(babbling, part);

    await assembleIteration({ ...ports(), judgeId: 'judge' }, attemptOf(1), null);

    const { win_rate, likelihood_reason } = outcomeOf(1);
    expect(win_rate?.method).toBe('likelihood');
    expect(likelihood_reason).toBe('The judge judge gave 0 verdicts that could be read, of 20 rows.');
  });

  test('a judge that is believed for no pair of the answers is not asked, and the outcome says so', async () => {
    await deliver(await queueNext(), 16);
    const before = asked.length;
    const plan = await planned('judge', ['code']);
    for (const part of linesOf(world.objects.text(plan.plan_key ?? ''))) await compare(judge, part);

    await assembleIteration({ ...ports(), judgeId: 'judge' }, attemptOf(1), null);

    expect(asked).toHaveLength(before);
    expect(outcomeOf(1)).toMatchObject({
      win_rate: { method: 'likelihood' },
      likelihood_reason:
        'The judge judge decided 0 of 20 rows: of the others, 20 are of a kind that it is not believed for, or without an answer of the base model.',
    });
  });

  test('a judge that there is none of is what the outcome says', async () => {
    await iterate(16);

    expect(outcomeOf(1).likelihood_reason).toBe('The installation has no judge.');
  });

  test.each([
    ['is believed for no kind of pair', 'judge', []],
    ['is the model that is trained', 'HuggingFaceTB/SmolLM2-135M-Instruct', undefined],
  ])('a judge that %s is not asked, and the outcome says so', async (reason, judgeId, believed) => {
    await deliver(await queueNext(), 16);

    expect((await planned(judgeId, believed)).plan_key).toBeNull();

    await assembleIteration({ ...ports(), judgeId }, attemptOf(1), null);
    expect(outcomeOf(1).likelihood_reason).toBe(`The judge ${judgeId} ${reason}.`);
  });
});

test('finishing gives out the best artifact with the report in it, and drops what is of no use any more', async () => {
  await iterate(16);
  const checkpoint = `${objectKeys.trainerOutput(context.run_id, 1, 1)}checkpoints/1.tar`;
  await world.objects.write(checkpoint, 'x', 'x');

  expect(await finish()).toEqual({ status: 'succeeded' });

  const key = objectKeys.trainingArtifact(context.run_id);
  const tar = gunzipSync((await world.objects.read(key)) ?? Buffer.alloc(0)).toString('latin1');
  expect(tar).toContain('run_report.json');
  expect(tar).toContain('adapter_config.json');
  const { best, status } = await read();
  expect({ status, key: best?.artifact_key }).toEqual({ status: 'succeeded', key });
  expect(best?.artifact_bytes).toBe((await world.objects.head(key))?.bytes);
  expect(world.objects.keys().filter((each) => each.includes('checkpoints/1.tar'))).toEqual([]);
});

test('finishing succeeds with what there is where a later iteration could not be done', async () => {
  await iterate(8);

  expect(await finish({ code: 'trainer_lost', message: 'It fell silent.', level: 'error' })).toEqual({
    status: 'succeeded',
  });

  const report = JSON.parse(world.objects.text(objectKeys.trainingReport(context.run_id)));
  expect(report.stopped_because).toContain('It fell silent.');
});

test('finishing fails with the reasons where there is no model', async () => {
  await iterate(20, { outcome: 'diverged', reason: 'The loss was not a number.' });

  expect(await finish()).toEqual({ status: 'failed' });
  expect((await read()).error).toContain('iteration 1: The loss was not a number.');
});

test('finishing twice changes nothing', async () => {
  await iterate(16);
  await finish();
  const before = await read();

  expect(await finish({ code: 'run_interrupted', message: 'x', level: 'error' })).toEqual({
    status: 'succeeded',
  });
  expect(await read()).toEqual(before);
});

/** What Step Functions does where the answer of a task is lost. */
describe('a repeated task', () => {
  const lost: ErrorData = { code: 'trainer_lost', message: 'It fell silent.', level: 'error' };
  const concludes = (error: ErrorData | null) => () =>
    assembleIteration({ ...ports(), judgeId: null }, attemptOf(1), error);
  const delivered = async (wins: number) => deliver(await queueNext(), wins);
  const calibrations = { findCalibration: async () => calibrationOf('judge') };

  test.each<[string, () => Promise<unknown>, () => Promise<object>]>([
    [
      'augment-training',
      async () => {
        await world.endRun({ ...context, error: null, billedCredits: 0, now: NOW });
        await begin({ augmentation_domain_rows: 20 });
      },
      () => {
        const { executions, endRun } = world;
        const start = (asking: TrainingRecord, now: number) =>
          startTrainingAugmentation(
            { ...ports(), executions, endRun, clock: { now: () => NOW } },
            asking,
            now,
          );
        return augmentTraining({ ...world.store, start }, context, NOW);
      },
    ],
    [
      'prepare-training',
      async () => {},
      async () => {
        await prepareTraining(ports(), context);
        return JSON.parse(world.objects.text(objectKeys.trainingData(context.run_id)));
      },
    ],
    [
      'propose-hyperparams',
      () => prepareTraining(ports(), context),
      async () => ({
        ...(await proposeHyperparams(ports(), context)),
        proposal: world.objects.text(objectKeys.proposal(context.run_id, 1)),
      }),
    ],
    [
      'plan-comparison',
      () => delivered(16),
      () => planComparison({ ...ports(), calibrations, judgeId: 'judge', modelConcurrency: 2 }, attemptOf(1)),
    ],
    ['conclude-iteration, below the target', () => delivered(4), concludes(null)],
    ['conclude-iteration, at the target', () => delivered(16), concludes(null)],
    ['conclude-iteration, with an error', () => queueNext(3), concludes(lost)],
    ['finish-training', () => iterate(16), () => finish()],
    ['finish-training, with an error and a model', () => iterate(4), () => finish(lost)],
    ['finish-training, with an error and no model', queueNext, () => finish(lost)],
  ])('a repeated task answers as the first time, and changes nothing: %s', async (_, arrange, perform) => {
    await arrange();
    const first = await perform();
    const after = await read();

    expect(await perform()).toEqual(first);
    expect(await read()).toEqual(after);
  });
});

test('a model that likelihoods prefer replaces none that a judge preferred, and ends no loop', async () => {
  dataset = await seedTrainable(world, owner);
  await begin({ target_win_rate: 0.7, max_iterations: 3 });
  await iterateComparison(world, context, { wins: 14, judged: (_, row) => (row < 13 ? 'win' : 'loss') });

  const { goesOn } = await iterateComparison(world, context, { wins: 16, judged: () => 'lost' });

  expect(goesOn).toBe(true);
  expect((await read()).best).toMatchObject({ iteration: 1, win_rate: 0.65, method: 'judge' });
});
