import * as z from 'zod';
import { ColumnRole, LengthChange, RowFacets, RowOutcome } from '../../schema/rows.ts';

const Section = z.object({ at: z.int().min(0), bytes: z.int().min(0) });
const Column = z.object({ name: z.string(), role: ColumnRole });

/** The parts of an index's table, in the order in which they are written: what is read together lies together. */
export const TABLE_SECTIONS = [
  'outcome',
  'length_change',
  'code',
  'language',
  /** How probably each row is wrong, in percent; 0 for one that nobody doubts. */
  'doubt',
  /** First rows and ends of the blocks of rows. */
  'row_blocks',
  'row_block_ends',
  /** First rows, ends and unpacked bytes of the blocks of text, and their signatures. */
  'text_blocks',
  'text_block_ends',
  'text_block_bytes',
  'signatures',
  /** First rows and ends of the blocks of complete rows, which have only rows with long cells. */
  'long_blocks',
  'long_block_ends',
] as const;
export type TableSection = (typeof TABLE_SECTIONS)[number];

/** Written last: an index is complete once this object exists. */
export const RowIndex = z.object({
  version: z.literal(1),
  dataset_id: z.string(),
  run_id: z.string().nullable(),
  total: z.int().min(0),
  before: z.array(Column),
  after: z.array(Column),
  /** The values that the table has by number, from 1. */
  codes: z.array(z.string()),
  languages: z.array(z.string()),
  facets: RowFacets,
  /** In indexes of earlier versions no row is doubted. */
  sections: z.preprocess(
    (sections) => ({ doubt: { at: 0, bytes: 0 }, ...(sections as object) }),
    z.record(z.enum(TABLE_SECTIONS), Section),
  ),
});
export type RowIndex = z.infer<typeof RowIndex>;

/** The values of the table by number, from 1. */
export const OUTCOMES: readonly RowOutcome[] = RowOutcome.options;
export const LENGTH_CHANGES: readonly LengthChange[] = LengthChange.options;

export const FACETS = ['outcome', 'code', 'language', 'length_change'] as const;
type Facet = (typeof FACETS)[number];

/** The numbers of each row, by property. */
export type RowNumbers = Readonly<Record<Facet, Uint8Array | Uint16Array>>;
type FacetValues = Readonly<Record<Facet, readonly string[]>>;

const VALUES_MAX = 100;

export const valuesOf = (index: Pick<RowIndex, 'codes' | 'languages'>): FacetValues => ({
  outcome: OUTCOMES,
  code: index.codes,
  language: index.languages,
  length_change: LENGTH_CHANGES,
});

/** Counts of rows by property and number. */
export class FacetCounts {
  readonly #values: FacetValues;
  readonly #counts: Readonly<Record<Facet, Float64Array>>;

  constructor(values: FacetValues) {
    this.#values = values;
    const counts = (facet: Facet) => new Float64Array(values[facet].length + 1);
    this.#counts = {
      outcome: counts('outcome'),
      code: counts('code'),
      language: counts('language'),
      length_change: counts('length_change'),
    };
  }

  add(facet: Facet, number: number): void {
    const counts = this.#counts[facet];
    counts[number] = (counts[number] as number) + 1;
  }

  facets(): RowFacets {
    return RowFacets.parse({
      outcome: this.#facet('outcome'),
      code: this.#facet('code'),
      language: this.#facet('language'),
      length_change: this.#facet('length_change'),
    });
  }

  #facet(facet: Facet): { value: string; rows: number }[] {
    const counts = this.#counts[facet];
    return this.#values[facet]
      .map((value, index) => ({ value, rows: counts[index + 1] as number }))
      .filter(({ rows }) => rows > 0)
      .sort((a, b) => b.rows - a.rows || (a.value < b.value ? -1 : 1))
      .slice(0, VALUES_MAX);
  }
}

export type RowFilters = Readonly<Partial<Record<Facet, string | undefined>>>;

export interface FilteredRows {
  readonly matching: number;
  readonly facets: RowFacets;
  /** The wanted rows among those that match. */
  readonly rows: readonly number[];
}

/** The number that a filter asks for; -1 for a value that no row has, and null without a filter. */
function wantedOf(values: readonly string[], filter: string | undefined): number | null {
  return filter === undefined ? null : values.indexOf(filter) + 1 || -1;
}

/**
 * Filters the rows from `first` up to `end` that `isCandidate` lets through. Facets count, for each property, the rows
 * that pass the filters of the others.
 */
export function filterRows(
  numbers: RowNumbers,
  values: FacetValues,
  filters: RowFilters,
  range: { readonly first: number; readonly end: number; readonly isCandidate: (row: number) => boolean },
  page: { readonly offset: number; readonly limit: number },
): FilteredRows {
  const wanted = FACETS.map((facet) => wantedOf(values[facet], filters[facet]));
  const columns = FACETS.map((facet) => numbers[facet]);
  const counts = new FacetCounts(values);
  const rows: number[] = [];
  let matching = 0;
  for (let row = range.first; row < range.end; row += 1) {
    if (!range.isCandidate(row)) continue;
    let missed = -1;
    let misses = 0;
    for (let index = 0; index < FACETS.length; index += 1) {
      const asked = wanted[index] as number | null;
      if (asked === null || columns[index]?.[row] === asked) continue;
      missed = index;
      misses += 1;
    }
    if (misses > 1) continue;
    for (let index = 0; index < FACETS.length; index += 1) {
      if (misses === 0 || index === missed)
        counts.add(FACETS[index] as Facet, columns[index]?.[row] as number);
    }
    if (misses > 0) continue;
    if (matching >= page.offset && rows.length < page.limit) rows.push(row);
    matching += 1;
  }
  return { matching, facets: counts.facets(), rows };
}

/** Whether a row passes all filters but at most one, so that a page or a facet counts it. */
export function mayCount(
  numbers: RowNumbers,
  values: FacetValues,
  filters: RowFilters,
): (row: number) => boolean {
  const wanted = FACETS.flatMap((facet) => {
    const asked = wantedOf(values[facet], filters[facet]);
    return asked === null ? [] : [{ numbers: numbers[facet], asked }];
  });
  if (wanted.length < 2) return () => true;
  return (row) => {
    let misses = 0;
    for (const { numbers: column, asked } of wanted) if (column[row] !== asked) misses += 1;
    return misses < 2;
  };
}
