import { gzipSync } from 'node:zlib';
import type { EndGrowthPorts } from '#shared/growth/end-growth.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { billTraining } from './bill-training.ts';
import { sideOf } from './decide/comparison.ts';
import type { TrainingRecord } from './decide/record.ts';
import type { TrainingRepository } from './decide/repository.ts';
import { tarEntry } from './decide/tar-entry.ts';
import { readOutcomes } from './propose-hyperparams.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { requireTraining } from './require-training.ts';
import { type IterationOutcome, TrainingData, type TrainingReport } from './schema/training-outcome.ts';

export interface EndTrainingPorts extends EndGrowthPorts {
  readonly trainings: Pick<TrainingRepository, 'find' | 'recordProgress'>;
  readonly objects: Pick<
    ObjectStore,
    'read' | 'head' | 'readRange' | 'write' | 'beginParts' | 'writePart' | 'finishParts' | 'list' | 'remove'
  >;
}

/** Part size for copying an artifact; S3 requires at least 5 MiB for each part except the last. */
const PART_BYTES = 16 * 1024 * 1024;

/**
 * Ends a training: it succeeds if an iteration has a model, even if a later one failed; a comparison, if all have one. Writes the report, and the
 * artifact with the report in it. Idempotent.
 */
export async function endTraining(
  ports: EndTrainingPorts,
  context: RunContext,
  error: ErrorData | null,
  now: number,
): Promise<{ status: string }> {
  const { run_id: id, dataset_id } = context;
  const run = await ports.runs.find(dataset_id, id);
  if (run === null) throw new Error(`There is no run ${id}.`);
  if (run.status !== 'running') return { status: run.status };

  const training = await requireTraining(ports, context);
  const outcomes = await readOutcomes(ports.objects, training);
  const failure = failureOf(training, outcomes, error);
  if (training.comparison !== undefined) await removeLeftovers(ports.objects, training);
  if (training.best !== null) {
    const report = await writeReport(ports, training, outcomes, error);
    const key = objectKeys.trainingArtifact(id);
    const bytes = await addToArtifact(ports.objects, training.best.artifact_key, key, report);
    const best = { ...training.best, artifact_key: key, artifact_bytes: bytes };
    await ports.trainings.recordProgress(id, { best });
    await removeLeftovers(ports.objects, { ...training, best });
  }
  const settled = await ports.endRun({
    dataset_id,
    run_id: id,
    error: failure,
    ...(await billTraining(ports, training, now)),
    now,
  });
  return { status: settled.status };
}

function failureOf(
  training: TrainingRecord,
  outcomes: readonly IterationOutcome[],
  error: ErrorData | null,
): ErrorData | null {
  const { best, comparison, iterations_completed, iterations_failed, max_iterations } = training;
  if (comparison === undefined) return best === null ? (error ?? nothingTrained(outcomes)) : null;
  const isDone = iterations_failed === 0 && iterations_completed === max_iterations;
  return isDone ? null : (error ?? halfTrained(outcomes));
}

/** A comparison ends with the first training that fails. */
function halfTrained(outcomes: readonly IterationOutcome[]): ErrorData {
  const { iteration, reason } = outcomes.at(-1) ?? { iteration: 1, reason: null };
  const { side, seed } = sideOf(iteration);
  return {
    code: 'training_failed',
    message: `The training on the ${side} rows with seed ${seed} produced no model (${reason ?? 'it was not started'}). Try other hyperparameters, or another model.`,
    level: 'error',
  };
}

function nothingTrained(outcomes: readonly IterationOutcome[]): ErrorData {
  const reasons = outcomes.map(({ iteration, reason }) => `iteration ${iteration}: ${reason ?? 'no model'}`);
  return {
    code: 'training_failed',
    message: `No iteration produced a model (${reasons.join('; ') || 'none was started'}). Try other hyperparameters, or another model.`,
    level: 'error',
  };
}

async function writeReport(
  { objects }: Pick<EndTrainingPorts, 'objects'>,
  training: TrainingRecord,
  iterations: IterationOutcome[],
  error: ErrorData | null,
): Promise<TrainingReport> {
  const { experiment_id, best } = training;
  const data = await readJson(objects, objectKeys.trainingData(experiment_id), TrainingData);
  const { train_keys: _keys, held_out_key: _key, ...shown } = data;
  const report: TrainingReport = {
    experiment_id,
    dataset_id: training.dataset_id,
    model: training.model,
    training_method: training.training_method,
    target_win_rate: training.target_win_rate,
    stopped_because: stoppedBecause(training, error),
    best_iteration: best?.iteration ?? null,
    explanation: training.explanation,
    seed: training.seed,
    data: shown,
    iterations,
  };
  await objects.write(objectKeys.trainingReport(experiment_id), JSON.stringify(report), 'application/json');
  return report;
}

function stoppedBecause(
  { best, target_win_rate, iterations_completed, max_iterations }: TrainingRecord,
  error: ErrorData | null,
): string {
  if (error !== null) return `A later iteration failed: ${error.message}`;
  if ((best?.win_rate ?? 0) >= target_win_rate) {
    return `The target win rate of ${target_win_rate} was reached in iteration ${iterations_completed}.`;
  }
  return iterations_completed >= max_iterations
    ? `All ${max_iterations} iterations were done.`
    : 'An iteration failed.';
}

/**
 * Writes the artifact with `run_report.json` in front of the trainer's files: a gzip file may have several members, and
 * a tar file is a sequence of entries, so nothing is repacked.
 * @returns its size in bytes
 */
async function addToArtifact(
  objects: EndTrainingPorts['objects'],
  from: string,
  to: string,
  report: TrainingReport,
): Promise<number> {
  // After the copy only one of the two objects exists.
  if (from === to) return (await objects.head(to))?.bytes ?? 0;
  const front = gzipSync(tarEntry('run_report.json', Buffer.from(`${JSON.stringify(report, null, 2)}\n`)));
  const size = (await objects.head(from))?.bytes;
  if (size === undefined) throw new Error(`The artifact ${from} is gone.`);
  if (size <= PART_BYTES) {
    const body = await objects.read(from);
    if (body === null) throw new Error(`The artifact ${from} is gone.`);
    await objects.write(to, Buffer.concat([front, body]), 'application/gzip');
    return front.length + size;
  }
  const upload = await objects.beginParts(to, 'application/gzip');
  const etags: string[] = [];
  for (let at = 0; at < size; at += PART_BYTES) {
    const piece = await objects.readRange(from, at, Math.min(size, at + PART_BYTES) - 1);
    const body = at === 0 ? Buffer.concat([front, piece]) : piece;
    etags.push(await objects.writePart(to, upload, etags.length + 1, body));
  }
  await objects.finishParts(to, upload, etags);
  return front.length + size;
}
