import type { LanguageDetector } from '#shared/domain/evaluation/detect-language.ts';
import { loadImage, type ReadImageFile } from '#shared/domain/images/load-image.ts';
import { AskFailure, type Asking, askModel, type CallMeter } from '#shared/domain/model/ask-model.ts';
import type { ModelClient } from '#shared/domain/model/port.ts';
import type { RowReason } from '#shared/schema/run-result.ts';
import { type Arbiter, speaksAnotherLanguage } from './arbiter.ts';
import { inferRowPrompt } from './infer-row-prompt.ts';
import { type LengthTarget, lengthTargetOf } from './length.ts';
import { IMPROVE_ANSWER_VERSION, improveAnswer } from './prompts/improve-answer.v1.ts';
import { INFER_PROMPT_VERSION } from './prompts/infer-prompt.v1.ts';
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
  readonly readImageFile: ReadImageFile;
}

/** What goes into the run's record. */
export const ADAPT_ROWS_PROMPTS: Readonly<Record<string, string>> = {
  rewrite: REWRITE_PROMPT_VERSION,
  infer: INFER_PROMPT_VERSION,
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
  const isInferring = specification.mode === 'completion_only';

  async function wordPrompt(material: RowMaterial, asking: Asking, meter: CallMeter): Promise<string> {
    const { prompt } = material;
    if (isInferring) {
      return inferRowPrompt(options.rewriteModel, material, asking, meter);
    }
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
      const image = await loadImage(material.image, options.readImageFile);

      const prompt = await wordPrompt(material, asking, meter);
      const completion = await askModel(
        options.answerModel,
        improveAnswer({
          history: material.history,
          prompt,
          draft: material.completion.trim(),
          context: material.context,
          image,
          length,
          blueprint: specification.blueprint,
        }),
        readText,
        asking,
        meter,
      );
      const changed: RowVerdict = {
        outcome: 'changed',
        cells: { enhanced_prompt: material.promptCell(prompt), enhanced_completion: completion },
      };
      // The row has a prompt now that it had not, so it is changed also where its completion stays.
      const inferredAlone = (): RowVerdict => ({
        outcome: 'changed',
        notes: [COMPLETION_KEPT],
        cells: { ...changed.cells, enhanced_completion: material.completion },
      });
      if (completion === material.completion) {
        if (isInferring) return inferredAlone();
        return prompt === material.prompt ? kept(ALREADY_GOOD) : changed;
      }
      if (material.completion.trim() === '') return changed;
      const isWorse = await arbiter.isWorse(
        {
          request: requestOf(material, isInferring ? prompt : material.prompt),
          original: material.completion,
          candidate: completion,
          length,
        },
        asking,
        meter,
      );
      if (!isWorse) return changed;
      return isInferring ? inferredAlone() : kept(SCORED_WORSE);
    },
  };
}

const ALREADY_GOOD: RowReason = { code: 'already_good', message: 'The model left the row as it is' };
const SCORED_WORSE: RowReason = {
  code: 'scored_worse',
  message: 'The rewritten row scored worse than the original',
};
const COMPLETION_KEPT: RowReason = {
  code: 'completion_kept',
  message: 'The prompt was inferred; the completion stays, since no rewriting of it scored better',
};

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
