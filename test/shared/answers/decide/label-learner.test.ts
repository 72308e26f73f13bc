import { expect, test } from 'vitest';
import { LabelLearner } from '#shared/answers/decide/label-learner.ts';

const learn = (rows: number, labelOf: (row: number) => string): string[] => {
  const learner = new LabelLearner(['label']);
  for (let row = 0; row < rows; row += 1) learner.take(row, () => labelOf(row));
  return learner.labels().sort();
};

test('labels are learned from rows that are sorted, periodic or few', () => {
  expect(learn(20_000, (row) => (row < 10_000 ? 'no' : 'yes'))).toEqual(['no', 'yes']);
  for (const period of [2, 3, 4, 8, 64, 100]) {
    expect(learn(20_000, (row) => `label ${String.fromCharCode(97 + ((row % period) % 3))}`)).toEqual(
      ['label a', 'label b', 'label c'].slice(0, Math.min(3, period)),
    );
  }
  expect(learn(8, (row) => (row % 2 === 0 ? 'no' : 'yes'))).toEqual(['no', 'yes']);
});

test('a learner reads the cells of some hundreds of a million rows', () => {
  const learner = new LabelLearner(['text']);
  let reads = 0;
  for (let row = 0; row < 1_000_000; row += 1) {
    learner.take(row, () => {
      reads += 1;
      return `Answer ${row} is a sentence.`;
    });
  }

  expect(learner.labels()).toEqual([]);
  expect(reads).toBeLessThan(5000);
});

test('the labels of each column are learned by themselves', () => {
  const learner = new LabelLearner(['topic', 'text', 'mood']);
  for (let row = 0; row < 100; row += 1) {
    const cells = { topic: `topic ${row % 3 === 0 ? 'a' : 'b'}`, text: `Sentence ${row}.`, mood: null };
    learner.take(row, (column) => cells[column as keyof typeof cells]);
  }

  expect(learner.labels().sort()).toEqual(['topic a', 'topic b']);
});
