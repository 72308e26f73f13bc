import { splitReasoning } from '#shared/answers/decide/read-text.ts';
import { type Arbiter, speaksAnotherLanguage } from '#shared/judging/decide/arbiter.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { AskFailure, type Asking, type CallMeter, orRefusal } from '#shared/models/decide/ask-model.ts';
import type { GenerateRequest } from '#shared/models/decide/port.ts';
import type { RowReason } from '#shared/runs/schema/run-result.ts';
import type { ProcessedRow, ProducedCells } from './row-program.ts';

export interface PreferencePair {
  readonly chosen: string;
  readonly rejected: string;
  /** Whether a trusted judge decided, not a check or the metrics. */
  readonly isJudged: boolean;
}

/** Number of answers that are compared for a row's pair, including the row's own and the improved one. */
const CANDIDATES = 3;

export interface PairSearch {
  /** The request as the judge gets it. */
  readonly request: string;
  /** The row's own completion; empty if it has none. */
  readonly own: string;
  readonly improved: string;
  /** Generates another answer to the row's prompt; each `variation` from 1 on gives a different one. */
  readonly sample: (variation: number) => Promise<string>;
  /** The defect of an answer by the checks; null if none, as for every chosen answer. */
  readonly faultOf: (answer: string) => string | null;
}

/** The request for a different answer: without a draft, at a higher temperature. */
export function varied(request: GenerateRequest, variation: number): GenerateRequest {
  return { ...request, temperature: 0.9, seed: 1 + variation };
}

/**
 * Finds a better and a worse answer to a row. Up to three different answers compete: the first two are compared, and
 * the winner with the third (or, if the first two are undecided, each of them with the third). A pair consists of two
 * answers of which a check finds exactly one faulty, or of which a trusted judge chooses one in both orders.
 * A comparison that the provider refuses leaves the others.
 * @returns null if no comparison was clear
 * @throws {AskFailure} if a comparison was refused and no other gave a pair: the row fails, since it lacks what the run is
 * billed for
 * @throws {ModelOutage}
 */
export async function findPair(
  search: PairSearch,
  { arbiter, detectLanguage }: { readonly arbiter: Arbiter; readonly detectLanguage: LanguageDetector },
  asking: Asking,
  meter: CallMeter,
): Promise<PreferencePair | null> {
  const candidates = await gatherCandidates(search, detectLanguage);
  const failures: AskFailure[] = [];
  const compare = async (first: string, second: string): Promise<PreferencePair | null> => {
    const { request, faultOf } = search;
    const [isFirstFaulty, isSecondFaulty] = [faultOf(first) !== null, faultOf(second) !== null];
    if (isFirstFaulty && isSecondFaulty) return null;
    if (isFirstFaulty) return { chosen: second, rejected: first, isJudged: false };
    if (isSecondFaulty) return { chosen: first, rejected: second, isJudged: false };
    const verdict = await orRefusal(arbiter.compare({ request, first, second }, asking, meter));
    if (verdict instanceof AskFailure) failures.push(verdict);
    if (verdict instanceof AskFailure || verdict.winner === null) return null;
    return verdict.winner === 'first'
      ? { chosen: first, rejected: second, isJudged: true }
      : { chosen: second, rejected: first, isJudged: true };
  };

  const pair = await bestPair(candidates, compare);
  if (pair === null && failures[0] !== undefined) throw failures[0];
  return pair;
}

async function bestPair(
  [first, second, third]: readonly string[],
  compare: (first: string, second: string) => Promise<PreferencePair | null>,
): Promise<PreferencePair | null> {
  if (first === undefined || second === undefined) return null;
  const pair = await compare(first, second);
  if (third === undefined) return pair;
  if (pair === null) return (await compare(first, third)) ?? compare(second, third);
  const final = await compare(pair.chosen, third);
  return final?.chosen === third ? final : pair;
}

/** The distinct answers of a row, in the order of comparison. */
async function gatherCandidates(
  { own, improved, sample, faultOf }: PairSearch,
  detectLanguage: LanguageDetector,
): Promise<string[]> {
  const candidates: string[] = [];
  // A faulty own completion may be in the wrong language, and then differs from its rival in that.
  const reference = own.trim() !== '' && faultOf(own) === null ? own : improved;
  const add = (answer: string): void => {
    const isRepeated = candidates.some((each) => plain(each) === plain(answer));
    const isForeign = answer !== own && speaksAnotherLanguage(reference, answer, detectLanguage);
    if (answer.trim() !== '' && !isRepeated && !isForeign) candidates.push(answer);
  };
  add(own);
  add(improved);
  const samples = CANDIDATES - candidates.length;
  for (let variation = 1; variation <= samples; variation += 1) {
    try {
      add(await sample(variation));
    } catch (error) {
      // The other answers can make a pair without it.
      if (!(error instanceof AskFailure)) throw error;
    }
  }
  return candidates;
}

const plain = (text: string): string => text.trim().replace(/\s+/g, ' ');

const NO_CLEAR_WINNER: RowReason = {
  code: 'no_clear_winner',
  message: 'No answer of the row clearly beat another, so the row has no pair',
};

/** The cells of a row without a pair. */
export const NO_PAIR = { chosen: null, rejected: null } as const;

/** Adds the pair to a row; null leaves the two columns empty and adds a note. */
export function withPair(processed: ProcessedRow, pair: PreferencePair | null): ProcessedRow {
  const { chosen, rejected } = pair ?? NO_PAIR;
  const cells = { ...processed.cells, chosen, rejected };
  if (pair !== null) return { ...processed, cells };
  return processed.outcome === 'kept'
    ? { ...processed, cells, reason: NO_CLEAR_WINNER }
    : { ...processed, cells, notes: [...(processed.notes ?? []), NO_CLEAR_WINNER] };
}

/** Removes the reasoning from the answers of a pair, as it was removed from the row's completion. */
export function partPair({ chosen, rejected, enhanced_completion }: ProducedCells): ProducedCells {
  if (!chosen || !rejected) return {};
  return { chosen: enhanced_completion ?? chosen, rejected: splitReasoning(rejected).answer || rejected };
}
