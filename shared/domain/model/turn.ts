/** Interface to a model that answers callers: a conversation with tools in, an answer in pieces out. */

export type TurnContent =
  | { readonly type: 'text'; readonly text: string; readonly annotations?: readonly TurnAnnotation[] }
  /** A `data:` URL in base64 or an http(s) URL; how closely it is looked at, where the caller says so. */
  | { readonly type: 'image'; readonly url: string; readonly detail?: 'auto' | 'low' | 'high' | 'original' };

/** What a text of the assistant rests on, as the provider says it: links, most of all. Its places are in that text. */
export type TurnAnnotation = Readonly<Record<string, unknown>> & { readonly type: string };

/** One step of a conversation, in its order. */
export type TurnItem =
  | {
      readonly type: 'message';
      readonly role: 'system' | 'developer' | 'user' | 'assistant';
      readonly content: readonly TurnContent[];
      /** Of the assistant's: what its provider said that it is, such as `commentary`. */
      readonly phase?: string;
    }
  /** What the model thought before; `encrypted` as its provider gave it. */
  | { readonly type: 'reasoning'; readonly text: string; readonly encrypted: string | null }
  /** `arguments` is JSON text, as the model wrote it. */
  | { readonly type: 'tool_call'; readonly callId: string; readonly name: string; readonly arguments: string }
  | { readonly type: 'tool_result'; readonly callId: string; readonly output: string }
  /** An item of a tool that the provider runs itself, as it answered it. */
  | { readonly type: 'provider_item'; readonly item: Readonly<Record<string, unknown>> };

/** A tool that the model may call and the service, or the caller, answers for. */
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

/** Null leaves a setting to the provider. */
export interface TurnRequest {
  readonly instructions: string | null;
  readonly items: readonly TurnItem[];
  readonly tools: readonly TurnTool[];
  /** Tools that the provider runs itself, as the caller named them: only of types that the model `forwards`. */
  readonly providerTools: readonly Readonly<Record<string, unknown>>[];
  readonly toolChoice: 'auto' | 'none' | 'required' | { readonly name: string };
  readonly parallelToolCalls: boolean | null;
  readonly maxOutputTokens: number | null;
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly format: TurnFormat;
  readonly reasoning: { readonly effort: string | null; readonly summary: string | null } | null;
  /** What the caller wants to see of the provider's own tools besides, in OpenAI's words. */
  readonly include: readonly string[];
  /** For the provider's files and caches, and not for the answer: providers that know no such thing are told nothing. */
  readonly marks: TurnMarks;
  /** How long the provider may keep the prompt in its cache. */
  readonly cacheRetention: 'in_memory' | '24h' | null;
}

/** At most 64 characters each. */
export interface TurnMarks {
  readonly user: string | null;
  readonly safetyIdentifier: string | null;
  readonly cacheKey: string | null;
}

export interface TurnUsage {
  readonly inputTokens: number;
  /** Of the input, those that the provider had in its cache. */
  readonly cachedTokens: number;
  /** Of the input, those that the provider put into its cache, as far as it says so. */
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  /** Of the output, those that were thought and not said. */
  readonly reasoningTokens: number;
}

/**
 * A piece of an answer. `message` and `content` say where one begins, for providers that tell; else pieces of one kind that follow each other belong to one item; `tool_call` begins a call, and the
 * `tool_arguments` of its `index` belong to it. The last piece is `end`, and there is no other `end`.
 */
export type TurnPart =
  | { readonly type: 'message'; readonly phase: string | null }
  | { readonly type: 'content' }
  | { readonly type: 'text'; readonly delta: string }
  /** Of the text before it. */
  | { readonly type: 'annotation'; readonly annotation: TurnAnnotation }
  | { readonly type: 'refusal'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  /** What the provider makes of the reasoning in place of it; its paragraphs are counted from 0. */
  | { readonly type: 'reasoning_summary'; readonly part: number; readonly delta: string }
  /** What lets the provider take the reasoning up again; after its pieces. */
  | { readonly type: 'reasoning_state'; readonly encrypted: string }
  | { readonly type: 'tool_call'; readonly index: number; readonly callId: string; readonly name: string }
  | { readonly type: 'tool_arguments'; readonly index: number; readonly delta: string }
  /** What a tool of the provider's did, whole. */
  | { readonly type: 'provider_item'; readonly item: Readonly<Record<string, unknown>> }
  | {
      readonly type: 'end';
      readonly reason: 'stop' | 'length' | 'filtered' | 'tool_calls';
      /** Null where the provider did not say: the service then counts by itself. */
      readonly usage: TurnUsage | null;
    };

/** A model that answers callers. */
export interface AnsweringModel {
  /** As its provider calls it. */
  readonly modelId: string;
  /** Whether the provider runs tools of this type itself. */
  forwards(toolType: string): boolean;
  /**
   * Yields pieces as they come; an aborted `signal` ends the call, which then throws the signal's reason.
   * @throws {ModelError} `garbage` also where the stream ends without an `end`
   */
  answer(request: TurnRequest, signal: AbortSignal): AsyncGenerator<TurnPart, void>;
}
