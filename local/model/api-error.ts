/** An error response, in OpenAI's format. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly parameter: string | null;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    message: string,
    options: { code?: string; parameter?: string; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = options.code ?? null;
    this.parameter = options.parameter ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
  };
}

/** The body of an error; the type derives from the status as in OpenAI's API. */
export function toErrorBody(error: ApiError): ErrorBody {
  const type =
    error.status === 429
      ? 'rate_limit_error'
      : error.status >= 500
        ? 'server_error'
        : 'invalid_request_error';
  return { error: { message: error.message, type, param: error.parameter, code: error.code } };
}
