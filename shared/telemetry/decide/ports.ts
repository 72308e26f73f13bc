import type { Point } from './points.ts';
import type { Span } from './spans.ts';

/** What wrote the lines of a batch. */
export interface Origin {
  readonly functionName: string;
  /** The log stream: one for each process of a function. */
  readonly process: string;
}

/** A receiver of OpenTelemetry. */
export interface Receiver {
  /** Rejects if the receiver did not take them. */
  sendSpans(spans: readonly Span[], origin: Origin): Promise<void>;
  /** Rejects if the receiver did not take them. */
  sendPoints(points: readonly Point[], origin: Origin): Promise<void>;
}
