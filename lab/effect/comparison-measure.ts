import { appendFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import * as z from 'zod';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { assembleIteration, planComparison } from '#shared/training/compare-iteration.ts';
import { shownComparison } from '#shared/training/decide/comparison.ts';
import { prepareTraining } from '#shared/training/prepare-training.ts';
import { proposeHyperparams } from '#shared/training/propose-hyperparams.ts';
import { queueAttempt } from '#shared/training/queue-attempt.ts';
import { readComparison } from '#shared/training/read-comparison.ts';
import { Comparison } from '#shared/training/schema/comparison.ts';
import { type TrainerReport, TrainingJob } from '#shared/training/schema/training-job.ts';
import type { Network } from '#trainer/embedded/network.ts';
import { type BaseModel, runJob } from '#trainer/embedded/run-job.ts';
import { type ComparedRows, comparedRows } from './comparison-rows.ts';
import { type ComparisonService, startComparison } from './comparison-service.ts';

/** A rate at which a few steps change what the model says. */
export const HYPERPARAMS = { batch_size: 4, learning_rate: 0.006, lora_r: 4, lora_alpha: 8 } as const;

export const COMPARED = ['noisy', 'equal', 'noisy-longer'] as const;
export type Compared = (typeof COMPARED)[number];

interface Case {
  readonly rows: ComparedRows;
  /** Passes over the 20 rows that are not held out, of five steps each. */
  readonly epochs: number;
  /** A comparison for each number, which has rows and a seed of its own. */
  readonly numbers: readonly number[];
}

export const CASES: Readonly<Record<Compared, Case>> = {
  noisy: { rows: 'noisy', epochs: 1, numbers: upTo(3) },
  equal: { rows: 'equal', epochs: 1, numbers: upTo(20) },
  // Of the rows that five steps leave undecided.
  'noisy-longer': { rows: 'noisy', epochs: 3, numbers: [3] },
};

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, place) => place + 1);
}

export const MeasuredComparison = z.object({
  dataset: z.enum(COMPARED),
  number: z.int(),
  seconds: z.number(),
  comparison: Comparison,
});
export type MeasuredComparison = z.infer<typeof MeasuredComparison>;

export interface ComparisonLab {
  /** The numbers of each case, where not all of `CASES`. */
  readonly numbers?: Partial<Readonly<Record<Compared, readonly number[]>>>;
  readonly model: BaseModel;
  readonly trainer: TrainerReport['trainer'];
  /** JSON Lines: a comparison that is in it is not measured again. */
  readonly file: string;
  readonly onProgress: (text: string) => void;
}

/** Trains the model on both sides of the rows of each case, and compares what came of them. */
export async function measureComparisons(lab: ComparisonLab): Promise<MeasuredComparison[]> {
  const measured = await readMeasured(lab.file);
  await mkdir(dirname(lab.file), { recursive: true });
  const model = remembering(lab.model);
  for (const dataset of COMPARED) {
    for (const number of lab.numbers?.[dataset] ?? CASES[dataset].numbers) {
      if (measured.some((each) => each.dataset === dataset && each.number === number)) continue;
      const started = performance.now();
      const comparison = await compare({ ...lab, model }, dataset, number);
      const each = { dataset, number, seconds: (performance.now() - started) / 1000, comparison };
      measured.push(each);
      await appendFile(lab.file, `${JSON.stringify(each)}\n`);
      const rate = comparison.win_rates.adapted_against_original;
      lab.onProgress(
        `${dataset} ${number}: ${rate?.value} (${rate?.interval95.join(' to ')}), ${Math.round(each.seconds)} s`,
      );
    }
  }
  return measured;
}

/** The comparisons of a file; none if it does not exist. */
export async function readMeasured(file: string): Promise<MeasuredComparison[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => MeasuredComparison.parse(JSON.parse(line)));
}

type Trainer = Pick<ComparisonLab, 'model' | 'trainer'>;

/** One comparison from its start to its result, by the operations that the state machine of a training calls. */
async function compare(trainer: Trainer, dataset: Compared, number: number): Promise<Comparison> {
  const { rows, epochs } = CASES[dataset];
  const service = await startComparison(
    comparedRows(rows, number),
    { seeds: 1, hyperparams: { ...HYPERPARAMS, n_epochs: epochs } },
    { runId: runIdOf(dataset, number), now: Date.now() },
  );
  const { context } = service;
  await prepareTraining(service, context);
  let goesOn = true;
  while (goesOn) goesOn = await iterate(service, trainer);
  const record = await service.trainings.find(context.team_id, context.run_id);
  const comparison = await readComparison(service, shownComparison(record));
  if (comparison.trainings_completed < comparison.trainings_total) {
    throw new Error(`A training of ${dataset} ${number} failed: ${comparison.trainings.at(-1)?.reason}`);
  }
  return comparison;
}

/** The seed of the trainings follows from this id. */
function runIdOf(dataset: Compared, number: number): string {
  const place = COMPARED.indexOf(dataset);
  return `00000000-0000-4000-8000-${String(place * 1000 + number).padStart(12, '0')}`;
}

async function iterate(service: ComparisonService, trainer: Trainer): Promise<boolean> {
  const { context, objects } = service;
  const { iteration } = await proposeHyperparams(service, context);
  const attempt = { ...context, iteration, attempt: 1 };
  const failures: string[] = [];
  await queueAttempt(
    {
      ...service,
      queue: { send: async () => {} },
      tokens: {
        fail: async (_, error, cause) => {
          failures.push(`${error}: ${cause}`);
          return true;
        },
      },
      bucket: 'memory',
      lender: 'none',
    },
    { ...attempt, task_token: 'none' },
    Date.now(),
  );
  if (failures.length > 0) throw new Error(failures.join('\n'));
  await train(service, trainer, objectKeys.trainingJob(context.run_id, iteration, 1));
  // Without a judge: that of the local installation is believed for no kind of pair, and so not asked.
  const judge = { judgeId: null, calibrations: { findCalibration: async () => null } };
  await planComparison({ ...service, ...judge, modelConcurrency: 1 }, attempt);
  const { goes_on } = await assembleIteration({ ...service, objects, ...judge }, attempt, null);
  return goes_on;
}

/** Trains as the process of the embedded trainer does. */
async function train(service: ComparisonService, { model, trainer }: Trainer, jobKey: string): Promise<void> {
  const { bucket } = service;
  const job = TrainingJob.parse(JSON.parse((await bucket.read(jobKey)).toString('utf8')));
  const folder = await mkdtemp(join(tmpdir(), 'tunesmith-comparison-'));
  try {
    const report = await runJob(job, {
      model,
      trainer,
      bucket,
      folder,
      onProgress: () => {},
      onCurveLost: (error) => {
        throw error;
      },
      breathe,
      now: () => performance.now(),
    });
    await bucket.write(
      `${job.output_prefix}report.json`,
      Buffer.from(JSON.stringify(report)),
      'application/json',
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * The same model, which does not compute again what it has computed: the answers and the likelihoods of the base are the
 * same for both sides, and those of an adapter are asked for its loss and for its report.
 */
function remembering(model: BaseModel): BaseModel {
  const { network } = model;
  rememberScores(network);
  let last: { readonly key: string; readonly answers: string[] } | null = null;
  return {
    ...model,
    answer: async (prompts, options) => {
      if (options.adapterPath !== undefined) return model.answer(prompts, options);
      const key = JSON.stringify([prompts, options.tokensMax]);
      if (last?.key !== key) last = { key, answers: await model.answer(prompts, options) };
      return last.answers;
    },
  };
}

function rememberScores(network: Network): void {
  const score = network.score.bind(network);
  const setFactors = network.setFactors.bind(network);
  type Scores = Map<string, Awaited<ReturnType<typeof score>>>;
  const ofBase: Scores = new Map();
  let known = ofBase;
  network.setFactors = (factors) => {
    // An adapter that has learned nothing adds nothing.
    const isBase = factors.every((layer) => Object.values(layer).every(({ b }) => b.every((x) => x === 0)));
    known = isBase ? ofBase : new Map();
    setFactors(factors);
  };
  network.score = async (pack) => {
    const key = [pack.tokens, pack.parents, pack.targetPlaces, pack.targets].join(';');
    const scored = known.get(key) ?? (await score(pack));
    known.set(key, scored);
    return scored;
  };
}
