import { chooseRows, drawnAs, drawnBefore, type Reviewed } from '#shared/review/decide/choose-rows.ts';
import { gradeRows } from '#shared/review/decide/grade-rows.ts';
import { judgeRows } from '#shared/review/decide/judge-rows.ts';
import { contentHash, type VerdictRecord } from '#shared/review/decide/verdict.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';
import { table } from './markdown.ts';

/** What happens to a reviewed dataset, in order. */
export type Step =
  /** Verdicts on rows in the order in which they are shown; a wrong row is mended, or only called wrong. */
  | { readonly review: number; readonly says?: 'mended' | 'wrong' }
  /** Rows that the reviewer chose, as those alike are: so many wrong ones are mended. */
  | { readonly mendAlike: number }
  /** A review is applied: mended texts come in, wrong rows without one go. */
  | { readonly apply: true }
  | { readonly append: number; readonly wrong: number }
  /** An adaptation writes every wrong row that has its first text anew, and half of them are right then. */
  | { readonly adapt: true }
  /** An adaptation that writes every row anew, and leaves right what was right. */
  | { readonly rewrite: true };

/** A dataset and what happens to it. */
export interface ReviewCourse {
  readonly name: string;
  /** Share of its rows that are wrong. */
  readonly wrong: number;
  /** So many first rows are doubted, nearly all of which are wrong. */
  readonly doubted?: number;
  /** The verdicts are those of a release that did not keep how many rows there were. */
  readonly isOld?: boolean;
  /** Whether unit tests take it. */
  readonly inTests?: boolean;
  readonly steps: readonly Step[];
}

/** How often the interval of the grade has the truth at the end of a course. */
export interface ReviewMeasure {
  readonly name: string;
  readonly resamplings: number;
  readonly covered: number;
  /** Mean width of the intervals, and mean of score less truth, of 10. */
  readonly width: number;
  readonly bias: number;
}

const ROWS = 500;
const DOUBTED_WRONG = 0.9;
const PAGE = 10;

const tenAppends: readonly Step[] = Array.from({ length: 10 }, (): Step[] => [
  { append: 25, wrong: 0.05 },
  { review: 3 },
]).flat();

/** What is done with reviewed datasets. */
export const REVIEW_COURSES: readonly ReviewCourse[] = [
  { name: 'no verdict applied', wrong: 0.2, steps: [{ review: 60 }] },
  { name: 'mended rows applied', wrong: 0.2, inTests: true, steps: [{ review: 60 }, { apply: true }] },
  {
    name: 'wrong rows dropped',
    wrong: 0.2,
    inTests: true,
    steps: [{ review: 60, says: 'wrong' }, { apply: true }],
  },
  {
    name: 'mended rows applied twice',
    wrong: 0.3,
    steps: [{ review: 30 }, { apply: true }, { review: 30 }, { apply: true }],
  },
  {
    name: 'as many rows appended, of which most are wrong',
    wrong: 0.2,
    inTests: true,
    steps: [{ review: 60 }, { append: ROWS, wrong: 0.8 }],
  },
  {
    name: 'the same, looked at again',
    wrong: 0.2,
    inTests: true,
    steps: [{ review: 60 }, { apply: true }, { append: ROWS, wrong: 0.8 }, { review: 30 }, { apply: true }],
  },
  {
    name: 'the same, with verdicts of an earlier release',
    wrong: 0.2,
    isOld: true,
    steps: [{ review: 60 }, { append: ROWS, wrong: 0.8 }],
  },
  { name: 'ten appends with few verdicts', wrong: 0.05, steps: [{ review: 30 }, ...tenAppends] },
  {
    name: 'rows alike mended before others are drawn',
    wrong: 0.3,
    steps: [{ mendAlike: 75 }, { review: 60 }, { apply: true }],
  },
  {
    name: 'rows alike mended in the middle',
    wrong: 0.3,
    inTests: true,
    steps: [{ review: 30 }, { mendAlike: 75 }, { review: 30 }, { apply: true }],
  },
  {
    name: 'rows alike mended at the end',
    wrong: 0.3,
    steps: [{ review: 60 }, { mendAlike: 75 }, { apply: true }],
  },
  {
    name: 'doubtful rows mended',
    wrong: 0.1,
    doubted: 60,
    steps: [{ review: 90 }, { apply: true }],
  },
  { name: 'adapted after the verdicts', wrong: 0.2, inTests: true, steps: [{ review: 60 }, { adapt: true }] },
  {
    name: 'rows appended, all rows written anew, and looked at again',
    wrong: 0.2,
    inTests: true,
    steps: [{ review: 30 }, { append: ROWS, wrong: 0.8 }, { rewrite: true }, { review: 30 }],
  },
];

interface SimulatedRow {
  text: string;
  isWrong: boolean;
  isDropped: boolean;
  isDoubted: boolean;
}

/** A dataset whose truth is known, with a reviewer who sees it. */
class SimulatedReview {
  readonly #rows: SimulatedRow[] = [];
  #verdicts: VerdictRecord[] = [];
  #version = 1;
  #isReviewed = true;
  #clock = 0;
  readonly #seed: string;
  readonly #random: () => number;
  readonly #course: ReviewCourse;

  constructor(course: ReviewCourse, seed: string) {
    this.#course = course;
    this.#seed = seed;
    this.#random = seededRandom(seed);
    const { doubted = 0, wrong } = course;
    this.#add(doubted, DOUBTED_WRONG, true);
    this.#add(ROWS - doubted, wrong, false);
  }

  #add(count: number, wrong: number, isDoubted: boolean): void {
    for (let each = 0; each < count; each += 1) {
      const isWrong = this.#random() < wrong;
      this.#rows.push({ text: isWrong ? 'wrong' : 'right', isWrong, isDropped: false, isDoubted });
    }
  }

  /** Ten times the share of right rows. */
  get truth(): number {
    const delivered = this.#rows.filter(({ isDropped }) => !isDropped);
    return (10 * delivered.filter(({ isWrong }) => !isWrong).length) / delivered.length;
  }

  get reviewed(): Reviewed {
    const rows = this.#rows;
    const current = (row: number): string | null =>
      rows[row]?.isDropped === false ? hashOf(row, rows[row].text) : null;
    return {
      seed: this.#seed,
      rows: rows.length,
      isDelivered: (row) => rows[row]?.isDropped === false,
      doubts: rows.flatMap(({ isDoubted }, row) =>
        isDoubted
          ? {
              row,
              by: { witness: 'neighbours', kind: null },
              stated: DOUBTED_WRONG,
              probability: DOUBTED_WRONG,
            }
          : [],
      ),
      silentWrong: null,
      opinions: judgeRows(this.#verdicts, current, { isReviewed: this.#isReviewed }),
    };
  }

  take(step: Step): void {
    if ('review' in step) this.#review(step.review, step.says ?? 'mended');
    else if ('mendAlike' in step) this.#mendAlike(step.mendAlike);
    else if ('append' in step) this.#add(step.append, step.wrong, false);
    else if ('apply' in step) this.#apply();
    else if ('rewrite' in step) this.#rewrite();
    else this.#adapt();
  }

  #review(count: number, says: 'mended' | 'wrong'): void {
    for (let left = count; left > 0; left -= PAGE) {
      const { reviewed } = this;
      const why = drawnAs(reviewed);
      const { rows } = chooseRows(reviewed, Math.min(left, PAGE));
      const lookedAt = new Map(reviewed.opinions.map((each) => [each.row, each]));
      this.#record(
        rows.map(({ row, drawn_as }) => ({
          ...this.#verdict(row, says, why(row, drawn_as)),
          ...(this.#course.isOld === true ? {} : drawnBefore(lookedAt.get(row), this.#rows.length)),
        })),
      );
    }
  }

  #mendAlike(count: number): void {
    const known = new Set(this.#verdicts.map(({ row }) => row));
    const alike = [...this.#rows.keys()].filter((row) => this.#rows[row]?.isWrong && !known.has(row));
    this.#record(alike.slice(0, count).map((row) => this.#verdict(row, 'mended', 'chosen')));
  }

  #verdict(row: number, says: 'mended' | 'wrong', drawn_as: VerdictRecord['drawn_as']): VerdictRecord {
    const { text, isWrong } = this.#rows[row] as SimulatedRow;
    this.#clock += 1;
    return {
      dataset_id: this.#seed,
      row,
      reviewer: 'ada',
      verdict: isWrong ? says : 'right',
      content_hash: hashOf(row, text),
      ...(isWrong && says === 'mended' ? { mended_hash: hashOf(row, 'mended') } : {}),
      seen_in: `${this.#version}`,
      version: this.#version,
      drawn_as,
      ...(this.#course.isOld === true ? {} : { rows: this.#rows.length }),
      user_id: 'u',
      recorded_at: new Date(this.#clock * 1000).toISOString(),
    };
  }

  #record(verdicts: readonly VerdictRecord[]): void {
    const given = new Set(verdicts.map(({ row }) => row));
    this.#verdicts = [...this.#verdicts.filter(({ row }) => !given.has(row)), ...verdicts].sort(
      (a, b) => a.row - b.row,
    );
  }

  #apply(): void {
    for (const { row, says } of this.reviewed.opinions) {
      const each = this.#rows[row] as SimulatedRow;
      if (says === 'mended') Object.assign(each, { text: 'mended', isWrong: false, isDoubted: false });
      else if (says === 'wrong') each.isDropped = true;
      else if (says === 'right') each.isDoubted = false;
    }
    this.#version += 1;
    this.#isReviewed = true;
  }

  #rewrite(): void {
    for (const row of this.#rows) row.text = `${row.text} anew`;
    this.#version += 1;
    this.#isReviewed = false;
  }

  #adapt(): void {
    for (const row of this.#rows) {
      if (row.isWrong) Object.assign(row, { text: 'adapted', isWrong: this.#random() < 0.5 });
    }
    this.#version += 1;
    this.#isReviewed = false;
  }
}

const hashOf = (row: number, text: string): string =>
  contentHash({ prompt: `row ${row}`, completion: `${text} ${row}` });

/** Reviews the dataset of a course again and again, and compares the interval of its grade with the truth. */
export function measureReview(course: ReviewCourse, resamplings: number): ReviewMeasure {
  let [covered, width, bias] = [0, 0, 0];
  for (let each = 0; each < resamplings; each += 1) {
    const simulated = new SimulatedReview(course, `${course.name} ${each}`);
    for (const step of course.steps) simulated.take(step);
    const { score, score_interval: interval } = gradeRows(simulated.reviewed) ?? {
      score: Number.NaN,
      score_interval: [Number.NaN, Number.NaN] as const,
    };
    // Bounds are told to two decimals.
    const near = 0.005;
    if (interval[0] - near <= simulated.truth && simulated.truth <= interval[1] + near) covered += 1;
    width += (interval[1] - interval[0]) / resamplings;
    bias += (score - simulated.truth) / resamplings;
  }
  return { name: course.name, resamplings, covered: covered / resamplings, width, bias };
}

/** The measures as a table. */
export function describeReviews(measures: readonly ReviewMeasure[]): string {
  return table(
    ['what happened', 'reviews', 'intervals with the truth', 'mean width', 'mean error'],
    measures.map(({ name, resamplings, covered, width, bias }) => [
      name,
      resamplings,
      `${(100 * covered).toFixed(1)} %`,
      width.toFixed(2),
      bias.toFixed(2),
    ]),
  );
}
