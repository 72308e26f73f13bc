import type { LanguageDetector } from '#shared/domain/evaluation/detect-language.ts';
import { comparePair } from '#shared/domain/evaluation/judge.ts';
import {
  measureRequest,
  relevanceByEmbeddings,
  scoreByMetrics,
  UNRELATED_TEXT,
} from '#shared/domain/evaluation/metrics.ts';
import { type Asking, askEmbeddings, type CallMeter } from '#shared/domain/model/ask-model.ts';
import type { EmbeddingClient, ModelClient } from '#shared/domain/model/port.ts';
import type { LengthTarget } from './length.ts';

export interface Comparison {
  readonly request: string;
  readonly original: string;
  readonly candidate: string;
  readonly length: LengthTarget;
}

export interface RivalAnswers {
  readonly request: string;
  readonly first: string;
  readonly second: string;
  readonly length: LengthTarget;
}

export type PairVerdictOrDoubt =
  | { readonly winner: 'first' | 'second' }
  | { readonly winner: null; readonly doubt: 'undecided' | 'no_trusted_judge' };

export interface Arbiter {
  compare(
    answers: {
      readonly request: string;
      readonly first: string;
      readonly second: string;
      readonly original?: 'first' | 'second';
    },
    asking: Asking,
    meter: CallMeter,
  ): Promise<PairVerdictOrDoubt>;
  /**
   * Whether a rewritten answer scores worse than the original, whose place it may not take then.
   * @throws {AskFailure} {ModelOutage}
   */
  isWorse(comparison: Comparison, asking: Asking, meter: CallMeter): Promise<boolean>;
  /**
   * The better of two answers, where there is no doubt: the judge names it in both orders, or, without a trusted
   * judge, the metrics set it apart by `CLEAR_MARGIN`. Null elsewhere.
   * @throws {AskFailure} {ModelOutage}
   */
  clearWinner(
    answers: RivalAnswers,
    asking: Asking,
    meter: CallMeter,
  ): Promise<{ readonly answer: 'first' | 'second'; readonly isJudged: boolean } | null>;
}

/**
 * Difference of the metrics' scores (0 to 10) that makes a winner. Answers that differ in wording lie within a few
 * tenths of each other; one that breaks off, repeats itself or misses the question lies one point and more below.
 */
export const CLEAR_MARGIN = 1;

export interface ArbiterOptions {
  /** Only a judge whose pair calibration is trusted; null leaves the decision to the metrics. */
  readonly judge: ModelClient | null;
  readonly embedder: EmbeddingClient | null;
  readonly detectLanguage: LanguageDetector;
}

/**
 * A trusted judge decides by comparing both blind in both orders; where it names one answer in one order and the
 * other in the other, and where there is no trusted judge, the reference-free metrics decide. Answers in another
 * language than the original's are worse whatever the judge says.
 */
export function createArbiter({ judge, embedder, detectLanguage }: ArbiterOptions): Arbiter {
  /** How much higher the second answer scores by the metrics. */
  async function gainByMetrics(
    { request, first, second, length }: RivalAnswers,
    asking: Asking,
    meter: CallMeter,
  ): Promise<number> {
    let relevances: readonly (number | undefined)[] = [undefined, undefined];
    if (embedder !== null) {
      const texts = [request, UNRELATED_TEXT, first, second];
      const [asked, unrelated, ...answers] = await askEmbeddings(embedder, texts, asking, meter);
      relevances = answers.map((answer) =>
        asked === undefined || unrelated === undefined
          ? undefined
          : relevanceByEmbeddings(asked, answer, unrelated),
      );
    }
    // Answers in one language agree alike with that of the request, which then need not be found out.
    const isOneLanguage = detectLanguage(first) === detectLanguage(second);
    const measured = measureRequest(request, isOneLanguage ? () => null : detectLanguage);
    const [before, after] = [first, second].map(
      (answer, n) =>
        scoreByMetrics({ request: measured, answer, length, detectLanguage, relevance: relevances[n] }).score,
    );
    return (after ?? 0) - (before ?? 0);
  }

  return {
    async compare() {
      return { winner: null, doubt: 'no_trusted_judge' };
    },

    async isWorse(comparison, asking, meter) {
      const { request, original, candidate, length } = comparison;
      if (speaksAnotherLanguage(original, candidate, detectLanguage)) {
        return true;
      }
      if (judge !== null) {
        const { better } = await comparePair(
          judge,
          { request, first: original, second: candidate },
          asking,
          meter,
        );
        if (better !== 'split') {
          return better === 'first';
        }
      }
      const answers = { request, first: original, second: candidate, length };
      return (await gainByMetrics(answers, asking, meter)) < 0;
    },

    async clearWinner(answers, asking, meter) {
      if (judge !== null) {
        const { better } = await comparePair(judge, answers, asking, meter);
        return better === 'split' ? null : { answer: better, isJudged: true };
      }
      const gain = await gainByMetrics(answers, asking, meter);
      if (Math.abs(gain) < CLEAR_MARGIN) return null;
      return { answer: gain > 0 ? 'second' : 'first', isJudged: false };
    },
  };
}

/** Whether two texts are in different languages; false where one of them is too short to tell. */
export function speaksAnotherLanguage(a: string, b: string, detectLanguage: LanguageDetector): boolean {
  const [first, second] = [detectLanguage(a), detectLanguage(b)];
  return first !== null && second !== null && first !== second;
}
