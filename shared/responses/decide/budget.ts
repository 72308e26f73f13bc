import { costOf, MICROCREDITS } from '#shared/access/decide/meter.ts';
import type { Admission, AdmissionRequest } from '#shared/access/decide/usage-meter.ts';
import type { ChosenModel } from '#shared/models/decide/answering-models.ts';
import type { TurnFormat, TurnItem, TurnRequest } from '#shared/models/decide/turn.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ModelResponse } from '../schema/response.ts';
import { countPromptTokens } from './count-tokens.ts';
import { countImages } from './provider-items.ts';

/** The parts of a turn that determine the token count of a model call. */
export type CountedTurn = Pick<
  TurnRequest,
  | ('instructions' | 'items' | 'tools' | 'providerTools' | 'providerCallsMax' | 'format')
  | ('maxOutputTokens' | 'outputTokensReserved')
>;

/** Output limit of a response without `max_output_tokens` if the team cannot pay for a full context. */
export const OUTPUT_TOKENS_DEFAULT = 4096;

/** Upper bounds of the tokens for a chat template, a list of tools, each tool and an image. */
const FRAME_TOKENS_MAX = 16;
const TOOLS_TOKENS_MAX = 512;
const TOOL_TOKENS_MAX = 64;
const IMAGE_TOKENS_MAX = 16_384;

const bytesOf = (text: string): number => Buffer.byteLength(text);

function boundOfItem(item: TurnItem): number {
  switch (item.type) {
    case 'message':
      return item.content.reduce(
        (sum, part) => sum + (part.type === 'text' ? bytesOf(part.text) : IMAGE_TOKENS_MAX),
        FRAME_TOKENS_MAX,
      );
    case 'reasoning':
      return FRAME_TOKENS_MAX + bytesOf(item.text) + bytesOf(item.encrypted ?? '');
    case 'tool_call':
      return 2 * FRAME_TOKENS_MAX + bytesOf(`${item.callId}${item.name}${item.arguments}`);
    case 'tool_result':
      return 2 * FRAME_TOKENS_MAX + bytesOf(`${item.callId}${item.output}`);
    case 'provider_item':
      return (
        FRAME_TOKENS_MAX + bytesOf(JSON.stringify(item.item)) + IMAGE_TOKENS_MAX * countImages(item.item)
      );
  }
}

const boundOfFormat = (format: TurnFormat): number =>
  format.type === 'text' ? 0 : bytesOf(JSON.stringify(format));

/**
 * The maximum tokens of a model call's input. A token of a byte-level tokenizer is at least one byte of the prompt; a provider
 * that runs tools processes its context again after each tool call, with what they found.
 * @param contextTokens maximum tokens of a prompt with its output
 * @param calls calls of the provider's tools
 */
export function boundInput(
  { instructions, items, tools, format }: CountedTurn,
  contextTokens: number,
  calls: number,
): number {
  const described =
    tools.length === 0
      ? 0
      : TOOLS_TOKENS_MAX + TOOL_TOKENS_MAX * tools.length + bytesOf(JSON.stringify(tools));
  const prompt = items.reduce(
    (sum, item) => sum + boundOfItem(item),
    FRAME_TOKENS_MAX + bytesOf(instructions ?? '') + described + boundOfFormat(format),
  );
  return calls === 0 ? prompt : (1 + calls) * Math.max(prompt, contextTokens);
}

/** The maximum tokens of a model call. @param contextTokens maximum tokens of a prompt with its output */
export function boundTokens(
  turn: CountedTurn,
  contextTokens: number,
): { readonly input_tokens: number; readonly output_tokens: number } {
  const calls = turn.providerTools.length === 0 ? 0 : (turn.providerCallsMax ?? 0);
  return {
    input_tokens: boundInput(turn, contextTokens, calls),
    output_tokens: Math.min(turn.maxOutputTokens ?? contextTokens, contextTokens),
  };
}

/** Estimated tokens of a model call. */
const expectTokens = (turn: CountedTurn, contextTokens: number): number =>
  countPromptTokens(turn) + (turn.maxOutputTokens ?? Math.min(OUTPUT_TOKENS_DEFAULT, contextTokens));

const beyondBound = (microcredits: number): ServiceError =>
  new ServiceError(
    'credits_insufficient',
    `The answer could cost ${microcredits / MICROCREDITS} credits, more than max_credits allows. Raise max_credits, or lower max_output_tokens.`,
    { details: [{ path: 'max_credits', message: 'is less than the answer could cost' }] },
  );

const isUnaffordable = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'credits_insufficient';

/**
 * The budget of one response. Before each model call it reserves the maximum cost in addition to the cost of earlier
 * calls; at the end it bills the actual cost and returns the rest.
 */
export class Budget {
  readonly #chosen: ChosenModel;
  readonly #response: ModelResponse;
  readonly #admit: (request: AdmissionRequest) => Promise<Admission>;
  readonly #microcreditsMax: number;
  #admission: Admission | null = null;
  /** Whether the plan counts the tokens of the first call without the conversation, which is not read yet. */
  #isUnread = false;
  /** Millionths of a credit for the calls of the provider's tools so far. */
  #ofCalls = 0;

  /**
   * @param response the response in progress: its usage determines the cost
   * @param creditsMax the most credits that the caller lets it cost; null for any
   */
  constructor(
    chosen: ChosenModel,
    response: ModelResponse,
    admit: (request: AdmissionRequest) => Promise<Admission>,
    creditsMax: number | null = null,
  ) {
    this.#chosen = chosen;
    this.#response = response;
    this.#admit = admit;
    this.#microcreditsMax = creditsMax === null ? Number.POSITIVE_INFINITY : creditsMax * MICROCREDITS;
  }

  /**
   * Reserves what a response costs at least, before its conversation is read. The tokens of this are counted with those of its first
   * call: their number does not follow from the stored bytes, most of which are an image's or are not shown to the model.
   * @throws {ServiceError} `credits_insufficient`, `rate_limited`
   */
  async open(maxOutputTokens: number | null): Promise<void> {
    this.#isUnread = true;
    await this.reserve({
      ...{ instructions: null, items: [], tools: [], providerTools: [], providerCallsMax: null },
      ...{ format: { type: 'text' }, maxOutputTokens },
    });
  }

  /**
   * Reserves the maximum cost of a model call.
   * @returns the call with what is reserved for its output; with a limit if the team cannot pay for an unlimited one
   * @throws {ServiceError} `credits_insufficient`, `rate_limited`
   */
  async reserve<T extends CountedTurn>(turn: T): Promise<T> {
    try {
      await this.#reserve(turn);
      return this.#withReserved(turn);
    } catch (error) {
      const isLimited = turn.maxOutputTokens !== null || this.#chosen.contextTokens <= OUTPUT_TOKENS_DEFAULT;
      if (isLimited || !isUnaffordable(error)) throw error;
      const limited = { ...turn, maxOutputTokens: OUTPUT_TOKENS_DEFAULT };
      await this.#reserve(limited);
      return this.#withReserved(limited);
    }
  }

  #withReserved<T extends CountedTurn>(turn: T): T {
    const outputTokensReserved = boundTokens(turn, this.#chosen.contextTokens).output_tokens;
    return { ...turn, outputTokensReserved };
  }

  async #reserve(turn: CountedTurn): Promise<void> {
    const { price, contextTokens, toolPrices } = this.#chosen;
    const dearest = Math.max(0, ...turn.providerTools.map(({ type }) => toolPrices.get(String(type)) ?? 0));
    const microcredits =
      this.#cost() +
      costOf(price, boundTokens(turn, contextTokens)) +
      (turn.providerTools.length === 0 ? 0 : (turn.providerCallsMax ?? 0) * dearest);
    if (microcredits > this.#microcreditsMax) throw beyondBound(microcredits);
    const tokens = expectTokens(turn, contextTokens);
    if (this.#admission === null) this.#admission = await this.#admit({ microcredits, tokens });
    else if (!this.#isUnread) await this.#admission.reserve(microcredits);
    else {
      await this.#admission.reserve(microcredits, tokens);
      this.#isUnread = false;
    }
  }

  /** Counts an item that the provider made, also one that the response does not show. */
  count(item: Readonly<Record<string, unknown>>): void {
    this.#ofCalls += priceOfCall(item, this.#chosen.toolPrices);
  }

  /** The cost of the response so far, in microcredits. */
  #cost(): number {
    const { usage } = this.#response;
    return (usage === null ? 0 : costOf(this.#chosen.price, usage)) + this.#ofCalls;
  }

  /** Bills the response. One that counts no tokens and no priced call is free, also if its model was called. */
  async end(): Promise<void> {
    const { id, usage } = this.#response;
    const microcredits = this.#cost();
    if (usage === null && microcredits === 0) await this.#admission?.release();
    else {
      await this.#admission?.settle({
        response_id: id,
        model: this.#chosen.id,
        microcredits,
        input_tokens: usage?.input_tokens ?? 0,
        output_tokens: usage?.output_tokens ?? 0,
      });
    }
  }
}

/**
 * The price of a provider's item that is a call. Its type derives from the tool without its version (`web_search_call` of
 * `web_search_preview`). A call that the caller executes (it has a `call_id`) costs what its tool is priced at, if it is.
 */
function priceOfCall(
  { type, call_id: callId }: Readonly<Record<string, unknown>>,
  toolPrices: ReadonlyMap<string, number>,
): number {
  if (toolPrices.size === 0 || typeof type !== 'string' || !type.endsWith('_call')) return 0;
  const tool = type.slice(0, -'_call'.length);
  const [, price] = [...toolPrices].find(([priced]) => priced.startsWith(tool)) ?? [];
  return price ?? (typeof callId === 'string' ? 0 : Math.max(...toolPrices.values()));
}
