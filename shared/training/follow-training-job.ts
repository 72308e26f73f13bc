import { readJson } from '#shared/platform/storage/json-objects.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { RunContext } from '#shared/runs/schema/run-context.ts';
import { lacksCapacity } from './decide/lacks-capacity.ts';
import type { TrainingRepository } from './decide/repository.ts';
import type { TaskTokens } from './decide/trainer-queue.ts';
import { CLAIM_SECONDS, JOB_START_SECONDS } from './decide/trainer-settings.ts';
import { attemptOfJobKey, type TrainingJobStopper } from './decide/training-jobs.ts';
import { TrainingJob, type TrainingJobState } from './schema/training-job.ts';

export interface FollowTrainingJobPorts {
  readonly trainings: Pick<TrainingRepository, 'findAttempt' | 'excuseAttempt' | 'revokeAttempt'>;
  readonly objects: Pick<ObjectStore, 'read'>;
  readonly tokens: TaskTokens;
  readonly jobs: TrainingJobStopper;
}

/** Secondary states in which the trainer's code runs; in others missing heartbeats are not its fault. */
const RUNNING = ['Training', 'Uploading'];

/**
 * Handles a state change of a training job. While SageMaker looks for a machine, also after an interruption, heartbeats
 * may be missing for the claim timeout; once the image runs, for the start timeout. A job that failed or was stopped
 * before its trainer reported fails the attempt, so that another follows, after a wait if AWS had no instance. A job whose attempt was abandoned is stopped.
 * Events may be repeated and out of order.
 */
export async function followTrainingJob(
  { trainings, objects, tokens, jobs }: FollowTrainingJobPorts,
  state: TrainingJobState,
  now: number,
): Promise<'excused' | 'stopped' | 'failed' | 'ignored'> {
  const jobKey: unknown = JSON.parse(state.HyperParameters.job_key);
  if (typeof jobKey !== 'string') return 'ignored';
  const id = attemptOfJobKey(jobKey);
  if (id === null) return 'ignored';

  if (state.TrainingJobStatus === 'InProgress') {
    const seconds = RUNNING.includes(state.SecondaryStatus) ? JOB_START_SECONDS : CLAIM_SECONDS;
    if (await trainings.excuseAttempt(id, new Date(now + seconds * 1000).toISOString())) return 'excused';
    const attempt = await trainings.findAttempt(id);
    // The job of an attempt that reported ends by itself.
    if (attempt?.state === 'ended') return 'ignored';
    await jobs.stop(id);
    return 'stopped';
  }

  if (state.TrainingJobStatus !== 'Failed' && state.TrainingJobStatus !== 'Stopped') return 'ignored';
  const attempt = await trainings.findAttempt(id);
  if (attempt?.state !== 'queued' && attempt?.state !== 'claimed') return 'ignored';
  await trainings.revokeAttempt(id);
  const { task_token: token } = await readJson(objects, jobKey, TrainingJob);
  // The trainer's own output may follow the reason of a job that has run, and say anything.
  const hasRun = attempt.state === 'claimed';
  if (!hasRun && lacksCapacity(state.FailureReason)) {
    await tokens.fail(token, 'trainer_lacks_capacity', NO_INSTANCE);
  } else await tokens.fail(token, 'trainer_failed', causeOf(state));
  return 'failed';
}

const NO_INSTANCE =
  'AWS has no instance for the trainer at the moment. Launch the training again later, or ask the operator for another type of instance.';

/** The rest of SageMaker's message may contain the trainer's own output. */
const REASON = /^[A-Za-z]+(?=:)/;

function causeOf({
  TrainingJobName: name,
  SecondaryStatus: status,
  FailureReason: reason,
}: TrainingJobState): string {
  const kind = REASON.exec(reason ?? '')?.[0] ?? status;
  return `SageMaker ended the training job ${name} before its trainer reported (${kind}).`;
}

export interface StopTrainingJobsPorts {
  readonly trainings: Pick<TrainingRepository, 'find' | 'findAttempt'>;
  readonly jobs: TrainingJobStopper;
}

/**
 * Stops the jobs of a training's current iteration after its execution was ended, for example by a cancellation.
 * @param input the input of the execution
 * @returns the number of jobs that may have run
 */
export async function stopTrainingJobs(
  { trainings, jobs }: StopTrainingJobsPorts,
  input: string,
): Promise<{ stopped: number }> {
  const { team_id, run_id } = RunContext.parse(JSON.parse(input));
  const training = await trainings.find(team_id, run_id);
  let stopped = 0;
  if (training === null) return { stopped };
  const iteration = training.iterations_completed + 1;
  for (;;) {
    const id = { experiment_id: run_id, iteration, attempt: stopped + 1 };
    if ((await trainings.findAttempt(id)) === null) return { stopped };
    await jobs.stop(id);
    stopped += 1;
  }
}
