import type { TrainerAttempt } from '../schema/training-job.ts';
import type { TrainingRecord } from './record.ts';

/** State of the training loop. Trainings start and end through the ledger only. */
export type TrainingProgress = Partial<
  Pick<
    TrainingRecord,
    | 'status'
    | 'iterations_completed'
    | 'iterations_failed'
    | 'best'
    | 'attempt'
    | 'augmented'
    | 'recommended'
    | 'effective_rows'
    | 'explanation'
  >
>;

/** Identifies an attempt of a training. */
export interface AttemptId {
  readonly experiment_id: string;
  readonly iteration: number;
  readonly attempt: number;
}

/** Trainings are listed by default. */
export type TrainingList = 'trainings' | 'comparisons';

/** Stores trainings, and the attempts of trainers for their iterations. */
export interface TrainingRepository {
  /** Consistent read of a training or a comparison; null if there is none, or it is another team's. */
  find(teamId: string, experimentId: string): Promise<TrainingRecord | null>;
  /** The trainings, or the comparisons, of a team, newest first; with `datasetId` only those of that dataset. */
  list(
    teamId: string,
    page: {
      readonly of?: TrainingList;
      readonly datasetId?: string;
      readonly limit: number;
      readonly after: string | null;
    },
  ): Promise<{ readonly trainings: TrainingRecord[]; readonly next: string | null }>;
  /** Sets the expiry of a training whose dataset was deleted; it is neither found nor listed from now on. */
  expire(experimentId: string, now: number): Promise<void>;
  /** Returns false, and changes nothing, if the training has ended. */
  recordProgress(experimentId: string, progress: TrainingProgress): Promise<boolean>;
  /** As `recordProgress`, where an iteration of `training` has ended, with its event. */
  recordIteration(training: TrainingRecord, progress: TrainingProgress): Promise<boolean>;
  /**
   * Makes an attempt the only one of its training that may report. Returns false, and changes nothing, if the training has
   * ended, has a newer attempt, or has concluded the iteration. Idempotent.
   */
  beginAttempt(id: AttemptId, queuedAt: string): Promise<boolean>;
  /** Writes the item of an attempt for a trainer to claim; an existing item stays unchanged. */
  queueAttempt(id: AttemptId, attempt: Pick<TrainerAttempt, 'job_key' | 'queued_at'>): Promise<void>;
  /** Consistent read. */
  findAttempt(id: AttemptId): Promise<TrainerAttempt | null>;
  /** Whether its training goes on and has no newer attempt, by the training's record, which no trainer writes. */
  isCurrent(id: AttemptId): Promise<boolean>;
  /** Lets the trainer be silent until then; answers false where the attempt is over. */
  excuseAttempt(id: AttemptId, until: string): Promise<boolean>;
  /** From now on the trainer's heartbeats are rejected. */
  revokeAttempt(id: AttemptId): Promise<void>;
  /** Attempts that were revoked before that time, also by the end of their training, the earliest first. */
  listRevoked(before: string): AsyncIterable<AttemptId>;
  /** Takes a revoked attempt off that list. */
  forgetRevoked(id: AttemptId): Promise<void>;
  /** Consistent read, also of a training whose dataset was deleted; null once it has expired. */
  findOfAnyTeam(experimentId: string): Promise<TrainingRecord | null>;
  /** The location of an attempt's item, for trainers. */
  attemptItem(id: AttemptId): { readonly table: string; readonly pk: string; readonly sk: string };
}
