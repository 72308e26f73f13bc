import { describe, expect, test } from 'vitest';
import { comparedCells, countsWords, kindOf } from '../../../console/src/versions/diff.ts';
import { CHANGED } from './version-examples.ts';

describe('the cells of a row that differs', () => {
  test('are those of changed columns alone', () => {
    expect(comparedCells(['question', 'answer'], CHANGED)).toEqual([
      { column: 'answer', before: 'boil it with vinegar', after: 'boil it with white vinegar' },
    ]);
  });

  test('are all that an added or a removed row has', () => {
    const cells = { question: 'why', answer: null };

    expect(comparedCells(['question', 'answer'], { before: null, after: cells })).toEqual([
      { column: 'question', before: null, after: 'why' },
    ]);
    expect(comparedCells(['question', 'answer'], { before: cells, after: null })).toEqual([
      { column: 'question', before: 'why', after: null },
    ]);
  });

  test('are JSON where they are no text, and are told apart from a text of the same form only by being one', () => {
    expect(
      comparedCells(['n', 'list', 'gone'], {
        before: { n: 1, list: [1], gone: true },
        after: { n: 2, list: [1] },
      }),
    ).toEqual([
      { column: 'n', before: '1', after: '2' },
      { column: 'gone', before: 'true', after: null },
    ]);
  });

  test('are the row’s own, whatever its columns are called', () => {
    expect(comparedCells(['toString', 'constructor'], { before: {}, after: { constructor: 'x' } })).toEqual([
      { column: 'constructor', before: null, after: 'x' },
    ]);
  });
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
