import { wilsonInterval } from '#shared/judging/decide/statistics.ts';
import { groupBy } from '#shared/platform/group-by.ts';
import type { Doubt } from '#shared/runs/schema/doubt.ts';
import type { WitnessRecord } from '../schema/review.ts';
import type { VerdictRecord } from './verdict.ts';

/** Verdicts that what a witness states counts for. */
export const STATED_WORTH = 10;

/** Who doubts a row first, and for what. A model has no kinds: what it is asked about differs more than what it says. */
export type Doubted = Pick<WitnessRecord, 'witness' | 'kind'>;

/** A row that is doubted, as it was measured elsewhere. */
export interface StatedDoubt {
  readonly row: number;
  readonly by: Doubted;
  /** The probability that the row is wrong, by measurements on other rows. */
  readonly stated: number;
}

export const BY_MODEL: Doubted = { witness: 'model', kind: null };

/** Witnesses that ask no model come first: their reasons are told apart by kind. */
export function doubtedBy({ reasons }: Pick<Doubt, 'reasons'>): Doubted {
  const free = reasons.find(({ witness }) => witness !== 'model');
  return free === undefined ? BY_MODEL : { witness: free.witness, kind: free.kind };
}

const nameOf = ({ witness, kind }: Doubted): string => `${witness}/${kind}`;

interface Tally extends Doubted {
  rows: number;
  wrong: number;
  /** Sum of the stated probabilities. */
  stated: number;
}

/**
 * How many of the rows that each witness doubted are wrong, by the verdicts on them. Verdicts count for the text that was
 * seen, whatever the row has now, and those of several reviewers of a row for their mean. What a model said counts in the version
 * that it was asked for: the next may ask another.
 */
function tally(verdicts: readonly VerdictRecord[], version: number): Map<string, Tally> {
  const counted = verdicts.flatMap(({ doubted, ...verdict }) =>
    doubted === undefined || (doubted.witness === 'model' && verdict.version !== version)
      ? []
      : [{ ...verdict, doubted }],
  );
  const tallies = new Map<string, Tally>();
  for (const said of groupBy(counted, ({ row, content_hash }) => `${row} ${content_hash}`).values()) {
    const [{ doubted }] = said as [(typeof said)[0]];
    const { witness, kind } = doubted;
    const each = tallies.get(nameOf(doubted)) ?? { witness, kind, rows: 0, wrong: 0, stated: 0 };
    each.rows += 1;
    each.wrong += said.filter(({ verdict }) => verdict !== 'right').length / said.length;
    each.stated += doubted.probability;
    tallies.set(nameOf(doubted), each);
  }
  return tallies;
}

/** What the verdicts say of the witnesses, the one with most rows first. */
export function describeWitnesses(verdicts: readonly VerdictRecord[], version: number): WitnessRecord[] {
  return [...tally(verdicts, version).values()]
    .map(({ witness, kind, rows, wrong, stated }) => {
      const [low, high] = wilsonInterval(wrong / rows, rows);
      return {
        witness,
        kind,
        rows,
        share_wrong: hundredths(wrong / rows),
        share_interval: [hundredths(low), hundredths(high)] as [number, number],
        share_stated: hundredths(stated / rows),
      };
    })
    .sort((a, b) => b.rows - a.rows || (nameOf(a) < nameOf(b) ? -1 : 1));
}

/**
 * Corrects stated probabilities by the verdicts on rows that the same witness doubted for the same: the odds of each are
 * multiplied so that the rows that were looked at would have been stated as they are. What was stated counts as ten verdicts
 * (a Beta prior), so that few verdicts move little.
 */
export function correctDoubts<T extends StatedDoubt>(
  doubts: readonly T[],
  verdicts: readonly VerdictRecord[],
  version: number,
): (T & { readonly probability: number })[] {
  const factors = new Map([...tally(verdicts, version)].map(([name, each]) => [name, oddsFactor(each)]));
  return doubts.map((doubt) => {
    const factor = factors.get(nameOf(doubt.by));
    if (factor === undefined) return { ...doubt, probability: doubt.stated };
    return { ...doubt, probability: hundredths(timesOdds(doubt.stated, factor)) };
  });
}

/**
 * By how much the odds of a witness's doubts are to be multiplied.
 * @param tally rows with verdicts, how many of them are wrong, and the sum of what was stated of them
 */
export function oddsFactor({ rows, wrong, stated }: Pick<Tally, 'rows' | 'wrong' | 'stated'>): number {
  const expected = stated / rows;
  return oddsOf((wrong + STATED_WORTH * expected) / (rows + STATED_WORTH)) / oddsOf(expected);
}

/** A probability with its odds multiplied. */
export function timesOdds(probability: number, factor: number): number {
  const odds = factor * oddsOf(probability);
  return odds / (1 + odds);
}

/** Stated probabilities are within 0.01 and 0.99; a mean that rounding moved is kept there. */
const oddsOf = (share: number): number => {
  const within = Math.min(0.995, Math.max(0.005, share));
  return within / (1 - within);
};

const hundredths = (value: number): number => Math.round(value * 100) / 100;
