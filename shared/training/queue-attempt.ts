import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readJson, readJsonLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { QueueAttemptInput } from '#shared/runs/schema/run-context.ts';
import { attemptSecret } from './decide/attempt-secret.ts';
import { contextFor } from './decide/catalog.ts';
import { sideOf } from './decide/comparison.ts';
import type { TrainingRepository } from './decide/repository.ts';
import { answerOf } from './decide/request-of.ts';
import { modelOf } from './decide/resolve.ts';
import type { TaskTokens, TrainerQueue } from './decide/trainer-queue.ts';
import { answerTokensMax, CHECKPOINT_STEPS, HEARTBEAT_SECONDS } from './decide/trainer-settings.ts';
import { requireTraining } from './require-training.ts';
import { TrainingExample, type TrainingJob } from './schema/training-job.ts';
import { Proposal, TrainingData } from './schema/training-outcome.ts';

export interface QueueAttemptPorts {
  readonly trainings: Pick<
    TrainingRepository,
    'find' | 'beginAttempt' | 'queueAttempt' | 'revokeAttempt' | 'attemptItem'
  >;
  readonly objects: Pick<ObjectStore, 'read' | 'write'>;
  readonly queue: TrainerQueue;
  readonly tokens: Pick<TaskTokens, 'fail'>;
  readonly bucket: string;
  /** Name of the function that lends trainers credentials. */
  readonly lender: string;
}

/**
 * Writes the job of an attempt and queues it for the trainer; from then on only this attempt may report. Idempotent: an
 * attempt can be claimed only once. A permanent error is reported to the waiting state machine; every other failure is
 * thrown, so that the message is redelivered.
 */
export async function queueAttempt(
  ports: QueueAttemptPorts,
  input: QueueAttemptInput,
  now: number,
): Promise<{ is_queued: boolean }> {
  try {
    await queue(ports, input, now);
    return { is_queued: true };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'service_unavailable') throw error;
    const { code, message } = error;
    const cause = JSON.stringify({ errorType: code, errorMessage: `${code}: ${message}` });
    await ports.tokens.fail(input.task_token, code, cause);
    return { is_queued: false };
  }
}

async function queue(
  { trainings, objects, queue: trainers, bucket, lender }: QueueAttemptPorts,
  { iteration, attempt, task_token, ...context }: QueueAttemptInput,
  now: number,
): Promise<void> {
  const training = await requireTraining({ trainings }, context);
  const { experiment_id } = training;
  const id = { experiment_id, iteration, attempt };
  if (attempt > 1) await trainings.revokeAttempt({ ...id, attempt: attempt - 1 });
  const queued_at = new Date(now).toISOString();
  // Queues deliver a message more than once, also after a newer one.
  if (!(await trainings.beginAttempt(id, queued_at))) {
    throw new ServiceError('run_interrupted', 'The training has ended, or has gone on without this attempt.');
  }

  const [data, proposal] = await Promise.all([
    readJson(objects, objectKeys.trainingData(experiment_id), TrainingData),
    readJson(objects, objectKeys.proposal(experiment_id, iteration), Proposal),
  ]);
  const heldOut = await readJsonLines(objects, data.held_out_key, TrainingExample);
  const references = heldOut.map(({ completion, chosen }) => answerOf(completion ?? chosen ?? ''));
  const traces = heldOut.map(({ reasoning = '' }) => reasoning);
  const model = modelOf(training);
  const contextTokens = Math.min(
    ...proposal.stages.map(({ method }) => contextFor(model, training.trainer)[method]),
  );
  const { side, seed } = sideOf(iteration);
  const isComparison = training.comparison !== undefined;
  const outputOf = (n: number): string => objectKeys.trainerOutput(experiment_id, iteration, n);
  const job: TrainingJob = {
    version: 1,
    ...id,
    task_token,
    bucket,
    attempt_item: trainings.attemptItem(id),
    heartbeat_seconds: HEARTBEAT_SECONDS,
    model: { id: model.id, license: model.license },
    data: {
      format: training.data_format,
      train_keys: isComparison && side === 'adapted' ? (data.adapted_keys ?? []) : data.train_keys,
      train_rows: data.train_rows,
      held_out_key: data.held_out_key,
      held_out_rows: data.held_out_rows,
      context_tokens: contextTokens,
    },
    stages: proposal.stages,
    // Both sides of a seed begin alike, and take their rows in the same order.
    seed: isComparison ? training.seed + seed : training.seed,
    answer_tokens_max: answerTokensMax(references, traces, contextTokens),
    checkpoint_steps: CHECKPOINT_STEPS,
    output_prefix: outputOf(attempt),
    resume_prefixes: Array.from({ length: attempt - 1 }, (_, index) => outputOf(attempt - 1 - index)),
    initial_adapter_key: null,
    batch_order_key: null,
  };
  const jobKey = objectKeys.trainingJob(experiment_id, iteration, attempt);
  await objects.write(jobKey, JSON.stringify(job), 'application/json');
  await trainings.queueAttempt(id, { job_key: jobKey, queued_at });
  const secret = attemptSecret(task_token);
  await trainers.send(training.trainer, { bucket, job_key: jobKey, lender, secret });
}
