import type { Schemas } from 'tunesmith';

export type RowsPage = Schemas['RowsPage'];
export type Row = Schemas['DatasetRow'];

/** Rows that a request asks for. */
export const PAGE_ROWS = 50;

/** What is searched in one go: all rows, but where their text is too long for one request. */
export interface Segment {
  /** Row from which on it is searched; null is the first. */
  readonly firstRow: number | null;
  /** Place of its first match among those of all segments. */
  readonly start: number;
  readonly matching: number;
}

/** A page of rows: its place in its segment, and among all. */
export interface PagePlace {
  readonly firstRow: number | null;
  /** Place of its first row in the segment. */
  readonly offset: number;
  readonly limit: number;
  /** Place of its first row among all. */
  readonly start: number;
}

export function segmentsOf(searched: readonly Pick<RowsPage, 'matching' | 'next_row'>[]): readonly Segment[] {
  const segments: Segment[] = [];
  let start = 0;
  let firstRow: number | null = null;
  for (const { matching, next_row: next } of searched) {
    segments.push({ firstRow, start, matching });
    start += matching;
    firstRow = next;
  }
  return segments;
}

/** The pages that hold the rows at the places `first` to `last`. */
export function pagesFor(segments: readonly Segment[], first: number, last: number): PagePlace[] {
  return segments.flatMap(({ firstRow, start, matching }) => {
    const from = Math.max(0, first - start);
    const to = Math.min(matching - 1, last - start);
    const pages: PagePlace[] = [];
    for (let offset = Math.floor(from / PAGE_ROWS) * PAGE_ROWS; offset <= to; offset += PAGE_ROWS) {
      pages.push({
        firstRow,
        offset,
        limit: Math.min(PAGE_ROWS, matching - offset),
        start: start + offset,
      });
    }
    return pages;
  });
}

type Facet = readonly { readonly value: string; readonly rows: number }[];

/** Counts of several segments as one, the most frequent first. */
export function sumFacets(facets: readonly Facet[]): { readonly value: string; readonly rows: number }[] {
  const sums = new Map<string, number>();
  for (const { value, rows } of facets.flat()) sums.set(value, (sums.get(value) ?? 0) + rows);
  return [...sums].map(([value, rows]) => ({ value, rows })).sort((a, b) => b.rows - a.rows);
}

/** Of the pages that are kept, those that go so that `most` stay: the ones that were read the longest ago. */
export function pagesToForget<T extends { readonly readAt: number }>(pages: readonly T[], most: number): T[] {
  return [...pages].sort((a, b) => b.readAt - a.readAt).slice(most);
}
