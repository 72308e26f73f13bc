import { describe, expect, it } from 'vitest';
import { pagesFor, pagesToForget, segmentsOf, sumFacets } from '../../../console/src/rows/pages.ts';

it('segmentsOf puts what was searched in several requests one after the other', () => {
  expect(
    segmentsOf([
      { matching: 120, next_row: 90_000 },
      { matching: 3, next_row: null },
    ]),
  ).toEqual([
    { firstRow: null, start: 0, matching: 120 },
    { firstRow: 90_000, start: 120, matching: 3 },
  ]);
});

describe('pagesFor', () => {
  const segments = segmentsOf([
    { matching: 120, next_row: 90_000 },
    { matching: 60, next_row: null },
  ]);

  it('pagesFor names the pages of the rows that are seen, and no others', () => {
    expect(pagesFor(segments, 40, 60)).toEqual([
      { firstRow: null, offset: 0, limit: 50, start: 0 },
      { firstRow: null, offset: 50, limit: 50, start: 50 },
    ]);
  });

  it('pagesFor goes over the end of a segment into the next one', () => {
    expect(pagesFor(segments, 110, 125)).toEqual([
      { firstRow: null, offset: 100, limit: 20, start: 100 },
      { firstRow: 90_000, offset: 0, limit: 50, start: 120 },
    ]);
    expect(pagesFor(segments, 175, 400)).toEqual([{ firstRow: 90_000, offset: 50, limit: 10, start: 170 }]);
  });

  it('pagesFor names none where nothing matches', () => {
    expect(pagesFor(segmentsOf([{ matching: 0, next_row: null }]), 0, 20)).toEqual([]);
  });
});

it('sumFacets adds the counts of a value, and orders them', () => {
  expect(
    sumFacets([
      [
        { value: 'kept', rows: 5 },
        { value: 'changed', rows: 2 },
      ],
      [{ value: 'changed', rows: 9 }],
    ]),
  ).toEqual([
    { value: 'changed', rows: 11 },
    { value: 'kept', rows: 5 },
  ]);
});

it('pagesToForget names the pages that were read the longest ago', () => {
  const pages = [{ readAt: 3 }, { readAt: 1 }, { readAt: 2 }];
  expect(pagesToForget(pages, 2)).toEqual([{ readAt: 1 }]);
  expect(pagesToForget(pages, 3)).toEqual([]);
});
