import { expect, test } from 'vitest';
import {
  markedAnswer,
  nextOffset,
  type PilotRow,
  type RowAnswer,
  reasonOf,
  stateOf,
} from '../../../console/src/pilots/row-answers.ts';

const answer = (changes: Partial<RowAnswer> = {}): RowAnswer => ({
  arm: 1,
  outcome: 'changed',
  code: null,
  message: null,
  answer: null,
  verdict: null,
  ...changes,
});
const page = (rows: number, total: number) => ({
  items: Array.from(
    { length: rows },
    (_, row): PilotRow => ({ row, request: null, original: null, answers: [] }),
  ),
  total,
});
const whole = (text: string) => ({ text, truncated: false });

test('the next page of rows begins behind those that are read, and there is none behind the last', () => {
  expect(nextOffset([page(20, 30)])).toBe(20);
  expect(nextOffset([page(20, 30), page(10, 30)])).toBeNull();
});

test('the next page of rows is not asked for where a sample is not drawn or a page comes empty', () => {
  expect(nextOffset([page(0, 0)])).toBeNull();
  expect(nextOffset([page(20, 30), page(0, 30)])).toBeNull();
});

test('the answer of an arm has the verdict of a changed row, and of any other what became of it', () => {
  expect(stateOf(answer({ verdict: 'better' })).label).toBe('better');
  expect(stateOf(answer()).label).toBe('not compared');
  expect(stateOf(answer({ outcome: 'kept', verdict: 'same' })).label).toBe('kept');
  expect(stateOf(answer({ outcome: 'failed' })).label).toBe('failed');
});

test('the answer of an arm has a sentence as its reason, or the code in words', () => {
  expect(reasonOf(answer())).toBeNull();
  expect(reasonOf(answer({ code: 'already_good', message: 'Nothing is wrong.' }))).toBe('Nothing is wrong.');
  expect(reasonOf(answer({ code: 'already_good' }))).toBe('already good');
});

test('new words of an answer are marked where most of the original stays', () => {
  expect(markedAnswer(whole('boil it with vinegar'), whole('boil it with white vinegar'))).toEqual([
    { kind: 'both', text: 'boil it with ' },
    { kind: 'after', text: 'white ' },
    { kind: 'both', text: 'vinegar' },
  ]);
});

test('new words of an answer are not marked in an answer that is written anew, is cut, or has no original', () => {
  expect(markedAnswer(whole('use vinegar'), whole('Boil water in it, and rinse it twice.'))).toBeNull();
  expect(markedAnswer({ text: 'boil it', truncated: true }, whole('boil it twice'))).toBeNull();
  expect(markedAnswer(whole('boil it'), { text: 'boil it twice', truncated: true })).toBeNull();
  expect(markedAnswer(null, whole('boil it'))).toBeNull();
});
