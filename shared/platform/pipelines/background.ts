import type * as z from 'zod';
import type { QueueName, TaskContract } from './pipeline.ts';

/** The trigger of a function outside of any state machine. */
export type Trigger =
  /** `retries: 0`: Lambda does not repeat what failed, since callers set it off again. */
  | { readonly kind: 'invoke'; readonly retries?: 0 }
  /** A sweep of each minute sets it off again: an invocation that has not begun by then is dropped, without a dead letter. */
  | { readonly kind: 'invoke'; readonly retries: 0; readonly isSwept: true }
  | { readonly kind: 'schedule'; readonly everyMinutes: number }
  /** New items of the outbox, in the order of their team; the function gets their keys. */
  | { readonly kind: 'outbox' }
  /** One message at a time; a failed one is redelivered, at most five times. */
  | { readonly kind: 'queue'; readonly queue: QueueName }
  /** The jobs of a trainer, one at a time; the function returns the messages to redeliver. */
  | { readonly kind: 'trainer-queue'; readonly trainer: 'embedded' | 'gpu' }
  | { readonly kind: 'training-jobs' }
  /** Lines of logs, as the other functions write them: what fails is given up. */
  | { readonly kind: 'logs' }
  | { readonly kind: 'ended-executions'; readonly pipelines: readonly string[] };

export interface BackgroundFunction<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType>
  extends TaskContract<Input, Output> {
  readonly id: string;
  readonly trigger: Trigger;
}

/** Declares a function outside of any state machine. */
export function background<Input extends z.ZodType, Output extends z.ZodType>(
  contract: BackgroundFunction<Input, Output>,
): BackgroundFunction<Input, Output> {
  return contract;
}
