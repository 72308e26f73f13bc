import { findJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { concludedIteration, openIteration } from './decide/metrics.ts';
import type { TrainingRecord } from './decide/record.ts';
import type { TrainingRepository } from './decide/repository.ts';
import { ATTEMPTS_MAX } from './decide/trainer-settings.ts';
import { readOutcomes } from './propose-hyperparams.ts';
import { TrainerCurve, type TrainerReport } from './schema/training-job.ts';
import { AnswerPair, type IterationMetrics, type TrainingMetrics } from './schema/training-metrics.ts';
import { type IterationOutcome, Proposal } from './schema/training-outcome.ts';

export interface ReadMetricsPorts {
  readonly trainings: Pick<TrainingRepository, 'findAttempt'>;
  readonly objects: Pick<ObjectStore, 'read' | 'readAtMost'>;
}

/** Far above any curve of a trainer. */
const CURVE_BYTES_MAX = 1_000_000;

/** What a training has measured so far, by iteration. */
export async function readMetrics(
  ports: ReadMetricsPorts,
  training: TrainingRecord,
): Promise<TrainingMetrics> {
  const outcomes = await readOutcomes(ports.objects, training);
  const [concluded, open] = await Promise.all([
    Promise.all(
      outcomes.map((outcome, index) => readConcluded(ports, training, outcome, outcomes[index - 1])),
    ),
    readOpen(ports, training, outcomes.at(-1)),
  ]);
  const { experiment_id, status, model, target_win_rate, max_iterations, best } = training;
  return {
    experiment_id,
    status,
    model,
    target_win_rate,
    max_iterations,
    best_iteration: best?.iteration ?? null,
    iterations: [...concluded, ...(open === null ? [] : [open])],
  };
}

async function readConcluded(
  { objects }: ReadMetricsPorts,
  { experiment_id: id }: TrainingRecord,
  outcome: IterationOutcome,
  before: IterationOutcome | undefined,
): Promise<IterationMetrics> {
  const key = objectKeys.iterationAnswers(id, outcome.iteration);
  const answers = await findJson(objects, key, AnswerPair.array());
  return concludedIteration(outcome, before, answers ?? []);
}

/** The iteration after those that have ended; null where none was proposed. */
async function readOpen(
  ports: ReadMetricsPorts,
  training: TrainingRecord,
  before: IterationOutcome | undefined,
): Promise<IterationMetrics | null> {
  const { experiment_id: id, iterations_completed: done, max_iterations } = training;
  const iteration = done + 1;
  if (iteration > max_iterations) return null;
  const proposal = await findJson(ports.objects, objectKeys.proposal(id, iteration), Proposal);
  if (proposal === null) return null;
  const current = training.attempt?.iteration === iteration ? training.attempt : null;
  const [attempt, stages] = await Promise.all([
    current === null ? null : ports.trainings.findAttempt({ experiment_id: id, ...current }),
    // A training that has ended does not name its last attempt any more.
    readCurve(ports, id, iteration, current?.attempt ?? ATTEMPTS_MAX),
  ]);
  return openIteration(training, iteration, proposal, before, { attempt, stages });
}

/** The curve of the newest attempt that left one: a new attempt goes on from where an earlier one was. */
async function readCurve(
  { objects }: ReadMetricsPorts,
  id: string,
  iteration: number,
  newest: number,
): Promise<TrainerReport['stages']> {
  for (let attempt = newest; attempt > 0; attempt -= 1) {
    const key = `${objectKeys.trainerOutput(id, iteration, attempt)}curve.json`;
    // What trainers write is untrusted, and renewed while it is read.
    const body = await objects.readAtMost(key, CURVE_BYTES_MAX);
    const curve = body === null || body === 'too_large' ? null : parseCurve(body.toString('utf8'));
    if (curve !== null) return curve.stages;
  }
  return [];
}

/** Null for what is no curve. */
function parseCurve(text: string): TrainerCurve | null {
  try {
    const curve = TrainerCurve.safeParse(JSON.parse(text));
    return curve.success ? curve.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
