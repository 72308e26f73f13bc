import type { Asking, CallMeter } from '#shared/models/decide/ask-model.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { type BlindOpinion, type BlindRow, hasResult } from './blind-answers.ts';
import {
  type BlindCalibration,
  type BlindRates,
  blindRates,
  FALSE_CORRECTION_MAX,
  REPLACED_MIN,
  wrongProbability,
  wrongShareOf,
} from './blind-calibration.ts';
import { askCritic } from './critic.ts';
import { orNothing } from './or-nothing.ts';
import type { WitnessFinding } from './witness.ts';

/** What blind answers make of a row of a dataset. */
export interface WeighedOpinion {
  readonly opinion: BlindOpinion;
  /** The probability that the row is wrong, by the blind answers alone. */
  readonly wrong: number;
  /** The same if the critic confirms it; null where the model may correct nothing. */
  readonly wrongIfConfirmed: number | null;
}

/**
 * The probabilities that rows are wrong, in their order; null for rows without an opinion, or with one of a kind on which
 * the model was not measured.
 * @param opinions of rows of one dataset, from which its share of wrong rows is estimated
 */
export function weighOpinions(
  opinions: readonly (BlindOpinion | null)[],
  calibration: BlindCalibration | null,
): (WeighedOpinion | null)[] {
  const rated = opinions.map((opinion): { opinion: BlindOpinion; rates: BlindRates } | null => {
    if (opinion === null || opinion.agreed === null) return null;
    const rates = blindRates(calibration, opinion.kind);
    return rates === null ? null : { opinion, rates };
  });
  const share = wrongShareOf(
    rated.flatMap((one) =>
      one === null ? [] : [{ differs: one.opinion.differs, rates: one.rates.differing }],
    ),
  );
  return rated.map((one) => {
    if (one === null) return null;
    const { opinion, rates } = one;
    const isBelieved = rates.confirmed.falseAlarm <= FALSE_CORRECTION_MAX;
    return {
      opinion,
      wrong: wrongProbability(share, opinion.differs, rates.differing),
      wrongIfConfirmed: isBelieved ? wrongProbability(share, true, rates.confirmed) : null,
    };
  });
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
