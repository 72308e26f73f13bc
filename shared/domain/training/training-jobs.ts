import type { TrainerMessage } from '../../schema/training-job.ts';
import type { AttemptId } from './repository.ts';

/** How SageMaker takes a training job. */
export type LaunchAnswer =
  | { readonly outcome: 'launched' }
  /** The account's quota is used up: the same may be taken later. */
  | { readonly outcome: 'no_room' }
  /** The same would be refused again; the reason is SageMaker's own. */
  | { readonly outcome: 'refused'; readonly reason: string };

/** Training jobs of SageMaker: one for each attempt. */
export interface TrainingJobLauncher {
  /** Launches the job of an attempt; one that is there already is left as it is. */
  launch(id: AttemptId, message: TrainerMessage): Promise<LaunchAnswer>;
}

export interface TrainingJobStopper {
  /** Ends the job of an attempt; nothing happens where it has ended or never was. */
  stop(id: AttemptId): Promise<void>;
}

/** Unique to the attempt; within the 63 letters, digits and hyphens that SageMaker takes. */
export function trainingJobName(stage: string, { experiment_id, iteration, attempt }: AttemptId): string {
  return `tunesmith-${stage}-${experiment_id.replaceAll('-', '')}-${iteration}-${attempt}`;
}

const JOB_KEY = /^trainings\/([^/]+)\/iterations\/(\d+)\/attempts\/(\d+)\/job\.json$/;

/** The attempt whose job lies under a key; null where none does. */
export function attemptOfJobKey(key: string): AttemptId | null {
  const [, experimentId, iteration, attempt] = JOB_KEY.exec(key) ?? [];
  if (experimentId === undefined) return null;
  return { experiment_id: experimentId, iteration: Number(iteration), attempt: Number(attempt) };
}
