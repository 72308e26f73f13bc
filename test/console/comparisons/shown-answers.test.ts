import { expect, test } from 'vitest';
import { answersOf } from '../../../console/src/comparisons/shown-answers.ts';
import { compared } from './comparison-examples.ts';

const ANSWERS = [compared(1, 'adapted'), compared(2, 'tie'), compared(3, null)];
const rowsOf = (...args: Parameters<typeof answersOf>) => answersOf(...args).map(({ of }) => of.row);

test('all answers are shown, or those of a verdict', () => {
  expect(rowsOf(ANSWERS, 1, 'all')).toEqual([1, 2, 3]);
  expect(rowsOf(ANSWERS, 1, 'adapted')).toEqual([1]);
  expect(rowsOf(ANSWERS, 1, 'tie')).toEqual([2]);
  expect(rowsOf(ANSWERS, 1, 'original')).toEqual([]);
});

test('a seed that is not trained yet has prompts and no verdict', () => {
  expect(answersOf(ANSWERS, 2, 'all').map(({ answer }) => answer)).toEqual([null, null, null]);
  expect(answersOf(ANSWERS, 2, 'tie')).toEqual([]);
});
