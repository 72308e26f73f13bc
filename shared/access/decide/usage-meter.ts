import type { Caller } from '#shared/platform/access/caller.ts';

export interface AnswerUsage {
  readonly response_id: string;
  readonly model: string;
  /** Cost of tokens and of provider tools. */
  readonly microcredits: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

export interface AdmissionRequest {
  /** Maximum cost of the first model call. */
  readonly microcredits: number;
  /** Estimated tokens, input and output: the plan counts them until the response ends. */
  readonly tokens: number;
}

/** Meters the cost of responses, in credits. */
export interface UsageMeter {
  /**
   * Reserves credits for a response, and checks the plan's limits of tokens a minute and concurrent responses. No model
   * call precedes it.
   * @throws {ServiceError} `credits_insufficient`, `rate_limited`
   */
  admit(caller: Caller, request: AdmissionRequest, now: number): Promise<Admission>;
}

/** The reservation for one response. */
export interface Admission {
  /**
   * Raises the reservation to at least this many microcredits, for all calls of the response together.
   * @param tokens what the plan counts of the response from now on, at least
   * @throws {ServiceError} `credits_insufficient`; `rate_limited` where the minute has too few tokens left
   */
  reserve(microcredits: number, tokens?: number): Promise<void>;
  /** Bills the response; a second call for the same response changes nothing. */
  settle(usage: AnswerUsage): Promise<void>;
  /** For a response without output: returns the whole reservation. */
  release(): Promise<void>;
}

/** Counts the tokens of a team's responses in windows of one minute. */
export interface TokenLimiter {
  /**
   * Counts the tokens that a response may take, at most the plan's limit for a minute, and returns the count; `now` is
   * in milliseconds since the epoch.
   * @param counted what is counted of them in this minute already
   * @throws ServiceError `rate_limited`, naming the limit, if the minute has too few tokens left.
   */
  admit(
    caller: Pick<Caller, 'team_id' | 'plan'>,
    tokens: number,
    now: number,
    counted?: number,
  ): Promise<number>;
  /** Adjusts the count of the minute of `at`, without checking the limit; a negative number reduces it. */
  add(teamId: string, tokens: number, at: number): Promise<void>;
}
