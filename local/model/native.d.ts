// The part of the native packages' API that the model server uses. They are installed on demand, so type checking must
// not require them.

declare module 'node-llama-cpp' {
  export type Token = number & { readonly brand?: 'token' };

  export enum LlamaLogLevel {
    error = 'error',
  }

  export interface LlamaText {
    tokenize(tokenizer: unknown): Token[];
  }

  export type ChatHistoryItem =
    | { readonly type: 'system'; readonly text: string }
    | { readonly type: 'user'; readonly text: string }
    | { readonly type: 'model'; readonly response: readonly string[] };

  export interface ChatWrapper {
    readonly wrapperName: string;
    generateContextState(options: { chatHistory: readonly ChatHistoryItem[] }): { contextText: LlamaText };
  }

  export interface LlamaGrammar {
    readonly grammar: string;
  }

  export class LlamaGrammarEvaluationState {
    constructor(options: { model: LlamaModel; grammar: LlamaGrammar });
  }

  export interface LlamaContextSequence {
    clearHistory(): Promise<void>;
    readonly contextTokens: readonly Token[];
    readonly nextTokenIndex: number;
    adaptStateToTokens(tokens: readonly Token[], allowShift: boolean): Promise<void>;
    saveStateToFile(path: string): Promise<{ readonly fileSize: number }>;
    loadStateFromFile(path: string, options: { readonly acceptRisk: true }): Promise<void>;
    evaluateWithoutGeneratingNewTokens(tokens: readonly Token[]): Promise<void>;
    evaluate(
      tokens: readonly Token[],
      options: {
        temperature: number;
        topP: number;
        topK: number;
        seed?: number;
        grammarEvaluationState?: LlamaGrammarEvaluationState;
        repeatPenalty?: {
          punishTokens: () => Token[];
          maxPunishTokens: number;
          penalty: number;
          frequencyPenalty: number;
          presencePenalty: number;
        };
      },
    ): AsyncGenerator<Token, void, void>;
  }

  export interface LlamaContext {
    dispose(): Promise<void>;
    readonly contextSize: number;
    getSequence(): LlamaContextSequence;
  }

  export interface LlamaModel {
    readonly trainContextSize: number;
    readonly tokenizer: unknown;
    tokenize(text: string): Token[];
    isEogToken(token: Token): boolean;
    detokenize(tokens: readonly Token[], specialTokens: boolean, lastTokens: readonly Token[]): string;
    createContext(options: {
      contextSize: number;
      sequences: number;
      threads: number;
      lora?: { readonly adapters: readonly { readonly filePath: string }[] };
    }): Promise<LlamaContext>;
  }

  export interface Llama {
    /** Threads of all contexts together; it can be changed during evaluation. */
    maxThreads: number;
    dispose(): Promise<void>;
    loadModel(options: { modelPath: string }): Promise<LlamaModel>;
    createGrammarForJsonSchema(schema: unknown): Promise<LlamaGrammar>;
    getGrammarFor(type: 'json'): Promise<LlamaGrammar>;
  }

  export interface GgufTensorInfo {
    readonly name: string;
    readonly dimensions: readonly (number | bigint)[];
    readonly ggmlType: number;
    readonly fileOffset: number | bigint;
  }

  export function readGgufFileInfo(
    path: string,
    options: { sourceType: 'filesystem' },
  ): Promise<{
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly fullTensorInfo?: readonly GgufTensorInfo[];
  }>;

  export function getLlama(options: {
    gpu: false;
    build: 'never';
    logLevel: LlamaLogLevel;
    maxThreads: number;
  }): Promise<Llama>;

  export function resolveChatWrapper(
    model: LlamaModel,
    options: { type: 'jinjaTemplate'; fallbackToOtherWrappersOnJinjaError: false },
  ): ChatWrapper;
}

declare module 'onnxruntime-node' {
  export class Tensor {
    constructor(type: 'int64', data: BigInt64Array, dimensions: readonly number[]);
    readonly data: Float32Array;
    readonly dims: readonly number[];
  }

  export interface InferenceSession {
    readonly inputNames: readonly string[];
    readonly outputNames: readonly string[];
    run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
  }

  export const InferenceSession: {
    create(path: string, options: { intraOpNumThreads: number }): Promise<InferenceSession>;
  };
}

declare module '@huggingface/tokenizers' {
  export class Tokenizer {
    constructor(tokenizer: object, config: object);
    encode(text: string): { readonly ids: readonly number[] };
  }
}
