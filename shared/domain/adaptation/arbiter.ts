import { isBelieved, type JudgeCalibration, mayPreferNew } from '#shared/domain/evaluation/calibration.ts';
import type { LanguageDetector } from '#shared/domain/evaluation/detect-language.ts';
import { comparePair } from '#shared/domain/evaluation/judge.ts';
import {
  measureRequest,
  relevanceByEmbeddings,
  scoreByMetrics,
  UNRELATED_TEXT,
} from '#shared/domain/evaluation/metrics.ts';
import { type AnswerPair, pairKindOf } from '#shared/domain/evaluation/pair-kind.ts';
import { type Asking, askEmbeddings, type CallMeter } from '#shared/domain/model/ask-model.ts';
import type { EmbeddingClient, ModelClient } from '#shared/domain/model/port.ts';
import type { PairKind } from '#shared/schema/pair-kind.ts';
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

export interface JudgedAnswers {
  readonly request: string;
  readonly first: string;
  readonly second: string;
  /** Which of the two stands already; absent where neither does. */
  readonly original?: 'first' | 'second';
}

/** Who won, or why that cannot be said: the judge sees no winner, or none is believed for what the two differ in. */
export type PairVerdictOrDoubt =
  | { readonly winner: 'first' | 'second' }
  | { readonly winner: null; readonly doubt: 'undecided' | 'no_trusted_judge' };

export interface Arbiter {
  /**
   * Compares two answers blind in both orders, where the judge is believed for their kind. `original` names which one
   * stands already: the other only wins where the judge's false acceptance allows it, and never in another language.
   * @throws {AskFailure} {ModelOutage}
   */
  compare(answers: JudgedAnswers, asking: Asking, meter: CallMeter): Promise<PairVerdictOrDoubt>;
  /**
   * Whether a rewritten answer may not take the original's place: it did not win the comparison, or, without a judge
   * who is believed, the metrics give it less.
   * @throws {AskFailure} {ModelOutage}
   */
  isWorse(comparison: Comparison, asking: Asking, meter: CallMeter): Promise<boolean>;
  /**
   * The better of two answers, where there is no doubt: the judge names it in both orders, or, without one who is
   * believed for the kind of the two, the metrics set it apart by `CLEAR_MARGIN`. Null elsewhere.
   * @throws {AskFailure} {ModelOutage}
   */
  clearWinner(answers: RivalAnswers, asking: Asking, meter: CallMeter): Promise<'first' | 'second' | null>;
}

/**
 * Difference of the metrics' scores (0 to 10) that makes a winner. Answers that differ in wording lie within a few
 * tenths of each other; one that breaks off, repeats itself or misses the question lies one point and more below.
 */
export const CLEAR_MARGIN = 1;

export interface ArbiterOptions {
  readonly judge: ModelClient | null;
  /** What was measured of the judge; null where nothing was, and it is not asked then. */
  readonly calibration: JudgeCalibration | null;
  readonly embedder: EmbeddingClient | null;
  readonly detectLanguage: LanguageDetector;
}

/**
 * A judge decides by comparing both blind in both orders, but only in those kinds of pairs in which its calibration
 * found it right. Languages are told apart without it.
 */
export function createArbiter({ judge, calibration, embedder, detectLanguage }: ArbiterOptions): Arbiter {
  /** The judge with the kind of two answers, where it is believed for that kind. */
  function believedJudge(
    answers: AnswerPair,
  ): { readonly judge: ModelClient; readonly kind: PairKind } | null {
    if (judge === null || calibration === null) return null;
    const kind = pairKindOf(answers, detectLanguage);
    return isBelieved(calibration, kind) ? { judge, kind } : null;
  }

  /** The answer that is in the language it should be in, where the two are in different ones; else null. */
  function winnerByLanguage({ request, first, second, original }: JudgedAnswers): PairVerdictOrDoubt | null {
    if (!speaksAnotherLanguage(first, second, detectLanguage)) return null;
    if (original !== undefined) return { winner: original };
    const asked = detectLanguage(request);
    if (asked === detectLanguage(first)) return { winner: 'first' };
    return asked === detectLanguage(second) ? { winner: 'second' } : UNDECIDED;
  }

  async function compare(
    answers: JudgedAnswers,
    asking: Asking,
    meter: CallMeter,
  ): Promise<PairVerdictOrDoubt> {
    if (answers.first === answers.second) return UNDECIDED;
    const byLanguage = winnerByLanguage(answers);
    if (byLanguage !== null) return byLanguage;
    const believed = believedJudge(answers);
    if (believed === null) return { winner: null, doubt: 'no_trusted_judge' };
    const { better } = await comparePair(believed.judge, answers, asking, meter);
    if (better === 'split') return UNDECIDED;
    const isNew = answers.original !== undefined && better !== answers.original;
    return isNew && !mayPreferNew(calibration, believed.kind) ? UNDECIDED : { winner: better };
  }

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
    compare,

    async isWorse({ request, original, candidate, length }, asking, meter) {
      if (original === candidate) return false;
      const answers = { request, first: original, second: candidate };
      const verdict = await compare({ ...answers, original: 'first' }, asking, meter);
      if (verdict.winner !== null) return verdict.winner === 'first';
      if (verdict.doubt === 'undecided') return true;
      return (await gainByMetrics({ ...answers, length }, asking, meter)) < 0;
    },

    async clearWinner(answers, asking, meter) {
      const believed = believedJudge(answers);
      if (believed !== null) {
        const { better } = await comparePair(believed.judge, answers, asking, meter);
        return better === 'split' ? null : better;
      }
      const gain = await gainByMetrics(answers, asking, meter);
      if (Math.abs(gain) < CLEAR_MARGIN) return null;
      return gain > 0 ? 'second' : 'first';
    },
  };
}

const UNDECIDED: PairVerdictOrDoubt = { winner: null, doubt: 'undecided' };

/** Whether two texts are in different languages; false where one of them is too short to tell. */
export function speaksAnotherLanguage(a: string, b: string, detectLanguage: LanguageDetector): boolean {
  const [first, second] = [detectLanguage(a), detectLanguage(b)];
  return first !== null && second !== null && first !== second;
}
