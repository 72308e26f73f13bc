import { sampleNested } from '#shared/runs/decide/sample-rows.ts';
import type { Doubt } from '#shared/runs/schema/doubt.ts';
import type { RunDoubts } from '../schema/run-doubts.ts';
import { weighFindings } from './weigh-findings.ts';
import type { WitnessFinding } from './witness.ts';

/** What the witnesses found of a row that they looked at; empty if nothing. */
export interface LookedAtRow {
  readonly row: number;
  readonly findings: readonly WitnessFinding[];
}

/** Doubted rows that are kept, so that a worker can hold them. */
export const DOUBTED_ROWS_MAX = 5_000;
const MESSAGE_CHARACTERS_MAX = 300;
/** Characters of all proposals together, of the most doubtful rows first: workers hold them. */
const PROPOSED_CHARACTERS_MAX = 1_000_000;
/** Part of an answer is none, so that a longer one is left out. */
const PROPOSAL_CHARACTERS_MAX = 4000;
/** No row is certain to be wrong, or to be right. */
const PROBABILITIES = [0.01, 0.99] as const;

/** A probability with two decimals. */
export const stated = (probability: number): number =>
  Math.min(PROBABILITIES[1], Math.max(PROBABILITIES[0], Math.round(probability * 100) / 100));

/**
 * The doubts that follow from the rows that were looked at, ascending by row. Of more than are kept the least probable are counted
 * alone; which of those that are as probable as the last one is drawn at random.
 * @param seed draws the same rows each time
 */
export function weighRows(
  rows: readonly LookedAtRow[],
  seed: string,
): Pick<RunDoubts, 'share_wrong' | 'silent' | 'rows' | 'not_listed'> {
  const { shareWrong, silent, probabilities } = weighFindings(rows.map(({ findings }) => findings));
  const doubted = rows.flatMap(({ row, findings }, n) => {
    const doubt = doubtOf(findings, probabilities[n] as number);
    return doubt === null ? [] : [{ row, ...doubt }];
  });
  const kept = mostDoubted(doubted, seed);
  let proposed = 0;
  const bounded = kept.map(({ proposal, ...doubt }) => {
    proposed += proposal?.length ?? 0;
    return proposal === undefined || proposed > PROPOSED_CHARACTERS_MAX ? doubt : { ...doubt, proposal };
  });
  return {
    share_wrong: shareWrong,
    silent: silent === null ? null : ofOthers(silent, rows.length, doubted, kept),
    rows: bounded.sort((a, b) => a.row - b.row),
    not_listed: doubted.length - kept.length,
  };
}

/** The most doubtful rows, as many as are kept, the most doubtful first. */
function mostDoubted<T extends { readonly row: number; readonly probability: number }>(
  doubted: readonly T[],
  seed: string,
): T[] {
  const sorted = doubted.toSorted((a, b) => b.probability - a.probability || a.row - b.row);
  const last = sorted[DOUBTED_ROWS_MAX - 1]?.probability;
  if (last === undefined || sorted.length === DOUBTED_ROWS_MAX) return sorted;
  const sure = sorted.filter(({ probability }) => probability > last);
  const tied = sorted.filter(({ probability }) => probability === last);
  const drawn = new Set(
    sampleNested(
      tied.map(({ row }) => row),
      DOUBTED_ROWS_MAX - sure.length,
      seed,
    ),
  );
  return [...sure, ...tied.filter(({ row }) => drawn.has(row))];
}

/** The probability that a row is wrong that is not listed: of those that nobody doubts, and of doubted ones beyond those kept. */
function ofOthers(
  silent: number,
  rows: number,
  doubted: readonly { readonly probability: number }[],
  kept: readonly { readonly probability: number }[],
): number {
  const sumOf = (some: readonly { readonly probability: number }[]): number =>
    some.reduce((sum, { probability }) => sum + probability, 0);
  if (doubted.length === kept.length) return silent;
  return ((rows - doubted.length) * silent + sumOf(doubted) - sumOf(kept)) / (rows - kept.length);
}

function doubtOf(findings: readonly WitnessFinding[], probability: number): Doubt | null {
  const against = findings.filter(({ says }) => says === 'wrong');
  if (against.length === 0) return null;
  const better = against.find(
    (finding) => finding.better !== undefined && finding.better.length <= PROPOSAL_CHARACTERS_MAX,
  )?.better;
  return {
    probability: stated(probability),
    reasons: against.flatMap(({ witness, kind, reason }) =>
      witness === 'critic' ? [] : [{ witness, kind, message: reason.slice(0, MESSAGE_CHARACTERS_MAX) }],
    ),
    ...(better === undefined ? {} : { proposal: better }),
  };
}
