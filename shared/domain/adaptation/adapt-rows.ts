import type { LanguageDetector } from '#shared/domain/evaluation/detect-language.ts';
import { loadImage, type ReadImageFile } from '#shared/domain/images/load-image.ts';
import { AskFailure, type Asking, askModel, type CallMeter } from '#shared/domain/model/ask-model.ts';
import type { GenerateRequest, ModelClient } from '#shared/domain/model/port.ts';
import type { Searcher } from '#shared/domain/search/searcher.ts';
import type { RowReason } from '#shared/schema/run-result.ts';
import { answerAtLength, lengthNotes } from './answer-at-length.ts';
import { type Arbiter, speaksAnotherLanguage } from './arbiter.ts';
import { findSources, type Grounding, queryOf, sourcesAsContext } from './grounding.ts';
import { inferRowPrompt } from './infer-row-prompt.ts';
import { type LengthTarget, lengthTargetOf } from './length.ts';
import { withMetadata } from './metadata-block.ts';
import { findPair, partPair, varied, withPair } from './preference-pairs.ts';
import { FIT_LENGTH_VERSION } from './prompts/fit-length.v1.ts';
import { IMPROVE_ANSWER_VERSION, improveAnswer } from './prompts/improve-answer.v1.ts';
import { INFER_PROMPT_VERSION } from './prompts/infer-prompt.v1.ts';
import { REASONING_TRACE_VERSION } from './prompts/reasoning-trace.v1.ts';
import { REWRITE_PROMPT_VERSION, rewritePrompt } from './prompts/rewrite-prompt.v1.ts';
import { traceCompletion } from './reasoning-trace.ts';
import { materialReader, type RowMaterial, requestOf } from './row-material.ts';
import {
  type ProducedCells,
  type RowProgram,
  type RowVerdict,
  readText,
  type SourceCells,
} from './row-program.ts';
import type { AdaptationSpecification } from './specification.ts';

/** A row that is being adapted. */
interface RowWork {
  readonly cells: SourceCells;
  readonly material: RowMaterial;
  readonly image: string | null;
  /** The prompt in its best wording. */
  readonly prompt: string;
  readonly grounding: Grounding;
}

const UNGROUNDED: Grounding = { sources: [], notes: [] };

export interface AdaptRowsOptions {
  readonly specification: AdaptationSpecification;
  readonly rewriteModel: ModelClient;
  readonly answerModel: ModelClient;
  readonly arbiter: Arbiter;
  readonly detectLanguage: LanguageDetector;
  /** Tokens that a request and its answer share; a row that cannot fit is not sent. */
  readonly contextTokensMax: number;
  readonly readImageFile: ReadImageFile;
  /** Finds what answers are to rest on; null where there is no search provider, absent where no run asks for it. */
  readonly searcher?: Searcher | null;
}

/** What goes into the run's record. */
export const ADAPT_ROWS_PROMPTS: Readonly<Record<string, string>> = {
  rewrite: REWRITE_PROMPT_VERSION,
  infer: INFER_PROMPT_VERSION,
  answer: IMPROVE_ANSWER_VERSION,
  length: FIT_LENGTH_VERSION,
  trace: REASONING_TRACE_VERSION,
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

  function originalOf(cells: SourceCells): ProducedCells {
    const { prompt, completion } = reader.original(cells);
    return { enhanced_prompt: prompt, enhanced_completion: completion };
  }

  /** The row with the better of its two completions. */
  async function improve(
    { cells, material, image, prompt, grounding: { sources } }: RowWork,
    asking: Asking,
    meter: CallMeter,
  ): Promise<RowVerdict> {
    const answerTo = (draft: string) =>
      improveAnswer({
        history: material.history,
        prompt,
        draft,
        context: material.context,
        image,
        sources,
        length,
        blueprint: specification.blueprint,
      });
    const write = (request: GenerateRequest): Promise<string> =>
      answerAtLength(options.answerModel, request, specification.length, asking, meter);
    const completion = await write(answerTo(material.completion.trim()));
    const changed: RowVerdict = {
      outcome: 'changed',
      ...(sources.length === 0 ? {} : { sources: sources.map(({ title, url }) => ({ title, url })) }),
      cells: { enhanced_prompt: material.promptCell(prompt), enhanced_completion: completion },
    };
    // The row has a prompt now that it had not, so it is changed also where its completion stays.
    const inferredAlone = (): RowVerdict => ({
      outcome: 'changed',
      notes: [COMPLETION_KEPT],
      cells: { ...changed.cells, enhanced_completion: material.completion },
    });
    const request = judgedRequest(material, isInferring ? prompt : material.prompt, sources);
    const acceptOrKeep = async (isBeaten: boolean): Promise<RowVerdict> => {
      if (completion === material.completion) {
        if (isInferring) return inferredAlone();
        return prompt === material.prompt ? kept(cells, ALREADY_GOOD) : changed;
      }
      if (material.completion.trim() === '') return changed;
      const comparison = { request, original: material.completion, candidate: completion, length };
      if (!isBeaten && !(await arbiter.isWorse(comparison, asking, meter))) return changed;
      return isInferring ? inferredAlone() : kept(cells, SCORED_WORSE);
    };
    if (specification.training_type !== 'preference_pairs') return acceptOrKeep(false);

    const sample = (variation: number): Promise<string> => write(varied(answerTo(''), variation));
    const rivals = { request, own: material.completion, improved: completion, sample, length };
    const pair = await findPair(rivals, options, asking, meter);
    if (pair === null || pair.chosen === material.completion) {
      return withPair(await acceptOrKeep(pair !== null), pair);
    }
    return withPair({ ...changed, cells: { ...changed.cells, enhanced_completion: pair.chosen } }, pair);
  }

  /** What a judge is asked about: the request with all that its answer was told. */
  function judgedRequest(material: RowMaterial, prompt: string, sources: Grounding['sources']): string {
    const context = [...material.context, ...sourcesAsContext(sources)];
    const request = requestOf({ history: material.history, context }, prompt);
    return specification.length === null ? request : `${request}\n${length.instruction}`;
  }

  /** Adds what stands beside the texts of a row: its reasoning, its metadata, and what is to be noted of it. */
  async function complete(
    verdict: RowVerdict,
    { material, prompt, grounding }: Pick<RowWork, 'material' | 'prompt' | 'grounding'>,
    asking: Asking,
    meter: CallMeter,
  ): Promise<RowVerdict> {
    const cells = { ...verdict.cells };
    const notes = [...(verdict.notes ?? []), ...grounding.notes];
    const text = verdict.outcome === 'changed' ? prompt : material.prompt;
    if (specification.reasoning_traces && cells.enhanced_completion) {
      const traced = await traceCompletion(
        options.answerModel,
        { request: judgedRequest(material, text, grounding.sources), completion: cells.enhanced_completion },
        asking,
        meter,
      );
      cells.enhanced_completion = traced.completion;
      cells.reasoning_trace = traced.trace;
      Object.assign(cells, partPair(cells));
      notes.push(...traced.notes);
    }
    if (specification.prompt_metadata_injection && text !== '') {
      cells.enhanced_prompt = material.promptCell(
        withMetadata(text, {
          context: specification.mode === 'universal_prompt' ? [] : material.context,
          language: detectLanguage(text),
          length: specification.length,
        }),
      );
    }
    notes.push(...lengthNotes(cells.enhanced_completion, specification.length));
    return { ...verdict, cells, ...(notes.length === 0 ? {} : { notes }) };
  }

  function kept(cells: SourceCells, reason: RowReason): RowVerdict {
    return { outcome: 'kept', reason, cells: originalOf(cells) };
  }

  return {
    columns: reader.columns,

    original: originalOf,

    async run(cells, asking, meter): Promise<RowVerdict> {
      const material = reader.read(cells);
      if ('skip' in material) return kept(cells, material.skip);
      const tokensLeft = requireFit(material, length, options);
      const image = await loadImage(material.image, options.readImageFile);

      const prompt = await wordPrompt(material, asking, meter);
      const grounding = specification.grounding
        ? await findSources({
            searcher: options.searcher ?? null,
            query: queryOf(material, prompt, specification.mode),
            tokensLeft,
            signal: asking.signal,
          })
        : UNGROUNDED;
      const verdict = await improve({ cells, material, image, prompt, grounding }, asking, meter);
      return complete(verdict, { material, prompt, grounding }, asking, meter);
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
 * @returns tokens that are left beside the row and its answer
 */
function requireFit(
  { history, prompt, completion, context }: RowMaterial,
  length: LengthTarget,
  { contextTokensMax, specification }: Pick<AdaptRowsOptions, 'contextTokensMax' | 'specification'>,
): number {
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
  return contextTokensMax - tokens;
}
