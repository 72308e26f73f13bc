import { expect, test } from 'vitest';
import { measureReview, REVIEW_COURSES } from '#lab/effect/review-intervals.ts';
import { chooseRows, type Reviewed } from '#shared/review/decide/choose-rows.ts';
import { gradeRows } from '#shared/review/decide/grade-rows.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';
import { doubtsOf, opinion, reviewed } from '#test/helpers/reviewed.ts';

const audits = (count: number, right: number) =>
  Array.from({ length: count }, (_, n) => opinion(500 + n, { values: [n < right ? 1 : 0] }));
const widthOf = (grade: ReturnType<typeof gradeRows>): number =>
  (grade?.score_interval[1] ?? Number.NaN) - (grade?.score_interval[0] ?? Number.NaN);

test.each([1, 2, 3, 6, 15])(
  'the grade of %i verdicts that agree with the witnesses is no less certain than without them',
  (count) => {
    const all = reviewed({
      doubts: doubtsOf(Array.from({ length: 100 }, (_, row) => [row, 0.8])),
      silentWrong: 0.02,
    });

    const grade = gradeRows({ ...all, opinions: audits(count, count) });

    expect(grade?.score).toBeGreaterThan(8.5);
    expect(widthOf(grade)).toBeLessThanOrEqual(widthOf(gradeRows(all)));
  },
);

test('the grade follows few verdicts that contradict the witnesses', () => {
  const all = reviewed({ doubts: doubtsOf([[0, 0.8]]), silentWrong: 0.01 });

  const grade = gradeRows({ ...all, opinions: audits(8, 1) });

  expect(grade).toMatchObject({ verdicts: 8, without_verdicts: { score: 9.89 } });
  expect(grade?.score).toBeLessThan(4);
});

test('what the witnesses alone say stays the same whatever verdicts make of it', () => {
  const doubts = doubtsOf(Array.from({ length: 31 }, (_, row) => [row, 0.8]));
  const all = reviewed({ rows: 60, doubts, silentWrong: 0.05 });
  const corrected = doubts.map((doubt) => ({ ...doubt, probability: 0.1 }));

  const { without_verdicts: before } = gradeRows(all) ?? {};
  const { without_verdicts: after } = gradeRows({ ...all, doubts: corrected, opinions: audits(5, 5) }) ?? {};

  expect(after).toEqual(before);
});

test('rows that reviewers chose themselves say nothing of the others, and bound the grade', () => {
  const audits = Array.from({ length: 20 }, (_, n) => opinion(n, { values: [n < 16 ? 1 : 0] }));
  const chosen = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      opinion(200 + n, { says: 'mended', values: [0], drawn_as: 'chosen' }),
    );

  const alone = gradeRows(reviewed({ opinions: audits }));
  const few = gradeRows(reviewed({ opinions: [...audits, ...chosen(100)] }));
  const many = gradeRows(reviewed({ opinions: [...audits, ...chosen(700)] }));

  expect(few?.score).toBe(alone?.score);
  expect(few?.score_interval[1]).toBeLessThanOrEqual(9);
  expect(many?.score).toBeLessThanOrEqual(3);
  expect(many?.score_interval[1]).toBeLessThanOrEqual(3);
});

/** Reviews rows in the order in which they are shown, and returns what the grade then is. */
function reviewAll(all: Reviewed, isWrong: (row: number) => boolean, verdicts: number) {
  let { opinions } = all;
  while (opinions.length < verdicts) {
    const { rows } = chooseRows({ ...all, opinions }, 10);
    opinions = [
      ...opinions,
      ...rows.map(({ row, drawn_as }) => opinion(row, { drawn_as, values: [isWrong(row) ? 0 : 1] })),
    ];
  }
  return gradeRows({ ...all, opinions });
}

test.each([
  [1000, 200, 0.95, 0.02, 60],
  [1000, 300, 0.95, 0.02, 60],
  [500, 100, 0.95, 0.05, 60],
  [1000, 200, 0.95, 0.2, 90],
  [1000, 30, 0.95, 0.1, 90],
])(
  'the grade of %i rows of which %i are doubted at %d holds the truth where %d of the others are wrong, after %i verdicts',
  (rows, doubted, probability, others, verdicts) => {
    const resamplings = 40;
    let [covered, bias] = [0, 0];
    for (let each = 0; each < resamplings; each += 1) {
      const random = seededRandom(`${each}`);
      const wrong = Array.from(
        { length: rows },
        (_, row) => random() < (row < doubted ? probability : others),
      );
      const truth = (10 * wrong.filter((is) => !is).length) / rows;
      const doubts = doubtsOf(Array.from({ length: doubted }, (_, row) => [row, probability]));
      const all = reviewed({ seed: `${each}`, rows, doubts, silentWrong: others });
      const grade = reviewAll(all, (row) => wrong[row] === true, verdicts);
      const [low, high] = grade?.score_interval ?? [1, 0];
      if (low <= truth && truth <= high) covered += 1;
      bias += ((grade?.score ?? 0) - truth) / resamplings;
    }

    expect(covered / resamplings).toBeGreaterThanOrEqual(0.9);
    expect(Math.abs(bias)).toBeLessThan(0.4);
  },
);

test.each(REVIEW_COURSES.filter(({ inTests }) => inTests === true))(
  'the grade holds the truth in 93 of 100 reviews: $name',
  (course) => {
    const { covered, bias, width } = measureReview(course, 100);

    expect(covered).toBeGreaterThanOrEqual(0.93);
    // An interval of everything would hold it too.
    expect(width).toBeLessThan(6.5);
    // Appended rows that nobody looked at are right or wrong alike.
    expect(Math.abs(bias)).toBeLessThan(1.6);
  },
);

test('a dataset of which no row is delivered has no grade', () => {
  expect(gradeRows(reviewed({ isDelivered: () => false, opinions: [opinion(1)] }))).toBeNull();
});
