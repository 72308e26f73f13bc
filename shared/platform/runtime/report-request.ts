import { type EndpointContract, errorsOf } from '../contracts/endpoint.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type HttpProblem, toHttpProblem } from '../errors/to-http.ts';
import { env } from './env.ts';
import { describeError, logger } from './logger.ts';
import { writeMetrics } from './metrics.ts';

/** Converts an error to the response for the caller. Unexpected errors are logged. */
export function problemOf(contract: EndpointContract, error: unknown, requestId: string): HttpProblem {
  if (error instanceof ServiceError && !errorsOf(contract).includes(error.code)) {
    logger.error('undeclared error code', { route: contract.id, code: error.code });
    if (env.isTest()) {
      throw new Error(`${contract.id} threw ${error.code}, which its contract does not declare`);
    }
  }
  const problem = toHttpProblem(error, requestId);
  const isUnexpected = !(error instanceof ServiceError);
  if (isUnexpected || (problem.status >= 500 && error.cause !== undefined)) {
    logger.error('request failed', { route: contract.id, request_id: requestId, ...describeError(error) });
  }
  return problem;
}

/** Writes the log line of a request, and its metrics. */
export function logRequest(
  contract: EndpointContract,
  request: {
    readonly status: number;
    /** From `performance.now()`. */
    readonly startedAt: number;
    readonly requestId: string;
    readonly teamId: string | undefined;
    readonly code: string | undefined;
  },
): void {
  logger.info('request', {
    route: contract.id,
    method: contract.method,
    status: request.status,
    duration_ms: Math.round(performance.now() - request.startedAt),
    request_id: request.requestId,
    ...(request.teamId === undefined ? {} : { team_id: request.teamId }),
    ...(request.code === undefined ? {} : { code: request.code }),
  });
  writeMetrics();
}
