import type { OptionalPart } from '#shared/platform/schema/optional-part.ts';

/** Interface to a language model. Adapters: any OpenAI-compatible URL, Amazon Bedrock. */

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** Images for the text, as `data:` URLs in base64 or as http(s) URLs; only for vision models. */
  readonly images?: readonly string[];
}

export interface GenerateRequest {
  readonly messages: readonly ChatMessage[];
  readonly maxOutputTokens: number;
  readonly temperature: number;
  /** Makes repeated calls deterministic if the provider supports it. */
  readonly seed?: number;
  /** JSON schema of the answer; the text is then JSON, which callers still parse defensively. */
  readonly jsonSchema?: {
    readonly name: string;
    readonly schema: Record<string, unknown>;
    /**
     * Whether its enums are of this request alone. A provider that compiles each new schema for minutes takes them out, so
     * the messages list the choices too, and the answer is held against them.
     */
    readonly choicesVary?: true;
  };
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
 * Why a model call failed. `throttled`, `unavailable` and `timeout` can be retried (after `retryAfterSeconds` if the
 * provider sends it). `garbage` is a response that violates the protocol. `too_long` says that this request does not
 * fit the model's context and `rejected` that the model rejects it for another reason: the same request never succeeds.
 * `exhausted` says that the tokens of the day, or the credits of the account, are used up: no request succeeds until they
 * are there again. `misconfigured` (key, model id, access) says that no request succeeds until the configuration is fixed.
 */
export type ModelFailureKind =
  | 'throttled'
  | 'unavailable'
  | 'timeout'
  | 'garbage'
  | 'too_long'
  | 'rejected'
  | 'exhausted'
  | 'misconfigured';

export class ModelError extends Error {
  readonly kind: ModelFailureKind;
  readonly retryAfterSeconds: number | undefined;
  /** For a request to `POST /responses`, the path of the rejected field. */
  readonly requestField: string | undefined;

  /** What callers are told, where more can be said than that the model does not answer. */
  readonly toldCaller: string | undefined;

  /** Whether the model is being started, and has read nothing of the request. */
  readonly isStarting: boolean;

  /** `message` describes the endpoint's response, without any text that was sent or received. */
  constructor(
    kind: ModelFailureKind,
    message: string,
    options: {
      retryAfterSeconds?: number | undefined;
      requestField?: string | undefined;
      toldCaller?: string | undefined;
      isStarting?: boolean | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ModelError';
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.requestField = options.requestField;
    this.toldCaller = options.toldCaller;
    this.isStarting = options.isStarting ?? false;
  }
}

/** Called when a part is left out of a request. An endpoint calls it once for each model and part. */
export type OnLeftOut = (modelId: string, part: OptionalPart) => void;

/** A model in one role. `signal` cancels the call, which then rejects with the signal's reason. */
export interface ModelClient {
  /** The model id in the run's record. */
  readonly modelId: string;
  /** @throws {ModelError} */
  generate(request: GenerateRequest, signal?: AbortSignal): Promise<Generation>;
}

export interface EmbeddingClient {
  readonly modelId: string;
  /**
   * Returns one unit-length vector for each text, in order.
   * @throws {ModelError}
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
}
