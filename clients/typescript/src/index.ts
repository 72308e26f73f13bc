import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { components, paths } from './schema.ts';

export type Schemas = components['schemas'];
export type Problem = Schemas['Problem'];
export type TunesmithClient = Client<paths>;

export interface TunesmithOptions {
  /** Address of the service with its stage, without `/api/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Sends the requests; by default the platform's `fetch`. */
  readonly fetch?: ClientOptions['fetch'];
}

/** An error that the service answers, or that nothing answers (`status` 0). */
export class TunesmithError extends Error {
  override readonly name = 'TunesmithError';
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Stable code of the error; `unreachable` when no answer came, `unknown` when the answer is not the service's. */
  readonly code: Problem['code'] | 'unreachable' | 'unknown';
  readonly requestId: string | null;
  readonly details: Problem['details'];
  /** Seconds to wait before the next attempt; null if the service names none. */
  readonly retryAfterSeconds: number | null;

  constructor(
    message: string,
    fields: Pick<TunesmithError, 'status' | 'code' | 'requestId' | 'details' | 'retryAfterSeconds'>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = fields.status;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.details = fields.details;
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }
}

/** Creates a client whose paths, parameters and answers are those of openapi.json. */
export function createTunesmith({ baseUrl, apiKey, fetch }: TunesmithOptions): TunesmithClient {
  return createFetchClient<paths>({
    baseUrl: baseUrl.replace(/\/$/, ''),
    headers: { authorization: `Bearer ${apiKey}` },
    ...(fetch === undefined ? {} : { fetch }),
  });
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'message' in body;
}

/** The error of an answer that is not a success. `body` is its parsed JSON, or its text. */
export function errorOfAnswer(response: Response, body: unknown): TunesmithError {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const shared = {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
  };
  if (!isProblem(body)) {
    return new TunesmithError(
      `The service answered with status ${response.status}. Try again; if it goes on, tell its operator.`,
      { ...shared, code: 'unknown', details: [] },
    );
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
