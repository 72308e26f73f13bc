import type { TrainerAttempt } from '../../schema/training-job.ts';
import type { TrainingRecord } from './record.ts';

/** State of the training loop. Trainings start and end through the ledger only. */
export type TrainingProgress = Partial<
  Pick<TrainingRecord, 'status' | 'iterations_completed' | 'best' | 'attempt' | 'augmented'>
>;

/** Which attempt of a training. */
export interface AttemptId {
  readonly experiment_id: string;
  readonly iteration: number;
  readonly attempt: number;
}

/** Trainings, and the attempts of trainers at their iterations. */
export interface TrainingRepository {
  /** Consistent read; null where there is none, or where it is another team's. */
  find(teamId: string, experimentId: string): Promise<TrainingRecord | null>;
  /** The trainings of a team, newest first; with `datasetId` those of that dataset alone. */
  list(
    teamId: string,
    page: { readonly datasetId?: string; readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly trainings: TrainingRecord[]; readonly next: string | null }>;
  /** Lets the record of a training expire, whose dataset was deleted; it is in no list from now on. */
  expire(experimentId: string, now: number): Promise<void>;
  /** Answers false, and changes nothing, where the training has ended. */
  recordProgress(experimentId: string, progress: TrainingProgress): Promise<boolean>;
  /** Writes the item of an attempt, for a trainer to claim; one that is there stays as it is. */
  queueAttempt(id: AttemptId, attempt: Pick<TrainerAttempt, 'job_key' | 'queued_at'>): Promise<void>;
  /** Consistent read. */
  findAttempt(id: AttemptId): Promise<TrainerAttempt | null>;
  /** Lets the trainer be silent until then; answers false where the attempt is over. */
  excuseAttempt(id: AttemptId, until: string): Promise<boolean>;
  /** From now on the trainer's heartbeats are refused. */
  revokeAttempt(id: AttemptId): Promise<void>;
  /** Where trainers find the item of an attempt. */
  attemptItem(id: AttemptId): { readonly table: string; readonly pk: string; readonly sk: string };
}
