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
   * Makes sure that the team can pay for an answer of at most so many tokens, and that its plan allows them this minute.
   * Runs beside the model's call, so nothing waits for it before the first token that it does not also wait for.
   * @throws {ServiceError} `credits_insufficient`, `rate_limited`
   */
  admit(
    caller: Caller,
    estimate: { readonly price: TokenPrice; readonly input_tokens: number; readonly output_tokens: number },
    now: number,
  ): Promise<Admission>;
}

/** What was set aside for one answer. */
export interface Admission {
  /** Bills the answer; for the same response a second call changes nothing. */
  settle(usage: AnswerUsage): Promise<void>;
  /** Of an answer that was none: returns all of it. */
  release(): Promise<void>;
}
