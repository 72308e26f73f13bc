import { readJson } from '#shared/platform/storage/json-objects.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { AttemptId, TrainingRepository } from './decide/repository.ts';
import type { TaskTokens } from './decide/trainer-queue.ts';
import type { TrainingJobLauncher, TrainingJobStopper } from './decide/training-jobs.ts';
import { type TrainerMessage, TrainingJob } from './schema/training-job.ts';

export interface LaunchTrainingJobPorts {
  readonly trainings: Pick<TrainingRepository, 'findAttempt' | 'revokeAttempt'>;
  readonly objects: Pick<ObjectStore, 'read'>;
  readonly tokens: TaskTokens;
  readonly jobs: TrainingJobLauncher & TrainingJobStopper;
}

const REFUSED =
  'SageMaker refused the training job. Its message is in the log of consumers-launch-training-job.';

/**
 * Starts a SageMaker job for the attempt of a trainer message, and stops the job of the previous attempt. Idempotent. A
 * claimed or finished attempt needs no job. A permanent refusal of SageMaker is reported to the state machine that
 * waits for the attempt.
 * @returns `waits` if the message must be redelivered, because the account's quota is used up
 */
export async function launchTrainingJob(
  { trainings, objects, tokens, jobs }: LaunchTrainingJobPorts,
  message: TrainerMessage,
): Promise<AttemptId & { outcome: 'launched' | 'waits' | 'refused' | 'left'; reason?: string }> {
  const job = await readJson(objects, message.job_key, TrainingJob);
  const { experiment_id, iteration, attempt } = job;
  const id: AttemptId = { experiment_id, iteration, attempt };
  const found = await trainings.findAttempt(id);
  if (found?.state !== 'queued') return { ...id, outcome: 'left' };

  if (attempt > 1) await jobs.stop({ ...id, attempt: attempt - 1 });
  const answer = await jobs.launch(id, message);
  if (answer.outcome === 'no_room') return { ...id, outcome: 'waits' };
  if (answer.outcome === 'launched') return { ...id, outcome: 'launched' };
  await trainings.revokeAttempt(id);
  await tokens.fail(job.task_token, 'trainer_refused', REFUSED);
  return { ...id, ...answer };
}
