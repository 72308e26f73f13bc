import type { TurnPart, TurnRequest, TurnUsage } from '#shared/models/decide/turn.ts';
import { boundInput } from './budget.ts';
import { countPromptTokens, countTokens } from './count-tokens.ts';

export type TurnEnd = Extract<TurnPart, { type: 'end' }>;

/** Assumed reasoning speed for a call without usage data: tokens a second until its first token. */
const HIDDEN_TOKENS_PER_SECOND = 50;

/** What a model call has used, by its parts so far. */
export class TurnMeter {
  readonly #turn: TurnRequest;
  readonly #askedAt: number;
  #end: TurnEnd | null = null;
  /** Estimated tokens of what the model has written. */
  #written = 0;
  /** Items of the provider's tools: it reads the prompt again after each. */
  #calls = 0;
  #firstAt: number | null = null;

  /** @param askedAt milliseconds since the epoch */
  constructor(turn: TurnRequest, askedAt: number) {
    this.#turn = turn;
    this.#askedAt = askedAt;
  }

  get end(): TurnEnd | null {
    return this.#end;
  }

  /** Whether the model has answered at all. */
  get hasBegun(): boolean {
    return this.#firstAt !== null;
  }

  /** @param now milliseconds since the epoch */
  note(part: TurnPart, now: number): void {
    this.#firstAt ??= now;
    if (part.type === 'end') this.#end = part;
    if (part.type === 'provider_item') this.#calls += 1;
    if ('delta' in part) this.#written += countTokens(part.delta);
  }

  /** The provider's count, or an estimate where it sent none. @param now milliseconds since the epoch */
  usage(now: number): TurnUsage {
    return this.#end?.usage ?? this.#estimate(now, (1 + this.#calls) * countPromptTokens(this.#turn));
  }

  /**
   * What a caller who left before the end is billed: the provider's count, or else the most that its prompt can count, since
   * a prompt can be made whose estimate is far too low.
   * @param now milliseconds since the epoch
   * @param contextTokens maximum tokens of a prompt with its output
   */
  usageOfLeft(now: number, contextTokens: number): TurnUsage {
    return this.#end?.usage ?? this.#estimate(now, boundInput(this.#turn, contextTokens, this.#calls));
  }

  #estimate(now: number, inputTokens: number): TurnUsage {
    const hidden = (((this.#firstAt ?? now) - this.#askedAt) / 1000) * HIDDEN_TOKENS_PER_SECOND;
    return {
      inputTokens,
      cachedTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: this.#written + (this.#end === null ? Math.ceil(hidden) : 0),
      reasoningTokens: 0,
    };
  }
}
