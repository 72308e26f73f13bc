import type { Trainer } from '../schema/training.ts';
import type { TrainerMessage } from '../schema/training-job.ts';

/** The queues of the trainers. */
export interface TrainerQueue {
  send(trainer: Trainer, message: TrainerMessage): Promise<void>;
}

/** Task tokens of Step Functions: each ends once, with success or failure. */
export interface TaskTokens {
  /** Returns false if the task is no longer waiting. */
  fail(token: string, error: string, cause: string): Promise<boolean>;
}
