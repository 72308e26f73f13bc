import type { Schemas } from './client.ts';

export type Problem = Schemas['Problem'];

/** An error that the service answers, or that nothing answers (`status` 0). */
export class TunesmithError extends Error {
  override readonly name = 'TunesmithError';
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /**
   * Stable code of the error; `unreachable` when no answer came, `not_allowed` when something before the service refused the
   * request, `unknown` when the answer is not the service's for another reason.
   */
  readonly code: Problem['code'] | 'unreachable' | 'not_allowed' | 'unknown';
  readonly requestId: string | null;
  readonly details: Problem['details'];
  /** Seconds to wait before the next attempt; null if the service names none. */
  readonly retryAfterSeconds: number | null;
  /** Whether the service says that the same request can succeed later; null if it says nothing of it. */
  readonly shouldRetry: boolean | null;

  constructor(
    message: string,
    fields: Pick<TunesmithError, 'status' | 'code' | 'requestId' | 'details' | 'retryAfterSeconds'> & {
      readonly shouldRetry?: boolean | null;
    },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = fields.status;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.details = fields.details;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.shouldRetry = fields.shouldRetry ?? null;
  }
}

/** Seconds that `Retry-After` asks for, which is a number or a date (RFC 9110). */
function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1000);
}

function shouldRetryOf({ headers }: Response): boolean | null {
  const text = headers.get('x-should-retry');
  return text === null ? null : text === 'true';
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'message' in body;
}

/** The address of an API of Amazon API Gateway, where a path of the service follows without a stage. */
const WITHOUT_STAGE = /^https?:\/\/[^/]*\.execute-api\.[^/]*\/api\//;

/** Why something else than the service answered: the service never answers without a code. */
function inWords({ status, url }: Response): ['not_allowed' | 'unknown', string] {
  if (status !== 403)
    return [
      'unknown',
      `The service answered with status ${status}. Try again; if it goes on, tell its operator.`,
    ];
  const stage = 'Check that the base URL ends with its stage, such as /local or /prod.';
  return WITHOUT_STAGE.test(url)
    ? ['unknown', `The service answered with status 403. ${stage}`]
    : [
        'not_allowed',
        `This request is not allowed: a policy or a firewall before the service refused it with status 403. Ask its operator which networks may reach it. ${stage}`,
      ];
}

/** The error of an answer that is not a success. `body` is its parsed JSON, or its text. */
export function errorOfAnswer(response: Response, body: unknown): TunesmithError {
  const shared = {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: retryAfterOf(response),
    shouldRetry: shouldRetryOf(response),
  };
  if (!isProblem(body)) {
    const [code, message] = inWords(response);
    return new TunesmithError(message, { ...shared, code, details: [] });
  }
  return new TunesmithError(body.message, {
    ...shared,
    code: body.code,
    requestId: body.request_id,
    details: body.details,
  });
}

/** The error of a request that got no answer. */
export function errorOfNetwork(cause: unknown): TunesmithError {
  return new TunesmithError(
    'The service does not answer. Check the connection, then try again.',
    { status: 0, code: 'unreachable', requestId: null, details: [], retryAfterSeconds: null },
    { cause },
  );
}

/**
 * Waits for an answer and returns its data.
 * @throws {TunesmithError} if the service answers with an error, or does not answer
 */
export async function dataOf<T>(
  answer: Promise<{ readonly data?: T; readonly error?: unknown; readonly response: Response }>,
): Promise<T> {
  const { data, error, response } = await answer.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw errorOfNetwork(cause);
  });
  if (error !== undefined || data === undefined) throw errorOfAnswer(response, error);
  return data;
}
