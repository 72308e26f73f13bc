/** Interface to a language model. Adapters: any OpenAI-compatible URL, Amazon Bedrock. */

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** Images that the text speaks of, as `data:` URLs in base64 or as http(s) URLs; only for models that see. */
  readonly images?: readonly string[];
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
 * `throttled` and `unavailable` can be asked again (after `retryAfterSeconds` where the provider says so), and so
 * can `timeout`. `garbage` is an answer that is not of the protocol. `too_long` says that this request does not
 * fit the model's context and `rejected` that it is refused for another reason: the same request never succeeds.
 * `misconfigured` (key, model id, access, quota) says that no request will succeed until someone mends it.
 */
export type ModelFailureKind =
  | 'throttled'
  | 'unavailable'
  | 'timeout'
  | 'garbage'
  | 'too_long'
  | 'rejected'
  | 'misconfigured';

export class ModelError extends Error {
  readonly kind: ModelFailureKind;
  readonly retryAfterSeconds: number | undefined;
  /** Of a request to `POST /responses`, what was rejected: its path there. */
  readonly requestField: string | undefined;

  /** `message` names the endpoint's answer, never the text that was sent or received. */
  constructor(
    kind: ModelFailureKind,
    message: string,
    options: {
      retryAfterSeconds?: number | undefined;
      requestField?: string | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ModelError';
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.requestField = options.requestField;
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
