import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { isAttemptSecret } from './decide/attempt-secret.ts';
import type { CredentialLender } from './decide/credential-lender.ts';
import type { TrainingRepository } from './decide/repository.ts';
import { attemptOfJobKey } from './decide/training-jobs.ts';
import { type LendCredentialsInput, type LentCredentials, TrainingJob } from './schema/training-job.ts';

export interface LendCredentialsPorts {
  readonly trainings: Pick<TrainingRepository, 'findAttempt' | 'isCurrent'>;
  readonly objects: Pick<ObjectStore, 'read'>;
  readonly lender: CredentialLender;
}

/**
 * Lends a trainer credentials for the attempt of its job, once for each hour that it takes.
 * @returns null where the attempt has ended or was never queued, or where the secret is another one: they are told alike
 */
export async function lendCredentials(
  { trainings, objects, lender }: LendCredentialsPorts,
  { job_key, secret }: LendCredentialsInput,
): Promise<LentCredentials | null> {
  const id = attemptOfJobKey(job_key);
  if (id === null) return null;
  const attempt = await trainings.findAttempt(id);
  if (attempt?.state !== 'queued' && attempt?.state !== 'claimed') return null;
  // The item is the trainer's to write, so that its word alone could keep an attempt open for ever.
  if (!(await trainings.isCurrent(id))) return null;
  const key = objectKeys.trainingJob(id.experiment_id, id.iteration, id.attempt);
  const { task_token: token } = await readJson(objects, key, TrainingJob.pick({ task_token: true }));
  return isAttemptSecret(token, secret) ? lender.lend(id) : null;
}
