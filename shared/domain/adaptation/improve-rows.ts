import type { LanguageDetector } from '#shared/domain/evaluation/detect-language.ts';
import { AskFailure, type Asking, askModel, type CallMeter } from '#shared/domain/model/ask-model.ts';
import type { ModelClient } from '#shared/domain/model/port.ts';
import type { Length } from '#shared/schema/adaptation.ts';
import type { RowReason } from '#shared/schema/run-result.ts';
import { type Arbiter, speaksAnotherLanguage } from './arbiter.ts';
import { type LengthTarget, lengthTargetOf } from './length.ts';
import { IMPROVE_ANSWER_VERSION, improveAnswer } from './prompts/improve-answer.v1.ts';
import { REWRITE_PROMPT_VERSION, rewritePrompt } from './prompts/rewrite-prompt.v1.ts';
import { type ProducedCells, type RowProgram, readText, type SourceCells } from './row-program.ts';

export interface ImproveRowsOptions {
  readonly columns: {
    readonly prompt: string;
    readonly completion: string;
    readonly context: readonly string[];
  };
  readonly rephrasePrompts: boolean;
  readonly length: Length | null;
  readonly blueprint: string | null;
  readonly rewriteModel: ModelClient;
  readonly answerModel: ModelClient;
  readonly arbiter: Arbiter;
  readonly detectLanguage: LanguageDetector;
  /** Tokens that a request and its answer share; a row that cannot fit is not sent. */
  readonly contextTokensMax: number;
}

/** What goes into the run's record. */
export const IMPROVE_ROWS_PROMPTS: Readonly<Record<string, string>> = {
  rewrite: REWRITE_PROMPT_VERSION,
  answer: IMPROVE_ANSWER_VERSION,
};

/**
 * Improves rows of prompt, completion and context: rephrases the prompt where asked, writes a better completion,
 * and keeps the original of both where the arbiter finds the new completion worse for the original prompt.
 */
export function improveRows(options: ImproveRowsOptions): RowProgram {
  const { columns, arbiter, detectLanguage } = options;
  const length = lengthTargetOf(options.length);

  async function rephrase(prompt: string, asking: Asking, meter: CallMeter): Promise<string> {
    const rewritten = await askModel(options.rewriteModel, rewritePrompt(prompt), readText, asking, meter);
    const isOther =
      rewritten.length > 4 * prompt.length + 200 || speaksAnotherLanguage(prompt, rewritten, detectLanguage);
    return isOther ? prompt : rewritten;
  }

  return {
    columns: [columns.prompt, columns.completion, ...columns.context],

    original: (cells) => producedFrom(cells, columns),

    async run(cells, asking, meter) {
      const prompt = textOf(cells, columns.prompt);
      const completion = textOf(cells, columns.completion);
      const kept = (code: string, message: string) =>
        ({
          outcome: 'kept',
          reason: { code, message } as RowReason,
          cells: producedFrom(cells, columns),
        }) as const;
      if (prompt.trim() === '') {
        return kept('prompt_empty', 'The row has no prompt, so there is nothing to answer');
      }
      const context = columns.context.flatMap((name) => {
        const text = textOf(cells, name);
        return text.trim() === '' ? [] : [{ name, text }];
      });
      requireFit(
        [prompt, completion, options.blueprint ?? '', ...context.map(({ text }) => text)],
        length,
        options,
      );

      const enhancedPrompt = options.rephrasePrompts ? await rephrase(prompt, asking, meter) : prompt;
      const enhancedCompletion = await askModel(
        options.answerModel,
        improveAnswer({
          prompt: enhancedPrompt,
          draft: completion.trim(),
          context,
          length,
          blueprint: options.blueprint,
        }),
        readText,
        asking,
        meter,
      );
      if (enhancedPrompt === prompt && enhancedCompletion === completion) {
        return kept('already_good', 'The model left the row as it is');
      }
      if (completion.trim() === '') {
        return { outcome: 'changed', cells: producedCells(enhancedPrompt, enhancedCompletion) };
      }
      const isWorse = await arbiter.isWorse(
        {
          request: requestWithContext(prompt, context),
          original: completion,
          candidate: enhancedCompletion,
          length,
        },
        asking,
        meter,
      );
      return isWorse
        ? kept('scored_worse', 'The rewritten row scored worse than the original')
        : { outcome: 'changed', cells: producedCells(enhancedPrompt, enhancedCompletion) };
    },
  };
}

/** A request as a judge reads it: what it rests on stands with it. */
export function requestWithContext(
  prompt: string,
  context: readonly { readonly name: string; readonly text: string }[],
): string {
  return [prompt, ...context.map(({ name, text }) => `${name}: ${text}`)].join('\n');
}

function producedCells(prompt: string | null, completion: string | null): ProducedCells {
  return { enhanced_prompt: prompt, enhanced_completion: completion };
}

function producedFrom(cells: SourceCells, columns: ImproveRowsOptions['columns']): ProducedCells {
  return producedCells(cells.get(columns.prompt) ?? null, cells.get(columns.completion) ?? null);
}

function textOf(cells: SourceCells, column: string): string {
  return cells.get(column) ?? '';
}

/** Tokens that the prompts say themselves. */
const PROMPT_TOKENS = 700;

/** More UTF-8 bytes than tokenizers put into one token of prose, on average. */
const BYTES_PER_TOKEN = 5;

/**
 * Refuses a row that is sure not to fit, without a call. The estimate is low: what passes may still be refused by
 * the model, and is then reported the same way.
 */
function requireFit(
  texts: readonly string[],
  length: LengthTarget,
  { contextTokensMax }: Pick<ImproveRowsOptions, 'contextTokensMax'>,
): void {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const tokens = Math.ceil(bytes / BYTES_PER_TOKEN) + PROMPT_TOKENS + length.outputTokensMax;
  if (tokens > contextTokensMax) {
    throw new AskFailure(
      'row_too_long',
      `The row needs about ${tokens} tokens and the model takes ${contextTokensMax}: shorten it, or use a model with a longer context`,
    );
  }
}
