/** What the service asks of a language model. Adapters: any OpenAI-compatible URL, Amazon Bedrock. */

export type { ModelRole } from '../../schema/model-role.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface GenerateRequest {
  readonly messages: readonly ChatMessage[];
  readonly maxOutputTokens: number;
  readonly temperature: number;
  /** Makes repeated calls answer alike where the provider can. */
  readonly seed?: number;
  /** JSON schema of the answer; the text is then JSON, which callers still parse defensively. */
  readonly jsonSchema?: { readonly name: string; readonly schema: Record<string, unknown> };
}

export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

export interface Generation {
  readonly text: string;
  readonly finishReason: 'stop' | 'length' | 'filtered';
  readonly usage: Usage;
}

/**
 * Why a call to a model did not answer.
 * `throttled` and `unavailable` can be asked again (after `retryAfterSeconds` where the provider says so);
 * `timeout` too; `rejected` (400, 401, 404, …) cannot; `garbage` is an answer that is not of the protocol.
 */
export type ModelFailureKind = 'throttled' | 'unavailable' | 'timeout' | 'rejected' | 'garbage';

export class ModelError extends Error {
  readonly kind: ModelFailureKind;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: ModelFailureKind,
    message: string,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ModelError';
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A model in one role. `signal` ends the call; an ended call rejects with the signal's reason. */
export interface ModelClient {
  /** The id that goes into the run's record. */
  readonly modelId: string;
  /** @throws {ModelError} */
  generate(request: GenerateRequest, signal?: AbortSignal): Promise<Generation>;
}

export interface EmbeddingClient {
  readonly modelId: string;
  /**
   * One unit-length vector a text, in order.
   * @throws {ModelError}
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
}
