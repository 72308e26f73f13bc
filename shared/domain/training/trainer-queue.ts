import type { Trainer } from '../../schema/training.ts';
import type { TrainerMessage } from '../../schema/training-job.ts';

/** The queues that trainers take their work from. */
export interface TrainerQueue {
  send(trainer: Trainer, message: TrainerMessage): Promise<void>;
}

/** What state machines wait for: a task that is waited for is done, or has failed, once. */
export interface TaskTokens {
  /** Answers false where nobody waits for it any more. */
  fail(token: string, error: string, cause: string): Promise<boolean>;
}
