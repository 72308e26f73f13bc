import type { ChatTurn } from '#local/model/requests.ts';
import { contentOf, toTurns } from '#local/model/tool-calls.ts';
import type { TuningMethod } from '#shared/training/schema/training.ts';
import type { DataFormat, TrainedAnswer, TrainingExample } from '#shared/training/schema/training-job.ts';
import { RefusedError } from './errors.ts';
import type { Encoded } from './packing.ts';

/** A model's tokenizer and template. */
export interface Tokenizer {
  /** Tokens of plain text, in which control tokens are not recognised. */
  tokenize(text: string): number[];
  /** A conversation in the model's template, up to the start of the answer. */
  encodeChat(messages: readonly ChatTurn[]): number[];
  /** Ends a turn. */
  readonly endOfTurn: number;
  /** Ends a document. */
  readonly endOfText: number;
}

export interface CutText extends Encoded {
  readonly isCut: boolean;
}

/** What is asked in a row. */
export type Asked = Pick<TrainingExample, 'messages' | 'tools'>;

/**
 * Tokenizes prompts and completions, separately, as in generation. Tools, calls and their results are texts in the format in
 * which the model server tells them to the model and reads its calls.
 */
export class TextFormat {
  readonly #tokenizer: Tokenizer;
  readonly #format: DataFormat;
  readonly #contextTokens: number;

  constructor(tokenizer: Tokenizer, format: DataFormat, contextTokens: number) {
    this.#tokenizer = tokenizer;
    this.#format = format;
    this.#contextTokens = contextTokens;
  }

  /** The texts of a row for a stage: one, or the chosen and the rejected one. */
  encodeRow(example: TrainingExample, method: TuningMethod, trainOnInputs: boolean | null): CutText[] {
    if (method === 'dpo') {
      const { chosen, rejected } = example;
      if (chosen === undefined || rejected === undefined) {
        throw new RefusedError(`Row ${example.row} has no pair of a chosen and a rejected completion.`);
      }
      return [this.encode(example, chosen), this.encode(example, rejected)];
    }
    const isEmptyPrompt = example.messages.every(({ content }) => content.trim() === '');
    return [this.encode(example, preferredOf(example), trainOnInputs ?? isEmptyPrompt)];
  }

  /** A text, truncated to the context: first the start of its prompt, then the end of its completion. */
  encode(example: TrainingExample, completion: TrainedAnswer, learnsPrompt = false): CutText {
    const reasoning =
      example.reasoning === undefined || completion === example.rejected
        ? ''
        : `<think>\n${example.reasoning}\n</think>\n\n`;
    const prompt = this.#promptOf(example);
    const answer = [...this.#tokenizer.tokenize(reasoning + answerText(completion)), this.#end];
    const surplus = Math.max(prompt.length + answer.length - this.#contextTokens, 0);
    const keptPrompt = prompt.slice(Math.min(surplus, prompt.length));
    return {
      tokens: Int32Array.from([...keptPrompt, ...answer.slice(0, this.#contextTokens)]),
      start: learnsPrompt ? 0 : keptPrompt.length,
      isCut: surplus > 0,
    };
  }

  /** A prompt for generation: truncated at its start if it leaves too few tokens for the answer. */
  encodePrompt(asked: Asked, answerTokens: number): number[] {
    const room = Math.max(this.#contextTokens - answerTokens, Math.floor(this.#contextTokens / 2), 1);
    return this.#promptOf(asked).slice(-room);
  }

  get #end(): number {
    return this.#format === 'chat' ? this.#tokenizer.endOfTurn : this.#tokenizer.endOfText;
  }

  #promptOf({ messages, tools = [] }: Asked): number[] {
    const turns = toTurns(
      messages,
      tools.map((tool) => tool.function),
    );
    return this.#format === 'chat'
      ? this.#tokenizer.encodeChat(turns)
      : this.#tokenizer.tokenize(turns.map(({ content }) => `${content}\n\n`).join(''));
  }
}

/** An answer as the model writes it. */
export const answerText = (answer: TrainedAnswer): string =>
  typeof answer === 'string' ? answer : contentOf(answer);

/** The answer in what a model wrote: what follows its reasoning; empty if that did not end. */
export function withoutReasoning(text: string): string {
  const end = text.lastIndexOf('</think>');
  if (end >= 0) return text.slice(end + '</think>'.length).trim();
  return text.trimStart().startsWith('<think>') ? '' : text;
}

/**
 * The reference answer: the completion, or the chosen answer.
 * @throws {RefusedError} for a row without either.
 */
export function preferredOf(example: TrainingExample): TrainedAnswer {
  const answer = example.completion ?? example.chosen;
  if (answer === undefined) throw new RefusedError(`Row ${example.row} has no completion.`);
  return answer;
}
