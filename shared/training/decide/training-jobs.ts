import type { TrainerMessage } from '../schema/training-job.ts';
import type { AttemptId } from './repository.ts';

/** SageMaker's response to a training job. */
export type LaunchReply =
  | { readonly outcome: 'launched' }
  /** The account's quota is used up: the same job may be accepted later. */
  | { readonly outcome: 'no_room' }
  /** The same job would be rejected again; the reason is SageMaker's. */
  | { readonly outcome: 'refused'; readonly reason: string };

/** Training jobs of SageMaker: one for each attempt. */
export interface TrainingJobLauncher {
  /** Launches the job of an attempt; an existing one stays unchanged. */
  launch(id: AttemptId, message: TrainerMessage): Promise<LaunchReply>;
}

export interface TrainingJobStopper {
  /** Stops the job of an attempt; does nothing if it has ended or does not exist. */
  stop(id: AttemptId): Promise<void>;
}

/** Unique to the attempt; at most 63 letters, digits and hyphens, the limit of SageMaker. */
export function trainingJobName(stage: string, { experiment_id, iteration, attempt }: AttemptId): string {
  return `tunesmith-${stage}-${experiment_id.replaceAll('-', '')}-${iteration}-${attempt}`;
}

const JOB_KEY = /^trainings\/([^/]+)\/iterations\/(\d+)\/attempts\/(\d+)\/job\.json$/;

/** The attempt of a job's key; null for another key. */
export function attemptOfJobKey(key: string): AttemptId | null {
  const [, experimentId, iteration, attempt] = JOB_KEY.exec(key) ?? [];
  if (experimentId === undefined) return null;
  return { experiment_id: experimentId, iteration: Number(iteration), attempt: Number(attempt) };
}
