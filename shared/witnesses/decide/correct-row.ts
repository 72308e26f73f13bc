import type { Asking, CallMeter } from '#shared/models/decide/ask-model.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { type BlindOpinion, type BlindRow, hasResult } from './blind-answers.ts';
import type { BlindCalibration } from './blind-calibration.ts';
import { blindRates, mayCorrect, wrongProbability } from './blind-rates.ts';
import { askCritic } from './critic.ts';
import { WRONG_SHARE } from './doubtful.ts';
import { orNothing } from './or-nothing.ts';
import type { WitnessFinding } from './witness.ts';

/** A row is replaced only if it is so probably wrong. */
export const REPLACED_MIN = 0.9;

/** What blind answers make of a row of a dataset. */
export interface WeighedOpinion {
  readonly opinion: BlindOpinion;
  /** The probability that the row is wrong, by the blind answers alone. */
  readonly wrong: number;
  /**
   * The same if the critic confirms it, from the usual share of wrong rows at most; null where the model may correct nothing.
   * What a row is doubted for without a model orders and flags it: the ladder has not measured corrections that rest on it.
   */
  readonly wrongIfConfirmed: number | null;
}

/**
 * The probability that a row is wrong; null without an opinion, or for a kind on which the model was not measured.
 *
 * @param prior the probability before the model was asked
 */
export function weighOpinion(
  opinion: BlindOpinion | null,
  calibration: BlindCalibration,
  prior: number = WRONG_SHARE,
): WeighedOpinion | null {
  if (opinion === null || opinion.agreed === null) return null;
  const rates = blindRates(calibration, opinion.kind);
  if (rates === null) return null;
  return {
    opinion,
    wrong: wrongProbability(prior, opinion.differs, rates.differing),
    wrongIfConfirmed: mayCorrect(calibration, opinion.kind)
      ? wrongProbability(Math.min(prior, WRONG_SHARE), true, rates.confirmed)
      : null,
  };
}

/**
 * Whether the critic, who did not give the agreed answer, confirms it: quotes an error of the row's own and finds none in
 * the agreed one.
 * @throws {ModelOutage}
 */
export async function confirmOpinion(
  model: ModelClient,
  { request, answer }: Pick<BlindRow, 'request' | 'answer'>,
  agreed: string,
  asking: Asking,
  meter: CallMeter,
): Promise<{ readonly isConfirmed: boolean; readonly found: WitnessFinding | null }> {
  const found = await askCritic(model, { request, answer: answer.trim() }, asking, meter);
  if (found?.says !== 'wrong') return { isConfirmed: false, found };
  const again = await askCritic(model, { request, answer: agreed }, asking, meter);
  return { isConfirmed: again?.says === 'fine', found };
}

/** The answer that takes the place of a row's own, or null; with what the critic found. */
export interface Correction {
  readonly answer: string | null;
  readonly found: WitnessFinding | null;
}

/**
 * Corrects a row that is very probably wrong, if the critic confirms it.
 * @param write generates a whole answer, which is taken if it ends with the agreed result: for worked solutions
 * @throws {ModelOutage}
 */
export async function correctRow(
  model: ModelClient,
  row: BlindRow,
  { opinion, wrongIfConfirmed }: WeighedOpinion,
  write: () => Promise<string>,
  asking: Asking,
  meter: CallMeter,
): Promise<Correction> {
  const { agreed, kind } = opinion;
  if (agreed === null || !opinion.differs || (wrongIfConfirmed ?? 0) < REPLACED_MIN) {
    return { answer: null, found: null };
  }
  const { isConfirmed, found } = await confirmOpinion(model, row, agreed, asking, meter);
  if (!isConfirmed) return { answer: null, found };
  if (kind !== 'result' || row.answer.trim().length <= agreed.length + SHORT_RESULT_EXTRA) {
    return { answer: agreed, found };
  }
  const written = await orNothing(write());
  return { answer: written !== null && hasResult(written, agreed) ? written : null, found };
}

/** A result alone may have a currency or a unit. */
const SHORT_RESULT_EXTRA = 6;
