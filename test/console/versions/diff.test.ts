import { expect, test } from 'vitest';
import {
  comparedCells,
  countsWords,
  cutWords,
  kindOf,
  rowWords,
} from '../../../console/src/versions/diff.ts';
import { CHANGED, side } from './version-examples.ts';

const cell = (column: string, text: string, truncated = false) => ({ column, text, truncated });

test('the cells of a row that differs stand together by column, also where one version has none', () => {
  expect(
    comparedCells({
      before: side({ answer: 'a', toString: 'x' }),
      after: side({ answer: 'b', score: '1' }),
    }),
  ).toEqual([
    { column: 'answer', before: cell('answer', 'a'), after: cell('answer', 'b') },
    { column: 'toString', before: cell('toString', 'x'), after: null },
    { column: 'score', before: null, after: cell('score', '1') },
  ]);
});

test('the cells of a row that differs are all of one version where the other has no such row', () => {
  expect(comparedCells({ before: null, after: side({ question: 'why' }) })).toEqual([
    { column: 'question', before: null, after: cell('question', 'why') },
  ]);
  expect(comparedCells({ before: side({}), after: null })).toEqual([]);
});

test('the cells of a row that differs say where they are cut, and that they differ though their beginnings are the same', () => {
  expect(cutWords(cell('a', 'x'), cell('a', 'y'))).toBeNull();
  expect(cutWords(cell('a', 'x', true), cell('a', 'y'))).toContain('Only the beginnings');
  expect(cutWords(cell('a', 'x', true), cell('a', 'x', true))).toContain('differ after that');
});

test('a row is called by its number, and one in another language by that too', () => {
  expect(rowWords(CHANGED)).toBe('Row 7');
  expect(rowWords({ row: 1200, target: { language: 'de', country: null } })).toBe('Row 1,200 in German');
  expect(rowWords({ row: 7, target: { language: 'de', country: 'AT' } })).toBe('Row 7 in German, AT');
});

test('the counts are a sentence, also where nothing differs', () => {
  expect(countsWords({ added: 1200, removed: 2, changed: 1, unchanged: 0 })).toBe(
    '1 row changed, 1,200 added, 2 removed, 0 unchanged.',
  );
  expect(countsWords({ added: 0, removed: 0, changed: 0, unchanged: 8 })).toBe(
    'No row differs: 8 unchanged.',
  );
  expect(countsWords({ added: 0, removed: 0, changed: 0, unchanged: 0 })).toBe('Both versions have no rows.');
});

test('a kind is one of three, and anything else is all', () => {
  expect(['changed', 'added', 'removed', 'unchanged', null].map(kindOf)).toEqual([
    'changed',
    'added',
    'removed',
    null,
    null,
  ]);
});
