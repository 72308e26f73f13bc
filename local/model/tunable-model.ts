import { availableParallelism } from 'node:os';
import {
  type ChatWrapper,
  getLlama,
  type Llama,
  LlamaLogLevel,
  type LlamaModel,
  resolveChatWrapper,
  type Token,
} from 'node-llama-cpp';
import type { ChatTurn } from './requests.ts';
import { toHistoryItem } from './text-generator.ts';

/** Concurrent answers: as many as improve throughput on a laptop's threads. */
const sequencesMax = 4;
const contextStep = 256;
// One core stays free, as for the model server: llama.cpp's threads busy-wait for each other.
const threads = Math.min(Math.max(availableParallelism() - 1, 1), 8);

/** A model for its trainer: its tokenizer, and greedy answers with and without an adapter. */
export class TunableModel {
  readonly #llama: Llama;
  readonly #model: LlamaModel;
  readonly #template: ChatWrapper;

  private constructor(llama: Llama, model: LlamaModel) {
    this.#llama = llama;
    this.#model = model;
    // The same template as the model server, so that training and serving use the same format.
    this.#template = resolveChatWrapper(model, {
      type: 'jinjaTemplate',
      fallbackToOtherWrappersOnJinjaError: false,
    });
  }

  static async load(modelPath: string): Promise<TunableModel> {
    const llama = await getLlama({
      gpu: false,
      build: 'never',
      logLevel: LlamaLogLevel.error,
      maxThreads: threads,
    });
    return new TunableModel(llama, await llama.loadModel({ modelPath }));
  }

  /** Tokens of plain text, in which control tokens are not recognised. */
  tokenize(text: string): number[] {
    return [...this.#model.tokenize(text)];
  }

  /** A conversation in the model's template, up to the start of the answer. */
  encodeChat(messages: readonly ChatTurn[]): number[] {
    const history = messages.map(toHistoryItem);
    const { contextText } = this.#template.generateContextState({
      chatHistory: [...history, { type: 'model', response: [] }],
    });
    return [...contextText.tokenize(this.#model.tokenizer)];
  }

  /** The greedy answer to each prompt, up to its end or a maximum number of tokens. */
  async answer(
    prompts: readonly (readonly number[])[],
    options: { readonly tokensMax: number; readonly adapterPath?: string },
  ): Promise<string[]> {
    const longest = Math.max(...prompts.map((prompt) => prompt.length), 0) + options.tokensMax;
    const sequences = Math.min(sequencesMax, prompts.length);
    if (sequences === 0) return [];
    const { adapterPath } = options;
    const context = await this.#model.createContext({
      contextSize: Math.ceil(longest / contextStep) * contextStep,
      sequences,
      threads,
      ...(adapterPath === undefined ? {} : { lora: { adapters: [{ filePath: adapterPath }] } }),
    });
    try {
      const answers: string[] = [];
      const waiting = prompts.entries();
      await Promise.all(
        Array.from({ length: sequences }, async () => {
          const sequence = context.getSequence();
          for (const [index, prompt] of waiting) {
            // What the prompt begins like the one before it, the system message, is read already.
            await sequence.adaptStateToTokens(prompt.slice(0, -1) as Token[], false);
            const tokens: Token[] = [];
            const unread = prompt.slice(sequence.nextTokenIndex) as Token[];
            const generated = sequence.evaluate(unread, {
              temperature: 0,
              topP: 1,
              topK: 1,
            });
            for await (const token of generated) {
              if (this.#model.isEogToken(token)) break;
              tokens.push(token);
              if (tokens.length >= options.tokensMax) break;
            }
            answers[index] = this.#model.detokenize(tokens, false, []);
          }
        }),
      );
      return answers;
    } finally {
      await context.dispose();
    }
  }

  async dispose(): Promise<void> {
    await this.#llama.dispose();
  }
}
