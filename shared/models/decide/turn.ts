/** Interface to a model for `POST /responses`: a conversation with tools as input, a stream of parts as output. */

export type TurnContent =
  | { readonly type: 'text'; readonly text: string; readonly annotations?: readonly TurnAnnotation[] }
  /** A `data:` URL in base64 or an http(s) URL; the level of detail if the caller sets it. */
  | { readonly type: 'image'; readonly url: string; readonly detail?: 'auto' | 'low' | 'high' | 'original' };

/** Annotations of an assistant text from the provider, mostly links. Offsets refer to that text. */
export type TurnAnnotation = Readonly<Record<string, unknown>> & { readonly type: string };

/** One item of a conversation, in order. */
export type TurnItem =
  | {
      readonly type: 'message';
      readonly role: 'system' | 'developer' | 'user' | 'assistant';
      readonly content: readonly TurnContent[];
      /** For assistant messages: the provider's phase, such as `commentary`. */
      readonly phase?: string;
    }
  /** Earlier reasoning of the model; `encrypted` is the provider's value. */
  | { readonly type: 'reasoning'; readonly text: string; readonly encrypted: string | null }
  /** `arguments` is JSON text, as the model generated it. */
  | { readonly type: 'tool_call'; readonly callId: string; readonly name: string; readonly arguments: string }
  | { readonly type: 'tool_result'; readonly callId: string; readonly output: string }
  /** An item of a tool that the provider runs, unchanged. */
  | { readonly type: 'provider_item'; readonly item: Readonly<Record<string, unknown>> };

/** A tool that the model may call and that the service, or the caller, executes. */
export interface TurnTool {
  /** At most 64 of `A-Za-z0-9_-`. */
  readonly name: string;
  readonly description: string | null;
  /** JSON schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly strict: boolean | null;
}

export type TurnFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly name: string;
      readonly description: string | null;
      readonly schema: Readonly<Record<string, unknown>>;
      readonly strict: boolean | null;
    };

/** A token and how likely it was. `bytes` are those of its text, which may be a part of a character. */
export interface LikelyToken {
  readonly token: string;
  readonly bytes: readonly number[];
  /** Natural logarithm of its probability. */
  readonly logprob: number;
}

/** A token of a text, with the tokens that were the most likely in its place. */
export interface TokenLogprob extends LikelyToken {
  readonly top_logprobs: readonly LikelyToken[];
}

/** What chat completions say of sampling, and responses do not. */
export interface Sampling {
  /** Texts at which the answer ends. */
  readonly stop?: readonly string[];
  readonly seed?: number;
}

/** Null means the provider's default. */
export interface TurnRequest extends Sampling {
  readonly instructions: string | null;
  readonly items: readonly TurnItem[];
  readonly tools: readonly TurnTool[];
  /** Tools that the provider runs, as the caller named them: only of types that the model `forwards`. */
  readonly providerTools: readonly Readonly<Record<string, unknown>>[];
  /** Maximum calls of the provider's tools; null without such tools. */
  readonly providerCallsMax: number | null;
  readonly toolChoice: 'auto' | 'none' | 'required' | { readonly name: string };
  readonly parallelToolCalls: boolean | null;
  readonly maxOutputTokens: number | null;
  /** The output tokens whose cost is set aside: a provider that can be told to stop there is, where the caller names no limit. */
  readonly outputTokensReserved?: number;
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly format: TurnFormat;
  readonly reasoning: { readonly effort: string | null; readonly summary: string | null } | null;
  /** For each token of the text, how likely it was, and so many of the most likely in its place; absent for none of it. */
  readonly logprobs?: number;
  /** Additional outputs of the provider's tools that the caller requests, in OpenAI's terms. */
  readonly include: readonly string[];
  /** Metadata for the provider's logs and caches; not sent to providers that do not support it. */
  readonly marks: TurnMarks;
  /** How long the provider may keep the prompt in its cache. */
  readonly cacheRetention: 'in_memory' | '24h' | null;
}

/** Types of tools that the service or the caller executes: no provider is asked to. */
export const OWN_TOOLS: readonly string[] = ['function', 'mcp', 'file_search'];

/** A call without tools and with the provider's default settings. */
export const PLAIN_TURN: Omit<TurnRequest, 'items'> = {
  instructions: null,
  tools: [],
  providerTools: [],
  providerCallsMax: null,
  toolChoice: 'auto',
  parallelToolCalls: null,
  maxOutputTokens: null,
  temperature: null,
  topP: null,
  format: { type: 'text' },
  reasoning: null,
  include: [],
  marks: { user: null, safetyIdentifier: null, cacheKey: null },
  cacheRetention: null,
};

/** At most 64 characters each. */
export interface TurnMarks {
  readonly user: string | null;
  readonly safetyIdentifier: string | null;
  readonly cacheKey: string | null;
}

export interface TurnUsage {
  readonly inputTokens: number;
  /** Input tokens that were in the provider's cache. */
  readonly cachedTokens: number;
  /** Input tokens that the provider wrote to its cache, if it reports them. */
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  /** Output tokens of reasoning. */
  readonly reasoningTokens: number;
}

/**
 * A part of a streamed answer. `message` and `content` mark the start of an item, for providers that send it; otherwise
 * consecutive parts of one kind belong to one item; `tool_call` starts a call, to which the `tool_arguments` of its
 * `index` belong. The last piece is `end`, and there is no other `end`.
 */
export type TurnPart =
  | { readonly type: 'message'; readonly phase: string | null }
  | { readonly type: 'content' }
  /** Text, with the probabilities of its tokens if they were asked for and the provider sends them. */
  | { readonly type: 'text'; readonly delta: string; readonly logprobs?: readonly TokenLogprob[] }
  /** Annotation of the preceding text. */
  | { readonly type: 'annotation'; readonly annotation: TurnAnnotation }
  | { readonly type: 'refusal'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  /** The provider's summary of the reasoning; its paragraphs count from 0. */
  | { readonly type: 'reasoning_summary'; readonly part: number; readonly delta: string }
  /** Encrypted state with which the provider continues the reasoning; sent after its parts. */
  | { readonly type: 'reasoning_state'; readonly encrypted: string }
  | { readonly type: 'tool_call'; readonly index: number; readonly callId: string; readonly name: string }
  | { readonly type: 'tool_arguments'; readonly index: number; readonly delta: string }
  /** The complete result of a provider's tool. */
  | { readonly type: 'provider_item'; readonly item: Readonly<Record<string, unknown>> }
  | {
      readonly type: 'end';
      readonly reason: 'stop' | 'length' | 'filtered' | 'tool_calls';
      /** Null if the provider did not send it: the service then counts tokens itself. */
      readonly usage: TurnUsage | null;
    };

/** A model for `POST /responses`. */
export interface AnsweringModel {
  /** The provider's model id. */
  readonly modelId: string;
  /** Whether the provider runs tools of this type itself. */
  forwards(toolType: string): boolean;
  /**
   * Yields parts as they arrive; an aborted `signal` cancels the call, which then throws the signal's reason.
   * @throws {ModelError} `garbage` also if the stream ends without an `end`
   */
  answer(request: TurnRequest, signal: AbortSignal): AsyncGenerator<TurnPart, void>;
}
