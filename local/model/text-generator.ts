import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ChatHistoryItem,
  type ChatWrapper,
  type Llama,
  type LlamaContext,
  type LlamaContextSequence,
  type LlamaGrammar,
  LlamaGrammarEvaluationState,
  type LlamaModel,
  resolveChatWrapper,
  type Token,
} from 'node-llama-cpp';
import { ApiError } from './api-error.ts';
import { chooseSequence } from './choose-sequence.ts';
import type { JsonSchema } from './grammar-schema.ts';
import { PromptStates } from './prompt-states.ts';
import type { ChatTurn } from './requests.ts';
import { SlotQueue } from './slot-queue.ts';
import { StopText } from './stop-text.ts';

export type AnswerFormat = 'text' | 'json' | { readonly schema: JsonSchema };

export interface Sampling {
  /** Maximum tokens; without it, as many as the context allows. */
  readonly maxTokens: number | undefined;
  readonly temperature: number;
  readonly topP: number;
  readonly seed: number | undefined;
  readonly stop: readonly string[];
  readonly frequencyPenalty: number;
  readonly presencePenalty: number;
  readonly format: AnswerFormat;
}

/** A validated request that fits the context. */
export interface Prompt {
  readonly tokens: readonly Token[];
  readonly maxTokens: number;
}

export interface Outcome {
  readonly finishReason: 'stop' | 'length';
  readonly completionTokens: number;
  /** Tokens of the prompt that were in the prefix cache. */
  readonly cachedTokens: number;
}

// llama.cpp's own default; the API has no field for it.
const topK = 40;
/** A long prompt is processed in pieces: in between, other answers continue, and disconnected clients are noticed. */
const promptPieceTokens = 256;
/** Maximum bytes of saved prompt states, for each generator: 30 of 600 tokens of the default model. */
const stateBytesMax = 512 * 1024 * 1024;
/** A character of four bytes may take as many tokens; longer runs of invalid bytes are emitted unchanged. */
const pendingTokensMax = 8;
/** Number of preceding tokens that determine spacing. */
const detokenizeContextTokens = 4;
/** The JSON schema grammar ends with these, so that the model can stop. */
const schemaGrammarEnd = '\n\n\n\n';

/** The weights of a language model, shared by several generators. */
export interface TextWeights {
  readonly llama: Llama;
  readonly model: LlamaModel;
}

export async function loadTextWeights(llama: Llama, modelPath: string): Promise<TextWeights> {
  return { llama, model: await llama.loadModel({ modelPath }) };
}

export interface GeneratorOptions {
  readonly contextTokens: number;
  /** Concurrent answers. */
  readonly sequences: number;
  readonly threads: number;
  /** Maximum waiting requests. */
  readonly waitingMax: number;
  /** A LoRA adapter in llama.cpp's format. */
  readonly adapterPath?: string;
  /** An existing directory for saved prompt states. */
  readonly statesDirectory: string;
}

/**
 * A language model with a fixed number of parallel sequences. Prompts are processed one after another, each from the
 * longest cached prefix of the sequence or of any saved state: a prefix that many concurrent requests share is
 * processed once.
 */
export class TextGenerator {
  readonly contextTokens: number;
  readonly #llama: Llama;
  readonly #model: LlamaModel;
  readonly #context: LlamaContext;
  readonly #template: ChatWrapper;
  readonly #queue: SlotQueue<LlamaContextSequence>;
  readonly #statesDirectory: string;
  readonly #states: PromptStates;
  /** The current prompt processing, and the queue behind it. */
  #reading: Promise<unknown> = Promise.resolve();
  #jsonGrammar: Promise<LlamaGrammar> | undefined;

  private constructor(
    { llama, model }: TextWeights,
    context: LlamaContext,
    queue: SlotQueue<LlamaContextSequence>,
    statesDirectory: string,
  ) {
    this.#llama = llama;
    this.#model = model;
    this.#context = context;
    // The chat template of the model file; message texts cannot open or close a turn, because only the template's own
    // markers become control tokens.
    this.#template = resolveChatWrapper(model, {
      type: 'jinjaTemplate',
      fallbackToOtherWrappersOnJinjaError: false,
    });
    this.#queue = queue;
    this.#statesDirectory = statesDirectory;
    this.#states = new PromptStates({ directory: statesDirectory, bytesMax: stateBytesMax });
    this.contextTokens = context.contextSize;
  }

  static async create(weights: TextWeights, options: GeneratorOptions): Promise<TextGenerator> {
    const { model } = weights;
    const { adapterPath } = options;
    const context = await model.createContext({
      contextSize: Math.min(options.contextTokens, model.trainContextSize),
      sequences: options.sequences,
      threads: options.threads,
      ...(adapterPath === undefined ? {} : { lora: { adapters: [{ filePath: adapterPath }] } }),
    });
    const sequences = Array.from({ length: options.sequences }, () => context.getSequence());
    const queue = new SlotQueue(sequences, { waitingMax: options.waitingMax, retryAfterSeconds: 5 });
    const directory = await mkdtemp(join(options.statesDirectory, 'generator-'));
    return new TextGenerator(weights, context, queue, directory);
  }

  /** Frees its memory and deletes its files; nothing may be generating. The weights stay. */
  async dispose(): Promise<void> {
    await this.#context.dispose();
    await rm(this.#statesDirectory, { recursive: true, force: true });
  }

  /**
   * Formats messages with the model's template; `opening` is the start of the answer, which is not generated.
   * @throws {ApiError} 400 `context_length_exceeded` if prompt and answer do not fit the context.
   */
  prepare(messages: readonly ChatTurn[], maxTokens: number | undefined, opening = ''): Prompt {
    const history = messages.map(toHistoryItem);
    const { contextText } = this.#template.generateContextState({
      chatHistory: [...history, { type: 'model', response: [] }],
    });
    const tokens = [
      ...contextText.tokenize(this.#model.tokenizer),
      ...(opening === '' ? [] : this.#model.tokenize(opening)),
    ];
    const room = this.contextTokens - tokens.length;
    if (room < (maxTokens ?? 1)) {
      throw new ApiError(
        400,
        `This model's context holds ${this.contextTokens} tokens. The messages have ${tokens.length}` +
          `${maxTokens === undefined ? '' : ` and ${maxTokens} are asked for in the answer`}. ` +
          'Shorten the messages or ask for fewer tokens.',
        { code: 'context_length_exceeded', parameter: 'messages' },
      );
    }
    return { tokens, maxTokens: maxTokens ?? room };
  }

  /**
   * Generates the answer and streams its text to `onText`.
   * @throws {ApiError} 400 for an unsupported schema, 429 if too many requests wait; the signal's reason if it aborts.
   */
  async generate(
    prompt: Prompt,
    sampling: Omit<Sampling, 'maxTokens'>,
    signal: AbortSignal,
    onText: (text: string) => void,
  ): Promise<Outcome> {
    const grammar = await this.#grammarFor(sampling.format);
    return this.#queue.use(
      async (sequence) => {
        const cachedTokens = await this.#inTurn(() => this.#readPrompt(sequence, prompt.tokens, signal));
        const answered = await this.#answer(sequence, prompt, sampling, grammar, signal, onText);
        return { ...answered, cachedTokens };
      },
      signal,
      (free) => chooseSequence(free, prompt.tokens),
    );
  }

  /** Serialises prompt processing: two at once would process a shared prefix twice. */
  #inTurn<Result>(read: () => Promise<Result>): Promise<Result> {
    const turn = this.#reading.then(read);
    this.#reading = turn.catch(() => undefined);
    return turn;
  }

  /** Processes all of a prompt except its last token; returns the number of cached tokens. */
  async #readPrompt(
    sequence: LlamaContextSequence,
    tokens: readonly Token[],
    signal: AbortSignal,
  ): Promise<number> {
    signal.throwIfAborted();
    // The last token is always processed: its evaluation gives the first token of the answer.
    const prompt = tokens.slice(0, -1);
    await this.#states.restore(sequence, prompt);
    await sequence.adaptStateToTokens(prompt, false);
    const heldTokens = sequence.nextTokenIndex;
    while (sequence.nextTokenIndex < prompt.length) {
      const from = sequence.nextTokenIndex;
      await sequence.evaluateWithoutGeneratingNewTokens(prompt.slice(from, from + promptPieceTokens));
      signal.throwIfAborted();
    }
    await this.#states.save(sequence, prompt.length - heldTokens);
    return heldTokens;
  }

  async #answer(
    sequence: LlamaContextSequence,
    prompt: Prompt,
    sampling: Omit<Sampling, 'maxTokens'>,
    grammar: LlamaGrammar | undefined,
    signal: AbortSignal,
    onText: (text: string) => void,
  ): Promise<Omit<Outcome, 'cachedTokens'>> {
    const generated: Token[] = [];
    const stop = new StopText(
      typeof sampling.format === 'object' ? [...sampling.stop, schemaGrammarEnd] : sampling.stop,
    );
    const show = (text: string) => {
      if (text !== '') onText(text);
    };
    let pending: Token[] = [];
    const takePending = () => {
      const before = generated.slice(0, generated.length - pending.length);
      const text = this.#model.detokenize(pending, false, before.slice(-detokenizeContextTokens));
      return text;
    };

    let finishReason: Outcome['finishReason'] = 'stop';
    for await (const token of sequence.evaluate(prompt.tokens.slice(sequence.nextTokenIndex), {
      temperature: sampling.temperature,
      topP: sampling.topP,
      topK,
      ...(sampling.seed === undefined ? {} : { seed: sampling.seed }),
      ...(grammar === undefined
        ? {}
        : { grammarEvaluationState: new LlamaGrammarEvaluationState({ model: this.#model, grammar }) }),
      ...penaltiesOf(sampling, generated),
    })) {
      signal.throwIfAborted();
      generated.push(token);
      pending.push(token);
      const text = takePending();
      if (!text.endsWith('\uFFFD') || pending.length >= pendingTokensMax) {
        show(stop.push(text));
        pending = [];
      }
      if (stop.stopped) break;
      if (generated.length >= prompt.maxTokens) {
        finishReason = 'length';
        break;
      }
    }
    if (pending.length > 0) show(stop.push(takePending()));
    show(stop.flush());
    return { finishReason, completionTokens: generated.length };
  }

  async #grammarFor(format: AnswerFormat): Promise<LlamaGrammar | undefined> {
    if (format === 'text') return undefined;
    if (format === 'json') {
      this.#jsonGrammar ??= this.#llama.getGrammarFor('json');
      return this.#jsonGrammar;
    }
    try {
      return await this.#llama.createGrammarForJsonSchema(format.schema);
    } catch (error) {
      throw new ApiError(400, `No grammar can be made of the schema: ${String(error)}`, {
        code: 'invalid_json_schema',
        parameter: 'response_format',
      });
    }
  }
}

/** A turn in node-llama-cpp's format. */
export function toHistoryItem(turn: ChatTurn): ChatHistoryItem {
  return turn.role === 'assistant'
    ? { type: 'model', response: [turn.content] }
    : { type: turn.role, text: turn.content };
}

function penaltiesOf(sampling: Omit<Sampling, 'maxTokens'>, generated: readonly Token[]) {
  if (sampling.frequencyPenalty === 0 && sampling.presencePenalty === 0) return {};
  return {
    repeatPenalty: {
      punishTokens: () => [...generated],
      maxPunishTokens: 1_024,
      penalty: 1,
      frequencyPenalty: sampling.frequencyPenalty,
      presencePenalty: sampling.presencePenalty,
    },
  };
}
