import { type LadderCount, RUNGS, type VerifiedCount } from './ladder.ts';
import { shareOf, table } from './markdown.ts';
import type { ReviewMeasure } from './review-intervals.ts';
import type { IntervalMeasure } from './verdict-intervals.ts';
import type { StatedRow } from './witnesses/neighbours.ts';
import { statedTenths, TOGETHER, type WitnessLine, type WitnessTable } from './witnesses/table.ts';

/** What is measured of doubts, corrections and verdicts, without a model that thinks. */
export interface DoubtMeasures {
  readonly witnesses: WitnessTable;
  /** Held-out rows of our own, and public rows, that scripted models verify with `correct`. */
  readonly ladders: Readonly<Record<'own' | 'public', readonly LadderCount[]>>;
  /** By file of public rows, what a model corrects that is right in each call. */
  readonly corrected: ReadonlyMap<string, VerifiedCount>;
  readonly intervals: readonly IntervalMeasure[];
  readonly reviews: readonly ReviewMeasure[];
}

/** One thing that is wanted, and what was measured of it. */
export interface Goal {
  readonly what: string;
  readonly wanted: string;
  readonly measured: string;
  /** Null where there is no goal, or nothing was measured. */
  readonly isReached: boolean | null;
}

/** Tenths of the stated probability with fewer rows say nothing. */
const STATED_ROWS_MIN = 50;
const RIGHT_FLAGGED_MAX = 0.01;
const SPOILED_MAX = 0.005;
const STATED_ERROR_MAX = 0.1;
const COVERED_MIN = 0.93;
const WIDTH_RATIO_MAX = 0.7;
/** Verdicts, and the share of decided pairs about which the judge beside them is right. */
const [GOAL_VERDICTS, GOAL_JUDGE] = [60, 0.9];

/** What is wanted of the witnesses, of verification and of verdicts, against what was measured. */
export function goalsOf({ witnesses, ladders, corrected, intervals, reviews }: DoubtMeasures): Goal[] {
  return [
    ...witnesses.lines.filter(({ witness }) => witness !== TOGETHER).map(rightFlagged),
    ...foundGoals(witnesses.lines),
    ...witnesses.lines.filter(({ witness }) => witness === TOGETHER).flatMap(ofFile),
    statedGoal('witnesses', witnesses.stated),
    statedGoal('checks of the program', witnesses.checked),
    ...ladderGoals('own rows', ladders.own),
    ...ladderGoals('public rows', ladders.public),
    ...[...corrected].map(([file, count]) => correctedOf(file, count)),
    ...intervalGoals(intervals),
    ...reviews.map(reviewGoal),
  ];
}

function rightFlagged({ witness, rows, right, rightFlagged: flagged }: WitnessLine): Goal {
  return atMost(`${witness}, ${rows}: right rows flagged`, flagged, right, RIGHT_FLAGGED_MAX);
}

/** Of a file: where next to nothing is corrected, verification does not help. */
function correctedOf(file: string, { wrong, corrected }: VerifiedCount): Goal {
  const what = `${file}, a model that is right in 100 % of calls: false rows corrected`;
  return { ...atLeast(what, corrected, wrong, 0), wanted: 'no goal', isReached: null };
}

/** Files of which a share of the wrong rows is to be found: solutions of arithmetic with their steps. */
const FOUND_MIN: ReadonlyMap<string, number> = new Map([['bigbench-mistake-multistep-arithmetic', 0.3]]);

/** What all free witnesses flag of a file. Of most nothing is promised: where it is next to nothing, none of them helps. */
function ofFile(line: WitnessLine): Goal[] {
  const what = `all free witnesses, ${line.rows}`;
  const wanted = FOUND_MIN.get(line.rows.split(':')[0] as string);
  const found = atLeast(`${what}: wrong rows flagged`, line.wrongFlagged, line.wrong, wanted ?? 0);
  return [
    wanted === undefined ? { ...found, wanted: 'no goal', isReached: null } : found,
    atMost(`${what}: right rows flagged`, line.rightFlagged, line.right, RIGHT_FLAGGED_MAX),
  ];
}

function foundGoals(lines: readonly WitnessLine[]): Goal[] {
  const wanted: readonly (readonly [string, string, number])[] = [
    ['execution', 'functions with examples', 0.6],
    ['neighbours', 'texts', 0.7],
  ];
  return wanted.flatMap(([witness, rows, share]) =>
    lines
      .filter((line) => line.witness === witness && line.rows.includes(rows))
      .map((line) =>
        atLeast(`${witness}, ${line.rows}: wrong rows flagged`, line.wrongFlagged, line.wrong, share),
      ),
  );
}

/** The tenth of the stated probability that is farthest from the share of wrong rows in it. */
function statedGoal(name: string, stated: readonly StatedRow[]): Goal {
  const errors = statedTenths(stated)
    .filter(({ rows }) => rows >= STATED_ROWS_MIN)
    .map(({ rows, mean, wrong }) => Math.abs(mean - wrong / rows));
  const error = Math.max(0, ...errors);
  return {
    what: `${name}: stated probability against the share of wrong rows, the worst tenth of ${STATED_ROWS_MIN} rows and more`,
    wanted: `at most ${STATED_ERROR_MAX}`,
    measured: error.toFixed(2),
    isReached: stated.length === 0 ? null : error <= STATED_ERROR_MAX,
  };
}

function ladderGoals(name: string, counts: readonly LadderCount[]): Goal[] {
  const of = (errors: LadderCount['errors']) => counts.filter((count) => count.errors === errors);
  const independent = of('independent');
  const corrected = (rung: number, share: number): Goal[] =>
    independent
      .filter((count) => count.rung === rung)
      .map((count) =>
        atLeast(
          `${name}, a model that is right in ${100 * rung} % of calls: false rows corrected`,
          count.corrected,
          count.wrong,
          share,
        ),
      );
  const worst = (some: readonly LadderCount[]): LadderCount | undefined =>
    some.toSorted((a, b) => b.spoiled / b.right - a.spoiled / a.right)[0];
  const spoiled = (['independent', 'systematic', 'systematic, on rows alone'] as const).flatMap((errors) => {
    const count = worst(of(errors));
    if (count === undefined) return [];
    const rung = `the worst of its rungs, ${100 * count.rung} %`;
    return [
      atMost(
        `${name}, errors ${errors}, ${rung}: right rows spoiled`,
        count.spoiled,
        count.right,
        SPOILED_MAX,
      ),
    ];
  });
  const shares = RUNGS.flatMap((rung) =>
    independent.filter((count) => count.rung === rung).map((count) => count.corrected / count.wrong),
  );
  const growth: Goal = {
    what: `${name}, a better model corrects no fewer false rows`,
    wanted: 'growing with the rung',
    measured: shares.map((share) => `${Math.round(100 * share)} %`).join(', '),
    isReached: shares.every((share, n) => n === 0 || share >= (shares[n - 1] as number)),
  };
  return [...spoiled, ...corrected(0.95, 0.6), ...corrected(1, 0.85), ...(shares.length > 1 ? [growth] : [])];
}

function intervalGoals(intervals: readonly IntervalMeasure[]): Goal[] {
  const of60 = intervals.filter(({ verdicts }) => verdicts === GOAL_VERDICTS);
  const covered = Math.min(...of60.map((each) => each.covered));
  return [
    ...(of60.length === 0
      ? []
      : [
          coveredGoal(
            `${GOAL_VERDICTS} verdicts: intervals of a win rate with the truth, the worst judge`,
            covered,
          ),
        ]),
    ...of60
      .filter(({ accuracy }) => accuracy >= GOAL_JUDGE)
      .map(({ accuracy, ratio }) => ({
        what: `${GOAL_VERDICTS} verdicts and a judge that is right about ${100 * accuracy} %: width beside that of the verdicts alone`,
        wanted: `at most ${WIDTH_RATIO_MAX}`,
        measured: ratio.toFixed(2),
        isReached: ratio <= WIDTH_RATIO_MAX,
      })),
  ];
}

/** The interval of a grade holds the truth, whatever has happened since the verdicts. */
const reviewGoal = ({ name, covered, resamplings }: ReviewMeasure): Goal =>
  coveredGoal(`grades of ${resamplings} reviews, ${name}: intervals with the truth`, covered);

const coveredGoal = (what: string, covered: number): Goal => ({
  what,
  wanted: `at least ${percent(COVERED_MIN)}`,
  measured: `${(100 * covered).toFixed(1)} %`,
  isReached: covered >= COVERED_MIN,
});

const percent = (share: number): string => `${Math.round(1000 * share) / 10} %`;

function atMost(what: string, count: number, of: number, share: number): Goal {
  return {
    what,
    wanted: `at most ${percent(share)}`,
    measured: `${count} of ${of} (${shareOf(count, of)})`,
    isReached: of === 0 ? null : count / of <= share,
  };
}

function atLeast(what: string, count: number, of: number, share: number): Goal {
  return {
    what,
    wanted: `at least ${percent(share)}`,
    measured: `${count} of ${of} (${shareOf(count, of)})`,
    isReached: of === 0 ? null : count / of >= share,
  };
}

/** The goals as a table. */
export function describeGoals(goals: readonly Goal[]): string {
  const reached = (is: boolean | null): string => (is === null ? '' : is ? 'yes' : '**no**');
  return table(
    ['goal', 'wanted', 'measured', 'reached'],
    goals.map(({ what, wanted, measured, isReached }) => [what, wanted, measured, reached(isReached)]),
    4,
  );
}

/** What stands under the table of goals. */
export const GOALS_NOTE = `The ratios of the witnesses (\`shared/witnesses/decide/finding-kinds.ts\`) were counted on rows of these files in part, so that
the stated probability is tried on rows that it was learned from; the program's checks are not. A row is right here if its result is: a
solution with a false equation and a right result is a right row that is flagged.

Wanted too, and measured otherwise:

| goal | wanted | measured | reached |
| --- | --- | --- | --- |
| average precision of label noise beside cleanlab's on the same embeddings | no less | in 7 of 8 sets no less ([ADR 0079](../adr/0079-neighbours-as-a-witness.md)) | **in one not** |
| processor time of free witnesses a row, beside the embedding | at most 0.3 ms | 0.14 to 0.29 ms (the same) | yes |
| rows damaged by hand by two readers: debris mended | at least 80 % | 104 of 158, and fewer of the second reader's ([findings](findings.md#witnesses-that-ask-no-model)) | **no** |
| the same: cut off, empty and careless, right or flagged | at least 60 % | 21 of 53, 22 of 31, 12 of 27 | **no** |
| the same: answers of other rows flagged | at least 70 % | 67 of 81 | yes |
| the service's figure of what a run changed, within its interval | 9 of 10 kinds | 20 of 20 ([after](after.md)) | yes |
| its scores before and after, each near the truth | 9 of 10 kinds | not where answers are well written and false: 10.00 of \`wrong_fact\`, whose truth is 3.33 | **no** |
| right rows of the held-out half harmed, with \`flag\` and with \`correct\`, by the local model | 0, at most 1 | 0, 0 ([ladder-local](ladder-local.md)) | yes |`;
