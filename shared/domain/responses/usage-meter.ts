import type { Caller } from '../access/caller.ts';
import type { TokenPrice } from './answering-models.ts';

export interface AnswerUsage {
  readonly response_id: string;
  readonly model: string;
  readonly price: TokenPrice;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** Meters what answers cost, in credits. */
export interface UsageMeter {
  /**
   * Reserves credits for an answer of at most so many tokens, and checks the plan's tokens of this minute. It runs
   * in parallel to the model's call, so that it does not delay the first token.
   * @throws {ServiceError} `credits_insufficient`, `rate_limited`
   */
  admit(
    caller: Caller,
    estimate: { readonly price: TokenPrice; readonly input_tokens: number; readonly output_tokens: number },
    now: number,
  ): Promise<Admission>;
}

/** The reservation for one answer. */
export interface Admission {
  /** Bills the answer; for the same response a second call changes nothing. */
  settle(usage: AnswerUsage): Promise<void>;
  /** Of an answer that was none: returns all of it. */
  release(): Promise<void>;
}
