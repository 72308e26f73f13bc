import { AskFailure, type Asking, type CallMeter } from '#shared/models/decide/ask-model.ts';
import { CallDeferred } from '#shared/models/decide/call-memo.ts';

/** Why rows in progress are given up at the end of an invocation. */
export class TimeIsUp extends Error {
  constructor() {
    super('The time of this invocation is up');
    this.name = 'TimeIsUp';
  }
}

/**
 * Seconds of model calls after which a row that did not end with its invocation fails, instead of being worked on again:
 * the next invocation would not end it either. What it waited for a place or a pause of the model does not count.
 */
export const ROW_CALL_SECONDS_MAX = 600;

/**
 * The failure of a row for an error. If it is none of its own, the row was given up: what it has used is told, and the error
 * is thrown on.
 */
export function failureOfRow(error: unknown, asking: Asking, meter: CallMeter): AskFailure {
  if (error instanceof AskFailure) return error;
  if (asking.signal?.reason instanceof TimeIsUp && meter.seconds >= ROW_CALL_SECONDS_MAX) {
    return new AskFailure(
      'model_timeout',
      `The model was asked about the row for ${Math.round(meter.seconds)} seconds in ${meter.calls} calls, and it was not done: shorten it, or use a faster model`,
      error,
    );
  }
  // What was asked about a row that waits for a batch counts with the batch.
  if (!(error instanceof CallDeferred)) asking.abandoned?.(meter.input_tokens + meter.output_tokens);
  throw error;
}
