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

/** The doubts that follow from the rows that were looked at, ascending by row. */
export function weighRows(rows: readonly LookedAtRow[]): Pick<RunDoubts, 'share_wrong' | 'silent' | 'rows'> {
  const { shareWrong, silent, probabilities } = weighFindings(rows.map(({ findings }) => findings));
  const doubted = rows.flatMap(({ row, findings }, n) => {
    const doubt = doubtOf(findings, probabilities[n] as number);
    return doubt === null ? [] : [{ row, ...doubt }];
  });
  const kept = doubted
    .sort((a, b) => b.probability - a.probability || a.row - b.row)
    .slice(0, DOUBTED_ROWS_MAX);
  let proposed = 0;
  const bounded = kept.map(({ proposal, ...doubt }) => {
    proposed += proposal?.length ?? 0;
    return proposal === undefined || proposed > PROPOSED_CHARACTERS_MAX ? doubt : { ...doubt, proposal };
  });
  return { share_wrong: shareWrong, silent, rows: bounded.sort((a, b) => a.row - b.row) };
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
