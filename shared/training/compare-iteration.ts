import * as z from 'zod';
import { believedKinds, type CalibrationStore } from '#shared/judging/decide/calibration.ts';
import { comparePair } from '#shared/judging/decide/judge.ts';
import { pairKindOf } from '#shared/judging/decide/pair-kind.ts';
import type { PairwiseOutcome } from '#shared/judging/decide/win-rate.ts';
import { findCalibration } from '#shared/judging/find-judge.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { AskFailure, type CallMeter, newCallMeter } from '#shared/models/decide/ask-model.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import type { UnbilledAllowance } from '#shared/platform/access/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import {
  linesIn,
  readJson,
  readJsonLines,
  readLines,
  writeLines,
} from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { workforceOf } from '#shared/runs/decide/plan.ts';
import {
  type Invocation,
  type ModelWorkerPorts,
  runSample,
  type SampleRows,
  type WorkStatus,
} from '#shared/runs/run-worker.ts';
import type { PairKind } from '#shared/runs/schema/pair-kind.ts';
import { Against, type AttemptContext, ComparePlan } from '#shared/runs/schema/run-context.ts';
import { checkAnswers, isSilent } from './decide/check-answers.ts';
import { sideOf } from './decide/comparison.ts';
import { sampleAnswers } from './decide/metrics.ts';
import type { TrainingRecord } from './decide/record.ts';
import type { TrainingRepository } from './decide/repository.ts';
import { requestOf } from './decide/request-of.ts';
import { modelOf } from './decide/resolve.ts';
import { comparedRate, preferenceAccuracy, verdictOfLikelihoods } from './decide/win-rate.ts';
import { requireTraining } from './require-training.ts';
import { HeldOutAnswer, TrainerReport, TrainingExample } from './schema/training-job.ts';
import {
  type Comparing,
  type ComparingSides,
  IterationOutcome,
  Proposal,
  type StoredAnswer,
} from './schema/training-outcome.ts';

/** Rows whose answers one worker compares. */
const SAMPLE_ROWS = 25;

/** Maximum bytes of trainer output that are loaded: far above any valid output. */
const BYTES_MAX = { report: 8_000_000, answers: 64_000_000 } as const;

/** The output of a trainer, or why it cannot be used. */
type Delivered =
  | { readonly report: TrainerReport; readonly answers: readonly HeldOutAnswer[] }
  | { readonly fault: string };

/** Reads and validates the output of an attempt, which is untrusted. */
async function readDelivered(
  objects: Pick<ObjectStore, 'read' | 'readAtMost' | 'head'>,
  { run_id, iteration, attempt }: AttemptContext,
): Promise<Delivered> {
  const prefix = objectKeys.trainerOutput(run_id, iteration, attempt);
  const body = await objects.readAtMost(`${prefix}report.json`, BYTES_MAX.report);
  if (body === 'too_large') return { fault: 'The report of the trainer is too large.' };
  if (body === null || body.length === 0) return { fault: 'The trainer left no report.' };
  const report = parse(body.toString('utf8'), TrainerReport);
  if (typeof report === 'string') return { fault: `The report of the trainer cannot be read: ${report}.` };
  if (report.outcome === 'diverged') return { report, answers: [] };

  const leftNo = (what: string): Delivered => ({
    fault: `The trainer reported success but left no ${what} of this attempt.`,
  });
  const { answers_key: answersKey, artifact_key: artifactKey } = report;
  if (answersKey === null || !answersKey.startsWith(prefix)) return leftNo('answers');
  if (artifactKey === null || !artifactKey.startsWith(prefix)) return leftNo('artifact');
  const [written, artifact] = await Promise.all([
    objects.readAtMost(answersKey, BYTES_MAX.answers),
    objects.head(artifactKey),
  ]);
  if (written === null) return leftNo('answers');
  if (artifact === null) return leftNo('artifact');
  if (written === 'too_large') return { fault: 'The answers of the trainer are too large.' };
  const answers: HeldOutAnswer[] = [];
  for (const line of linesIn(written)) {
    const answer = parse(line, HeldOutAnswer);
    if (typeof answer === 'string') return { fault: `Answers of the trainer cannot be read: ${answer}.` };
    answers.push(answer);
  }
  const examples = await readJsonLines(objects, objectKeys.heldOutRows(run_id), TrainingExample);
  const held = examples.map(({ row }) => row);
  const answered = answers.map(({ row }) => row);
  return held.length === answered.length && held.every((row, index) => row === answered[index])
    ? { report, answers }
    : {
        fault: `The trainer did not answer each of the ${held.length} held-out rows in order.`,
      };
}

/** The value, or a message that names the wrong field, without its content. */
function parse<T extends z.ZodType>(text: string, schema: T): z.output<T> | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return `${issue?.path.join('.') || 'it'} does not follow the protocol`;
}

export interface PlanComparisonPorts {
  readonly trainings: Pick<TrainingRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read' | 'readAtMost' | 'head' | 'write'>;
  readonly calibrations: Pick<CalibrationStore, 'findCalibration'>;
  /** Null if the installation has no judge. */
  readonly judgeId: string | null;
  readonly modelConcurrency: number;
}

/**
 * Plans the comparison of the tuned and the base model's answers, and the rows of each worker. A judge is asked only
 * about kinds of pairs that it is trusted for; without any, likelihoods decide. The two sides of a comparison are checked
 * first, and the judge is asked about the rows that the checks leave open.
 */
export async function planComparison(
  ports: PlanComparisonPorts,
  context: AttemptContext,
): Promise<{ plan_key: string | null; max_concurrency: number; results_prefix: string }> {
  const { objects } = ports;
  const training = await requireTraining(ports, context);
  const { run_id, dataset_id, team_id, iteration } = context;
  const delivered = await readDelivered(objects, context);
  const base = {
    max_concurrency: workforceOf(ports.modelConcurrency).workers,
    results_prefix: objectKeys.mapResults(run_id, `comparison-${iteration}`),
  };
  const kinds = await judgedKinds(ports, training);
  if ('fault' in delivered || delivered.answers.length === 0) return { ...base, plan_key: null };

  const sides = await answersAgainst(objects, context, training, delivered.answers);
  const open = { ...sides, original: await checkSides(objects, context, training, sides.original ?? []) };
  if (kinds.length === 0) return { ...base, plan_key: null };

  const plan: ComparePlan[] = [];
  for (const against of Against.options) {
    const answers = open[against] ?? [];
    for (let at = 0; at < answers.length; at += SAMPLE_ROWS) {
      const sample_key = objectKeys.comparisonSample(run_id, iteration, plan.length);
      await writeLines(objects, sample_key, answers.slice(at, at + SAMPLE_ROWS));
      const part = { n: plan.length, iteration, first_row: at, sample_key, kinds, against };
      plan.push({ run_id, dataset_id, team_id, ...part });
    }
  }
  const planKey = objectKeys.comparisonPlan(run_id, iteration);
  await writeLines(objects, planKey, plan);
  return { ...base, plan_key: planKey };
}

const CheckedRow = z.object({
  dataset_row: z.int().min(0),
  /** Null where the checks find no difference; `undecided` where a side left no answer. */
  verdict: z.enum(['win', 'loss', 'tie', 'undecided']).nullable(),
});

/** Stores what the checks say of the two sides' answers; returns those that they leave open. */
async function checkSides(
  objects: Pick<ObjectStore, 'write'>,
  { run_id, iteration }: AttemptContext,
  training: TrainingRecord,
  answers: readonly HeldOutAnswer[],
): Promise<HeldOutAnswer[]> {
  if (answers.length === 0) return [];
  const mayThink = modelOf(training).train_with_reasoning;
  const verdicts = checkAnswers(answers, await loadLanguageDetector(), mayThink);
  const checked = answers.map(({ row }, n) => ({ dataset_row: row, verdict: verdicts[n] ?? null }));
  await writeLines(objects, objectKeys.comparisonChecks(run_id, iteration), checked);
  return answers.filter((_, n) => verdicts[n] === null);
}

/** The answers of an iteration, by what they are compared with, which is their `base`. */
type AnswersAgainst = { readonly [against in Against]?: readonly HeldOutAnswer[] };

/** The adapted side of a comparison is compared with the original side of its seed too, the iteration before. */
async function answersAgainst(
  objects: Pick<ObjectStore, 'read' | 'readAtMost' | 'head'>,
  context: AttemptContext,
  { comparison }: TrainingRecord,
  answers: readonly HeldOutAnswer[],
): Promise<AnswersAgainst> {
  const { run_id, iteration } = context;
  if (comparison === undefined || sideOf(iteration).side === 'original') return { base: answers };
  const key = objectKeys.iterationOutcome(run_id, iteration - 1);
  const { attempt } = await readJson(objects, key, IterationOutcome);
  const before = await readDelivered(objects, { ...context, iteration: iteration - 1, attempt });
  if ('fault' in before) throw new ServiceError('run_interrupted', before.fault);
  // Both have answered each of the held-out rows in order.
  const original = answers.map((answer, n) => ({ ...answer, base: before.answers[n]?.tuned ?? answer.base }));
  return { base: answers, original };
}

/** The kinds of pairs that the judge may decide. A model does not judge its own training. */
async function judgedKinds(
  { calibrations, judgeId }: Pick<PlanComparisonPorts, 'calibrations' | 'judgeId'>,
  { model }: Pick<TrainingRecord, 'model'>,
): Promise<PairKind[]> {
  return judgeId === model ? [] : believedKinds(await findCalibration(judgeId, calibrations));
}

const RowComparison = z.object({
  row: z.int().min(0),
  dataset_row: z.int().min(0),
  /** `undecided`: the judge is not trusted for pairs of this kind, or the base left no answer. Null without a usable verdict. */
  verdict: z.enum(['win', 'loss', 'tie', 'undecided']).nullable(),
});
type RowComparison = z.infer<typeof RowComparison>;

export interface CompareAnswersPorts extends ModelWorkerPorts {
  readonly judge: ModelClient | null;
  readonly unbilled: Pick<UnbilledAllowance, 'add'>;
}

/**
 * Lets the judge compare the answers to a few rows, blind and in both orders, for kinds that it is trusted for. A training is
 * free, so that the tokens of its judge count as those of rows that are not billed.
 */
export async function compareAnswers(
  ports: CompareAnswersPorts,
  plan: ComparePlan,
  invocation: Invocation,
): Promise<{ status: WorkStatus }> {
  const meter = newCallMeter();
  try {
    return await runSample(ports, plan, invocation, (own) => openAnswers(ports, own, meter));
  } finally {
    const tokens = meter.input_tokens + meter.output_tokens;
    if (tokens > 0) await ports.unbilled.add(plan.team_id, tokens, ports.clock.now());
  }
}

async function openAnswers(
  { objects, judge }: CompareAnswersPorts,
  { run_id, iteration, n, ...plan }: ComparePlan,
  meter: CallMeter,
): Promise<SampleRows<RowComparison>> {
  if (judge === null) throw new ServiceError('model_unavailable', 'The installation has no judge any more.');
  const kinds = new Set<PairKind>(plan.kinds);
  const detectLanguage = await loadLanguageDetector();
  return {
    lines: await readLines(objects, plan.sample_key),
    resultKey: objectKeys.comparisonVerdicts(run_id, iteration, n),
    checkpointPrefix: objectKeys.comparisonCheckpoints(run_id, iteration, n),
    parse: (value) => RowComparison.parse(value),
    async work(line, row, asking) {
      const { row: dataset_row, messages, base, tuned } = HeldOutAnswer.parse(JSON.parse(line));
      // Trainers leave an answer empty whose reasoning did not end. The room for it is that of the rows, and a base model thinks at
      // other lengths: that it was cut says nothing for the tuned one, which loses where the base answered.
      if (isSilent(base)) return { row, dataset_row, verdict: 'undecided' };
      if (isSilent(tuned)) return { row, dataset_row, verdict: 'loss' };
      if (base.answer === tuned.answer) return { row, dataset_row, verdict: 'tie' };
      const pair = { request: requestOf(messages), first: tuned.answer, second: base.answer };
      if (!kinds.has(pairKindOf(pair, detectLanguage))) return { row, dataset_row, verdict: 'undecided' };
      try {
        const { better } = await comparePair(judge, pair, asking, meter);
        const verdict = better === 'first' ? 'win' : better === 'second' ? 'loss' : 'tie';
        return { row, dataset_row, verdict };
      } catch (error) {
        if (!(error instanceof AskFailure)) throw error;
        return { row, dataset_row, verdict: null };
      }
    },
  };
}

export interface AssembleIterationPorts {
  readonly trainings: Pick<TrainingRepository, 'find' | 'recordIteration'>;
  readonly objects: Pick<ObjectStore, 'read' | 'readAtMost' | 'head' | 'write'>;
  readonly judgeId: string | null;
}

/**
 * Concludes an iteration, stores its outcome and a sample of its answers, and decides whether another follows: not if the
 * target is reached, the iterations are used up, or the training has ended. Idempotent. `error` is the reason if no
 * trainer completed the iteration.
 */
export async function assembleIteration(
  ports: AssembleIterationPorts,
  context: AttemptContext,
  error: ErrorData | null,
): Promise<{ goes_on: boolean }> {
  const { objects, trainings } = ports;
  const training = await requireTraining(ports, context);
  const { run_id, iteration } = context;
  // A trainer that could not do an iteration cannot do the next one either.
  const goesOn = (concluded: TrainingRecord): boolean => error === null && mayGoOn(concluded);
  if (iteration <= training.iterations_completed) return { goes_on: goesOn(training) };

  const proposal = await readJson(objects, objectKeys.proposal(run_id, iteration), Proposal);
  const { outcome, answers } = await conclude(ports, context, training, proposal, error);
  await objects.write(
    objectKeys.iterationAnswers(run_id, iteration),
    JSON.stringify(answers),
    'application/json',
  );
  await objects.write(
    objectKeys.iterationOutcome(run_id, iteration),
    JSON.stringify(outcome),
    'application/json',
  );
  // The models of a comparison are for it alone.
  const best = training.comparison === undefined ? betterOf(training.best, outcome) : null;
  const progress = {
    iterations_completed: iteration,
    iterations_failed: training.iterations_failed + (outcome.status === 'completed' ? 0 : 1),
    attempt: null,
    ...(best === null ? {} : { best }),
  };
  const isActive = await trainings.recordIteration(training, progress);
  return { goes_on: isActive && goesOn({ ...training, ...progress }) };
}

interface Conclusion {
  readonly outcome: IterationOutcome;
  /** Some of the answers that were compared. */
  readonly answers: readonly StoredAnswer[];
}

/** Minimum share of compared rows; with fewer, likelihoods decide, which exist for all rows. */
const COMPARED_SHARE_MIN = 0.5;

async function conclude(
  { objects, judgeId }: AssembleIterationPorts,
  context: AttemptContext,
  training: TrainingRecord,
  proposal: Proposal,
  error: ErrorData | null,
): Promise<Conclusion> {
  const { iteration, attempt } = context;
  const nothing = {
    ...proposal,
    iteration,
    attempt,
    win_rate: null,
    likelihood_reason: null,
    likelihood: null,
    preference_accuracy: null,
  };
  const without = (
    status: 'failed' | 'diverged',
    reason: string,
    trainer: TrainerReport | null = null,
  ): Conclusion => ({ outcome: { ...nothing, status, reason, trainer }, answers: [] });
  if (error !== null) return without('failed', error.message);
  const delivered = await readDelivered(objects, context);
  if ('fault' in delivered) return without('failed', delivered.fault);
  const { report, answers } = delivered;
  if (report.outcome === 'diverged') {
    return without('diverged', report.reason ?? 'The loss was not a number.', report);
  }

  const by: AskedJudge = { judgeId, model: training.model };
  const sides = await answersAgainst(objects, context, training, answers);
  const { verdicts, ...against } = decide(answers, await readVerdicts(objects, context, 'base'), by);
  const original = sides.original && (await decideSides(objects, context, sides.original, by));
  const [base, tuned] = [preferenceAccuracy(answers, 'base'), preferenceAccuracy(answers, 'tuned')];
  const known = {
    ...nothing,
    likelihood: against.likelihood,
    preference_accuracy: base === null || tuned === null ? null : { base, tuned },
    trainer: report,
  };
  const sample = sampleAnswers(answers, verdicts).map((answer): StoredAnswer => {
    if (original === undefined) return answer;
    return { ...answer, against_original: original.verdicts.get(answer.row) ?? null };
  });
  if (against.win_rate === null) {
    const outcome = { ...known, status: 'failed', reason: 'No held-out row could be compared.' } as const;
    return { outcome, answers: sample };
  }
  return {
    outcome: {
      ...known,
      ...against,
      ...(original === undefined ? {} : { against_original: original.comparing }),
      status: 'completed',
      reason: null,
    },
    answers: sample,
  };
}

/** A win rate, and the verdicts that make it, by the row of the dataset. */
type Decided = Comparing & { readonly verdicts: ReadonlyMap<number, PairwiseOutcome> };

function likelierOf(answers: readonly HeldOutAnswer[]): Map<number, PairwiseOutcome> {
  return new Map(
    answers.flatMap((answer): [number, PairwiseOutcome][] => {
      const verdict = verdictOfLikelihoods(answer);
      return verdict === null ? [] : [[answer.row, verdict]];
    }),
  );
}

/**
 * Decides between the two sides of a comparison: the checks, then the judge. A row that neither decides is a tie, which
 * moves the win rate towards 0.5. Likelihoods never decide: they are those of the original answers, on which only one of
 * the sides was trained.
 */
async function decideSides(
  objects: Pick<ObjectStore, 'read'>,
  context: AttemptContext,
  answers: readonly HeldOutAnswer[],
  by: AskedJudge,
): Promise<{ readonly comparing: ComparingSides; readonly verdicts: ReadonlyMap<number, PairwiseOutcome> }> {
  const { run_id, iteration } = context;
  const checked = await readJsonLines(objects, objectKeys.comparisonChecks(run_id, iteration), CheckedRow);
  const asked = await readVerdicts(objects, context, 'original');
  const judged = asked.verdicts;
  const verdicts = new Map([
    ...checked.flatMap(({ dataset_row, verdict }): [number, PairwiseOutcome][] =>
      verdict === null || verdict === 'undecided' ? [] : [[dataset_row, verdict]],
    ),
    ...judged,
  ]);
  const rate = comparedRate(
    answers.map(({ row }) => verdicts.get(row) ?? 'tie'),
    { method: 'judge', judge: judged.size === 0 ? null : by.judgeId },
  );
  if (rate === null) throw new Error('A comparison has no held-out rows.');
  const method = judged.size === 0 ? 'checks' : 'judge';
  const likelihood = comparedRate([...likelierOf(answers).values()], { method: 'likelihood', judge: null });
  const undecided = answers.length - verdicts.size;
  const silent = checked.filter(({ verdict }) => verdict === 'undecided').length;
  const reason = undecided === 0 ? null : whyUndecided(by, asked, { silent, others: undecided - silent });
  return {
    comparing: {
      win_rate: { ...rate, method, undecided, undecided_reason: reason },
      likelihood,
    },
    verdicts,
  };
}

/** Decides by the verdicts of the judge, or by likelihoods where those are too few. */
function decide(answers: readonly HeldOutAnswer[], compared: Verdicts, by: AskedJudge): Decided {
  const likelier = likelierOf(answers);
  const likelihood = comparedRate([...likelier.values()], { method: 'likelihood', judge: null });
  const isEnough = compared.lost === 0 && compared.verdicts.size >= answers.length * COMPARED_SHARE_MIN;
  const judged = comparedRate(isEnough ? [...compared.verdicts.values()] : [], {
    method: 'judge',
    judge: by.judgeId,
  });
  return {
    win_rate: judged ?? likelihood,
    likelihood,
    likelihood_reason: judged === null ? whyNoJudge(by, compared, answers.length) : null,
    verdicts: judged === null ? likelier : compared.verdicts,
  };
}

/** The judge of the installation, if it has one, and the model that is trained. */
interface AskedJudge {
  readonly judgeId: string | null;
  readonly model: string;
}

/** The judge's verdicts of a comparison. */
interface Verdicts {
  /** Verdicts on the rows with a usable answer, by the row of the dataset. */
  readonly verdicts: ReadonlyMap<number, PairwiseOutcome>;
  /** Rows of a kind that the judge is not trusted for, or without an answer of the base. */
  readonly undecided: number;
  /** Rows without a usable verdict. */
  readonly unusable: number;
  /** Number of parts of the rows; none without a judge. */
  readonly parts: number;
  /** Parts whose worker did not finish. */
  readonly lost: number;
}

async function readVerdicts(
  objects: Pick<ObjectStore, 'read'>,
  { run_id, iteration }: AttemptContext,
  wanted: Against,
): Promise<Verdicts> {
  const plan = await readJsonLines(objects, objectKeys.comparisonPlan(run_id, iteration), ComparePlan);
  const parts = plan.filter(({ against }) => against === wanted);
  const verdicts = new Map<number, PairwiseOutcome>();
  let lost = 0;
  let undecided = 0;
  let unusable = 0;
  for (const { n } of parts) {
    const key = objectKeys.comparisonVerdicts(run_id, iteration, n);
    const compared = await readJsonLines(objects, key, RowComparison);
    if (compared.length === 0) lost += 1;
    for (const { dataset_row, verdict } of compared) {
      if (verdict === 'undecided') undecided += 1;
      else if (verdict === null) unusable += 1;
      else verdicts.set(dataset_row, verdict);
    }
  }
  return { verdicts, undecided, unusable, parts: parts.length, lost };
}

/** Why likelihoods decide: why no judge was asked, or why its verdicts do not suffice. */
function whyNoJudge(by: AskedJudge, asked: Verdicts, rows: number): string {
  const { judgeId } = by;
  const { parts, lost, verdicts, undecided } = asked;
  if (judgeId === null || parts === 0) return whyNotAsked(by);
  if (lost > 0) return stoppedAnswering(judgeId, asked);
  if (undecided > 0) {
    return `The judge ${judgeId} decided ${verdicts.size} of ${rows} rows: of the others, ${undecided} are of a kind that it is not believed for, or without an answer of the base model.`;
  }
  return `The judge ${judgeId} gave ${verdicts.size} verdicts that could be read, of ${rows} rows.`;
}

/** Why rows stay undecided: a side left no answer, no judge was asked, or each way in which it left rows open. */
function whyUndecided(
  by: AskedJudge,
  asked: Verdicts,
  { silent, others }: { readonly silent: number; readonly others: number },
): string {
  const { judgeId } = by;
  const { parts, lost, undecided, unusable } = asked;
  const rows = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);
  const unanswered = silent > 0 ? [`A side left no answer to ${rows(silent)}.`] : [];
  if (others === 0) return unanswered.join(' ');
  if (judgeId === null || parts === 0) return [...unanswered, whyNotAsked(by)].join(' ');
  return [
    ...unanswered,
    ...(lost > 0 ? [stoppedAnswering(judgeId, asked)] : []),
    ...(undecided > 0 ? [`The judge ${judgeId} is not believed for ${rows(undecided)}.`] : []),
    ...(unusable > 0
      ? [`The judge ${judgeId} gave no verdict that could be read on ${rows(unusable)}.`]
      : []),
  ].join(' ');
}

function whyNotAsked({ judgeId, model }: AskedJudge): string {
  if (judgeId === null) return 'The installation has no judge.';
  return judgeId === model
    ? `The judge ${judgeId} is the model that is trained.`
    : `The judge ${judgeId} is believed for no kind of pair.`;
}

const stoppedAnswering = (judgeId: string, { lost, parts }: Verdicts): string =>
  `The judge ${judgeId} stopped answering: ${lost} of ${parts} parts of the answers were not compared.`;

/** Likelihoods measure something else than a judge: a model that was preferred by them does not replace one that was judged. */
const isWeaker = (one: { readonly method: string }, than: { readonly method: string }): boolean =>
  one.method === 'likelihood' && than.method === 'judge';

function betterOf(best: TrainingRecord['best'], outcome: IterationOutcome): TrainingRecord['best'] {
  const { win_rate: winRate, trainer } = outcome;
  const artifactKey = trainer?.artifact_key ?? null;
  const bytes = trainer?.artifact_bytes ?? null;
  if (winRate === null || artifactKey === null || bytes === null) return best;
  if (best !== null && (best.win_rate >= winRate.value || isWeaker(winRate, best))) return best;
  return {
    iteration: outcome.iteration,
    win_rate: winRate.value,
    method: winRate.method,
    hyperparams: outcome.hyperparams,
    artifact_key: artifactKey,
    artifact_bytes: bytes,
    gguf_key: trainer?.gguf_key ?? null,
  };
}

/** A comparison needs all of its iterations, whatever their win rates; one that fails leaves a side without a model. */
function mayGoOn(training: TrainingRecord): boolean {
  const { best, comparison, iterations_completed, iterations_failed, max_iterations, target_win_rate } =
    training;
  if (iterations_completed >= max_iterations) return false;
  return comparison === undefined ? (best?.win_rate ?? 0) < target_win_rate : iterations_failed === 0;
}
