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
 * Seconds after which a row that did not end with its invocation fails, instead of being worked on again, if it spent most of
 * them in calls: the next invocation, of 15 minutes as well, would not end it either. A row that waited for a place or a
 * pause of the model is worked on again.
 */
export const ROW_SECONDS_MAX = 800;

/**
 * The failure of a row for an error. If it is none of its own, the row was given up: what it has used is told, and the error
 * is thrown on.
 * @param begunAtMs when the row was begun, in milliseconds since the epoch
 */
export function failureOfRow(
  error: unknown,
  begunAtMs: number,
  asking: Asking,
  meter: CallMeter,
): AskFailure {
  if (error instanceof AskFailure) return error;
  const seconds = (asking.clock.now() - begunAtMs) / 1000;
  const isEndless = seconds >= ROW_SECONDS_MAX && meter.seconds >= seconds / 2;
  if (asking.signal?.reason instanceof TimeIsUp && isEndless) {
    return new AskFailure(
      'model_timeout',
      `The row was not done after ${Math.round(seconds)} seconds and ${meter.calls} calls of the model: shorten it, or use a faster model`,
      error,
    );
  }
  // What was asked about a row that waits for a batch counts with the batch.
  if (!(error instanceof CallDeferred)) asking.abandoned?.(meter.input_tokens + meter.output_tokens);
  throw error;
}
