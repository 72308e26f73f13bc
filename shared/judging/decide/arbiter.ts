import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import type { Asking, CallMeter } from '#shared/models/decide/ask-model.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import type { PairKind } from '#shared/runs/schema/pair-kind.ts';
import { isBelieved, type JudgeCalibration, mayPreferNew } from './calibration.ts';
import { comparePair } from './judge.ts';
import { type AnswerPair, pairKindOf } from './pair-kind.ts';

export interface JudgedAnswers {
  readonly request: string;
  readonly first: string;
  readonly second: string;
  /** Which of the two is the original; absent if neither is. */
  readonly original?: 'first' | 'second';
}

/** The winner, or why there is none: the judge is undecided, or no judge is trusted for this kind of pair. */
export type PairVerdictOrDoubt =
  | { readonly winner: 'first' | 'second' }
  | { readonly winner: null; readonly doubt: 'undecided' | 'no_trusted_judge' };

export interface Arbiter {
  /**
   * Compares two answers blind in both orders, if the judge is trusted for their kind. `original` marks the original:
   * the other answer only wins if the judge's false acceptance allows it, and never in another language.
   * @throws {AskFailure} {ModelOutage}
   */
  compare(answers: JudgedAnswers, asking: Asking, meter: CallMeter): Promise<PairVerdictOrDoubt>;
}

export interface ArbiterOptions {
  readonly judge: ModelClient | null;
  /** The judge's calibration; null if there is none, and then the judge is not used. */
  readonly calibration: JudgeCalibration | null;
  readonly detectLanguage: LanguageDetector;
}

/**
 * Compares two answers with a judge, blind and in both orders, but only for kinds of pairs for which its
 * calibration allows it. Different languages are detected without the judge.
 */
export function createArbiter({ judge, calibration, detectLanguage }: ArbiterOptions): Arbiter {
  /** The judge with the kind of two answers; null if it is not trusted for that kind. */
  function believedJudge(
    answers: AnswerPair,
  ): { readonly judge: ModelClient; readonly kind: PairKind } | null {
    if (judge === null || calibration === null) return null;
    const kind = pairKindOf(answers, detectLanguage);
    return isBelieved(calibration, kind) ? { judge, kind } : null;
  }

  /** The answer in the expected language, if the two are in different languages; else null. */
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

  return { compare };
}

const UNDECIDED: PairVerdictOrDoubt = { winner: null, doubt: 'undecided' };

/** The verdict of a trusted judge on an answer against the original; `none` without one. */
export type AnswerVerdict = 'better' | 'worse' | 'undecided' | 'none';

/** Compares answers with a row's own. */
export function judgeAgainst(
  arbiter: Arbiter,
  { request, own }: { readonly request: string; readonly own: string },
  asking: Asking,
  meter: CallMeter,
): (answer: string) => Promise<AnswerVerdict> {
  return async (answer) => {
    const compared = await arbiter.compare(
      { request, first: own, second: answer, original: 'first' },
      asking,
      meter,
    );
    if (compared.winner === null) return compared.doubt === 'undecided' ? 'undecided' : 'none';
    return compared.winner === 'second' ? 'better' : 'worse';
  };
}

/** Whether two texts are in different languages; false if one of them is too short to detect its language. */
export function speaksAnotherLanguage(a: string, b: string, detectLanguage: LanguageDetector): boolean {
  const [first, second] = [detectLanguage(a), detectLanguage(b)];
  return first !== null && second !== null && first !== second;
}
