import { type ErrorCode, errorCatalog } from './catalog.ts';

/** One invalid field: its path (`column_mapping.prompt`, `query.limit`) and the problem. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
  readonly [key: string]: unknown;
}

/**
 * The only exception that reaches a caller. `message` is public and says what to do; `cause` is for the log.
 * `name` is the code, so that a state machine's Retry and Catch can match it.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  /** Seconds after which a retry can succeed; sent as `Retry-After`, at most 60. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: readonly ErrorDetail[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = code;
    this.code = code;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return errorCatalog[this.code].status;
  }

  get retryable(): boolean {
    return errorCatalog[this.code].retryable;
  }
}
