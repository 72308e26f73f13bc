import { costOf } from '#shared/access/decide/meter.ts';
import type { Admission, AdmissionRequest } from '#shared/access/decide/usage-meter.ts';
import type { ChosenModel } from '#shared/models/decide/answering-models.ts';
import type { TurnFormat, TurnItem, TurnRequest } from '#shared/models/decide/turn.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ModelResponse, OutputItem } from '../schema/response.ts';
import { countPromptTokens } from './count-tokens.ts';

/** The parts of a turn that determine the token count of a model call. */
export type CountedTurn = Pick<
  TurnRequest,
  'instructions' | 'items' | 'tools' | 'providerTools' | 'providerCallsMax' | 'format' | 'maxOutputTokens'
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
      return FRAME_TOKENS_MAX + bytesOf(JSON.stringify(item.item));
  }
}

const boundOfFormat = (format: TurnFormat): number =>
  format.type === 'text' ? 0 : bytesOf(JSON.stringify(format));

/**
 * The maximum tokens of a model call. A token of a byte-level tokenizer is at least one byte of the prompt; a provider
 * that runs tools processes its context again after each tool call.
 * @param contextTokens maximum tokens of a prompt with its output
 */
export function boundTokens(
  turn: CountedTurn,
  contextTokens: number,
): { readonly input_tokens: number; readonly output_tokens: number } {
  const { instructions, items, tools, providerTools, format } = turn;
  const described =
    tools.length === 0
      ? 0
      : TOOLS_TOKENS_MAX + TOOL_TOKENS_MAX * tools.length + bytesOf(JSON.stringify(tools));
  const prompt = items.reduce(
    (sum, item) => sum + boundOfItem(item),
    FRAME_TOKENS_MAX + bytesOf(instructions ?? '') + described + boundOfFormat(format),
  );
  const output = Math.min(turn.maxOutputTokens ?? contextTokens, contextTokens);
  if (providerTools.length === 0) return { input_tokens: prompt, output_tokens: output };
  const reads = 1 + (turn.providerCallsMax ?? 0);
  return { input_tokens: reads * Math.max(prompt, contextTokens), output_tokens: output };
}

/** Estimated tokens of a model call. */
const expectTokens = (turn: CountedTurn, contextTokens: number): number =>
  countPromptTokens(turn) + (turn.maxOutputTokens ?? Math.min(OUTPUT_TOKENS_DEFAULT, contextTokens));

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
  #admission: Admission | null = null;

  /** @param response the response in progress: its usage and its items determine the cost */
  constructor(
    chosen: ChosenModel,
    response: ModelResponse,
    admit: (request: AdmissionRequest) => Promise<Admission>,
  ) {
    this.#chosen = chosen;
    this.#response = response;
    this.#admit = admit;
  }

  /**
   * Reserves the maximum cost of a model call.
   * @returns the call; with an output limit if the team cannot pay for an unlimited one
   * @throws {ServiceError} `credits_insufficient`, `rate_limited`
   */
  async reserve<T extends CountedTurn>(turn: T): Promise<T> {
    try {
      await this.#reserve(turn);
      return turn;
    } catch (error) {
      const isLimited = turn.maxOutputTokens !== null || this.#chosen.contextTokens <= OUTPUT_TOKENS_DEFAULT;
      if (isLimited || !isUnaffordable(error)) throw error;
      const limited = { ...turn, maxOutputTokens: OUTPUT_TOKENS_DEFAULT };
      await this.#reserve(limited);
      return limited;
    }
  }

  async #reserve(turn: CountedTurn): Promise<void> {
    const { price, contextTokens, toolPrices } = this.#chosen;
    const dearest = Math.max(0, ...turn.providerTools.map(({ type }) => toolPrices.get(String(type)) ?? 0));
    const microcredits =
      this.#cost() +
      costOf(price, boundTokens(turn, contextTokens)) +
      (turn.providerTools.length === 0 ? 0 : (turn.providerCallsMax ?? 0) * dearest);
    if (this.#admission !== null) await this.#admission.reserve(microcredits);
    else {
      const tokens = expectTokens(turn, contextTokens);
      this.#admission = await this.#admit({ microcredits, tokens });
    }
  }

  /** The cost of the response so far, in microcredits. */
  #cost(): number {
    const { usage, output } = this.#response;
    const { price, toolPrices } = this.#chosen;
    const calls = output.reduce((sum, item) => sum + priceOfCall(item, toolPrices), 0);
    return (usage === null ? 0 : costOf(price, usage)) + calls;
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
 * The price of an output item that is a call of a provider tool: calls of other tools have a `call_id`, or are the
 * service's. Item types derive from the tool without its version (`web_search_call` of `web_search_preview`).
 */
function priceOfCall(item: OutputItem, toolPrices: ReadonlyMap<string, number>): number {
  const { type } = item;
  if (toolPrices.size === 0 || !type.endsWith('_call') || OWN_CALLS.has(type) || 'call_id' in item) return 0;
  const tool = type.slice(0, -'_call'.length);
  const [, price] = [...toolPrices].find(([priced]) => priced.startsWith(tool)) ?? [];
  return price ?? Math.max(...toolPrices.values());
}

const OWN_CALLS: ReadonlySet<string> = new Set(['mcp_call', 'file_search_call']);
