/** What the table of rows is narrowed to; an empty text does not narrow. */
export interface RowFilters {
  readonly outcome: string;
  readonly code: string;
  readonly language: string;
  readonly length_change: string;
  /** `true` or `false` */
  readonly doubted: string;
  readonly search: string;
}

const FILTERS = ['outcome', 'code', 'language', 'length_change', 'doubted', 'search'] as const;

/** Characters of a search that the service takes. */
export const SEARCH_CHARACTERS_MAX = 200;

export function filtersOf(query: URLSearchParams): RowFilters {
  const value = (name: string): string => query.get(name) ?? '';
  return {
    outcome: value('outcome'),
    code: value('code'),
    language: value('language'),
    length_change: value('length_change'),
    doubted: value('doubted'),
    search: value('search'),
  };
}

export const isFiltered = (filters: RowFilters): boolean => FILTERS.some((name) => filters[name] !== '');

/** A whole number from the address; null if it is none. */
export function integerOf(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
