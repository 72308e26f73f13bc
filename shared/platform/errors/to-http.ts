import type { Problem } from '../schema/problem.ts';
import { ServiceError } from './service-error.ts';

/** The `type` that OpenAI's clients read from a status. */
function errorType(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 404) return 'not_found_error';
  if (status === 402) return 'insufficient_quota';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

export interface HttpProblem {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Problem;
}

/**
 * An error as the caller sees it. Anything but a `ServiceError` is a bare 500 that carries the request id and
 * nothing of its cause.
 */
export function toHttpProblem(error: unknown, requestId: string): HttpProblem {
  const shown =
    error instanceof ServiceError
      ? error
      : new ServiceError(
          'internal_error',
          `The service failed. Try again; if it goes on, tell its operator the request id ${requestId}.`,
        );
  const { code, status, message, details } = shown;
  const headers: Record<string, string> = {};
  if (status === 409 || status === 429 || status >= 500) headers['x-should-retry'] = String(shown.retryable);
  if (shown.retryAfterSeconds !== undefined) {
    headers['retry-after'] = String(Math.min(60, Math.max(1, Math.ceil(shown.retryAfterSeconds))));
  }
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  return {
    status,
    headers,
    body: {
      statusCode: status,
      message,
      code,
      details: details.map((detail) => ({ ...detail })),
      request_id: requestId,
      error: { message, type: errorType(status), param: details[0]?.path ?? '', code },
    },
  };
}
