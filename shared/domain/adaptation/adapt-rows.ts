import type { LanguageDetector } from '#shared/domain/evaluation/detect-language.ts';
import { AskFailure, type Asking, askModel, type CallMeter } from '#shared/domain/model/ask-model.ts';
import type { ModelClient } from '#shared/domain/model/port.ts';
import type { RowReason } from '#shared/schema/run-result.ts';
import { type Arbiter, speaksAnotherLanguage } from './arbiter.ts';
import { type LengthTarget, lengthTargetOf } from './length.ts';
import { IMPROVE_ANSWER_VERSION, improveAnswer } from './prompts/improve-answer.v1.ts';
import { REWRITE_PROMPT_VERSION, rewritePrompt } from './prompts/rewrite-prompt.v1.ts';
import { materialReader, type RowMaterial, requestOf } from './row-material.ts';
import { type ProducedCells, type RowProgram, type RowVerdict, readText } from './row-program.ts';
import type { AdaptationSpecification } from './specification.ts';

export interface AdaptRowsOptions {
  readonly specification: AdaptationSpecification;
  readonly rewriteModel: ModelClient;
  readonly answerModel: ModelClient;
  readonly arbiter: Arbiter;
  readonly detectLanguage: LanguageDetector;
  /** Tokens that a request and its answer share; a row that cannot fit is not sent. */
  readonly contextTokensMax: number;
}

/** What goes into the run's record. */
export const ADAPT_ROWS_PROMPTS: Readonly<Record<string, string>> = {
  rewrite: REWRITE_PROMPT_VERSION,
  answer: IMPROVE_ANSWER_VERSION,
};

/**
 * Adapts rows as a run's specification says: reads the row, words its prompt, writes a better completion, and keeps
 * the original of both where the arbiter finds the new completion worse for the original prompt.
 */
export function adaptRows(options: AdaptRowsOptions): RowProgram {
  const { specification, arbiter, detectLanguage } = options;
  const reader = materialReader(specification);
  const length = lengthTargetOf(specification.length);

  async function wordPrompt(material: RowMaterial, asking: Asking, meter: CallMeter): Promise<string> {
    const { prompt } = material;
    if (!specification.prompt_rephrase || prompt.trim() === '') return prompt;
    const rewritten = await askModel(options.rewriteModel, rewritePrompt(prompt), readText, asking, meter);
    const isOther =
      rewritten.length > 4 * prompt.length + 200 || speaksAnotherLanguage(prompt, rewritten, detectLanguage);
    return isOther ? prompt : rewritten;
  }

  function originalOf(cells: Parameters<RowProgram['original']>[0]): ProducedCells {
    const { prompt, completion } = reader.original(cells);
    return { enhanced_prompt: prompt, enhanced_completion: completion };
  }

  return {
    columns: reader.columns,

    original: originalOf,

    async run(cells, asking, meter): Promise<RowVerdict> {
      const kept = (reason: RowReason): RowVerdict => ({
        outcome: 'kept',
        reason,
        cells: originalOf(cells),
      });
      const material = reader.read(cells);
      if ('skip' in material) return kept(material.skip);
      requireFit(material, length, options);

      const prompt = await wordPrompt(material, asking, meter);
      const completion = await askModel(
        options.answerModel,
        improveAnswer({
          history: material.history,
          prompt,
          draft: material.completion.trim(),
          context: material.context,
          length,
          blueprint: specification.blueprint,
        }),
        readText,
        asking,
        meter,
      );
      if (prompt === material.prompt && completion === material.completion) {
        return kept({ code: 'already_good', message: 'The model left the row as it is' });
      }
      const changed: RowVerdict = {
        outcome: 'changed',
        cells: { enhanced_prompt: material.promptCell(prompt), enhanced_completion: completion },
      };
      if (material.completion.trim() === '') return changed;
      const isWorse = await arbiter.isWorse(
        {
          request: requestOf(material, material.prompt),
          original: material.completion,
          candidate: completion,
          length,
        },
        asking,
        meter,
      );
      return isWorse
        ? kept({ code: 'scored_worse', message: 'The rewritten row scored worse than the original' })
        : changed;
    },
  };
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
  { history, prompt, completion, context }: RowMaterial,
  length: LengthTarget,
  { contextTokensMax, specification }: Pick<AdaptRowsOptions, 'contextTokensMax' | 'specification'>,
): void {
  const texts = [prompt, completion, specification.blueprint ?? ''];
  for (const { text } of [...history, ...context]) texts.push(text);
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const tokens = Math.ceil(bytes / BYTES_PER_TOKEN) + PROMPT_TOKENS + length.outputTokensMax;
  if (tokens > contextTokensMax) {
    throw new AskFailure(
      'row_too_long',
      `The row needs about ${tokens} tokens and the model takes ${contextTokensMax}: shorten it, or use a model with a longer context`,
    );
  }
}
