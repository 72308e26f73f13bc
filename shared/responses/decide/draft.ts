import type { TurnUsage } from '#shared/models/decide/turn.ts';
import type { EventBody, ModelResponse, OutputItem, ResponseEvent } from '../schema/response.ts';
import { AnswerFailed } from './answer-failed.ts';

/** Maximum characters of a response, including tool outputs: a model or a tool may never stop. */
export const ANSWER_CHARACTERS_MAX = 16 * 1024 * 1024;

/** How a response ends. */
export type Ending =
  | { readonly status: 'completed' }
  | { readonly status: 'incomplete'; readonly reason: 'max_output_tokens' | 'content_filter' }
  | { readonly status: 'failed'; readonly error: { readonly code: string; readonly message: string } };

/** A response in progress: its items so far, its usage, and the sequence numbers of its events. */
export class Draft {
  readonly response: ModelResponse;
  /** Item fields that the caller did not request but later turns need, by item id. */
  readonly withheld: Record<string, Readonly<Record<string, unknown>>> = {};
  readonly #now: () => number;
  readonly #done = new Set<number>();
  #sequence = 0;
  #characters = 0;

  /** @param begun the response without output; @param now milliseconds since the epoch */
  constructor(begun: ModelResponse, now: () => number) {
    this.response = begun;
    this.#now = now;
  }

  number(body: EventBody): ResponseEvent {
    const event = { ...body, sequence_number: this.#sequence };
    this.#sequence += 1;
    if (body.type === 'response.output_item.done') this.#done.add(body.output_index);
    return event;
  }

  /** Adds an item. @returns its index in the output */
  place(item: OutputItem): number {
    return this.response.output.push(item) - 1;
  }

  /**
   * Counts characters of the response.
   * @throws {AnswerFailed} above the limit
   */
  grow(characters: number): void {
    this.#characters += characters;
    if (this.#characters <= ANSWER_CHARACTERS_MAX) return;
    throw new AnswerFailed(
      'answer_too_large',
      `The answer and its tool outputs have more than ${ANSWER_CHARACTERS_MAX} characters. Lower max_output_tokens, top_logprobs or max_tool_calls.`,
    );
  }

  /** Adds the usage of a model call. */
  count({ inputTokens, cachedTokens, cacheWriteTokens, outputTokens, reasoningTokens }: TurnUsage): void {
    const used = this.response.usage;
    const details = used?.input_tokens_details;
    const input = (used?.input_tokens ?? 0) + inputTokens;
    const output = (used?.output_tokens ?? 0) + outputTokens;
    this.response.usage = {
      input_tokens: input,
      input_tokens_details: {
        cached_tokens: (details?.cached_tokens ?? 0) + cachedTokens,
        cache_write_tokens: (details?.cache_write_tokens ?? 0) + cacheWriteTokens,
      },
      output_tokens: output,
      output_tokens_details: {
        reasoning_tokens: (used?.output_tokens_details.reasoning_tokens ?? 0) + reasoningTokens,
      },
      total_tokens: input + output,
    };
  }

  /** The first two events of every response. */
  beginning(): ResponseEvent[] {
    const response = { ...this.response, output: [], usage: null };
    return [
      this.number({ type: 'response.created', response }),
      this.number({ type: 'response.in_progress', response }),
    ];
  }

  /**
   * Closes unfinished items: they become `incomplete`, except calls that finished without an event. Later events do
   * not change them.
   */
  *abandon(): Generator<EventBody> {
    const { output } = this.response;
    for (const [index, item] of output.entries()) {
      if (this.#done.has(index)) continue;
      const ended = (
        'status' in item && item.status === 'in_progress' ? { ...item, status: 'incomplete' } : { ...item }
      ) as OutputItem;
      output[index] = ended;
      yield { type: 'response.output_item.done', output_index: index, item: ended };
    }
  }

  /** Ends the response in its current state. @returns the final event, without a sequence number */
  close(ending: Ending): EventBody {
    const { response } = this;
    response.status = ending.status;
    response.completed_at = ending.status === 'completed' ? Math.floor(this.#now() / 1000) : null;
    response.incomplete_details = ending.status === 'incomplete' ? { reason: ending.reason } : null;
    response.error = ending.status === 'failed' ? { ...ending.error } : null;
    return { type: `response.${ending.status}`, response };
  }
}
