import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { TunesmithError } from 'tunesmith';
import { useApi } from '../api.tsx';
import type { DatasetRecord, DatasetStatus } from '../datasets/dataset.tsx';
import { count, plural, words } from '../format.ts';
import { isPreparing } from '../retry.ts';
import { go, hrefOf, useRoute } from '../route.ts';
import { Empty, Failure, Loading } from '../ui/parts.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { filtersOf, integerOf, isFiltered, type RowFilters, SEARCH_CHARACTERS_MAX } from './filters.ts';
import { placeOfRow, type RowsOf, searchRows } from './load.ts';
import { type Row, type RowsPage, segmentsOf, sumFacets } from './pages.ts';
import { RowDialog } from './row-dialog.tsx';
import { LENGTH_WORDS, languageName } from './row-view.ts';
import { RowsTable } from './table.tsx';
import './rows.css';

interface RowsProps {
  readonly dataset: DatasetRecord;
  readonly status: DatasetStatus;
}

/** The rows of a dataset before and after its run, with filters, and one of them in a dialog. */
export default function Rows({ dataset, status }: RowsProps) {
  const id = dataset.dataset_id;
  const { query } = useRoute();
  const text = query.toString();
  const filters = useMemo(() => filtersOf(new URLSearchParams(text)), [text]);
  const askedRun = query.get('run_id');
  // A run has one version: where both are named, the run is.
  const askedVersion = askedRun === null ? integerOf(query.get('version')) : null;
  const row = integerOf(query.get('row'));
  const [start] = useState(() => integerOf(query.get('offset')) ?? 0);

  const search = useSearch({ datasetId: id, runId: askedRun, version: askedVersion, filters }, status.status);
  const searched = search.data?.pages;
  const [first] = searched ?? [];
  const runId = first?.run_id ?? askedRun;
  // The rows of an upload or an append are of no run, and have their version alone.
  const version = runId === null ? askedVersion : null;
  const of: RowsOf = useMemo(
    () => ({ datasetId: id, runId, version, filters }),
    [id, runId, version, filters],
  );

  const href = useHref(id, askedRun, askedVersion, filters, row);
  // A fragment that changes while the table scrolls must not draw the page anew.
  const onRest = useCallback(
    (place: number) => history.replaceState(null, '', href({ offset: place === 0 ? null : place })),
    [href],
  );
  const [opened, setOpened] = useState<Row | null>(null);
  const onOpen = useCallback(
    (chosen: Row) => {
      setOpened(chosen);
      go(href({ row: chosen.row }));
    },
    [href],
  );

  return (
    <section className="section" aria-label="Rows before and after">
      {askedVersion === null ? null : <AskedVersion datasetId={id} version={askedVersion} />}
      <Filters key={id} href={href} filters={filters} searched={searched ?? []} />
      {search.isError ? <NoRows error={search.error} status={status} retry={() => search.refetch()} /> : null}
      {search.isPending ? <Searching failure={search.failureReason} /> : null}
      {searched === undefined || first === undefined ? null : (
        <Found
          key={JSON.stringify([askedRun, askedVersion, filters])}
          of={of}
          searched={searched}
          start={start}
          row={row !== null && row !== opened?.row ? row : null}
          onOpen={onOpen}
          onRest={onRest}
          more={search.hasNextPage ? () => search.fetchNextPage() : null}
          isSearching={search.isFetchingNextPage}
        />
      )}
      {row === null || search.isPending ? null : (
        <RowDialog
          key={row}
          of={of}
          row={row}
          hrefOfRow={(other) => href({ row: other })}
          onClose={() => {
            setOpened(null);
            go(href({ row: null }), { replace: true });
          }}
        />
      )}
    </section>
  );
}

/** Addresses of this page with something changed. */
function useHref(
  id: string,
  askedRun: string | null,
  askedVersion: number | null,
  filters: RowFilters,
  row: number | null,
) {
  return useCallback(
    (change: Partial<RowFilters> & { row?: number | null; offset?: number | null }) =>
      hrefOf(['datasets', id, 'rows'], {
        run_id: askedRun,
        version: askedVersion,
        ...filters,
        row,
        ...change,
      }),
    [id, askedRun, askedVersion, filters, row],
  );
}

/** The first pages of rows, searched with filters. */
function useSearch(of: RowsOf, status: DatasetStatus['status']) {
  const { client } = useApi();
  return useInfiniteQuery({
    // A run that ends brings other rows.
    queryKey: ['rows', of.datasetId, of.runId, of.version, of.filters, status],
    queryFn: ({ pageParam, signal }) => searchRows(client, of, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next_row,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}

function AskedVersion({ datasetId, version }: { readonly datasetId: string; readonly version: number }) {
  return (
    <p className="line">
      <strong>Version {version}</strong>
      <a href={hrefOf(['datasets', datasetId, 'versions'])}>All versions</a>
    </p>
  );
}

function Searching({ failure }: { readonly failure: unknown }) {
  return isPreparing(failure) ? (
    <p className="loading" role="status">
      The service sorts these rows for the first time. This takes up to a minute …
    </p>
  ) : (
    <Loading what="the rows" />
  );
}

/** Says why there are no rows, where that is no fault. */
function NoRows({
  error,
  status,
  retry,
}: {
  readonly error: unknown;
  readonly status: DatasetStatus;
  readonly retry: () => void;
}) {
  if (error instanceof TunesmithError && error.code === 'no_data_yet') {
    return (
      <Empty title="No rows yet">
        <p>
          {status.status === 'failed'
            ? 'The file could not be read, so there are no rows to show. The overview says why.'
            : 'Rows are shown here as soon as the file is read.'}
        </p>
      </Empty>
    );
  }
  return <Failure error={error} retry={retry} />;
}

interface FoundProps {
  readonly of: RowsOf;
  readonly searched: readonly RowsPage[];
  readonly start: number;
  /** A row to scroll to, which the address names. */
  readonly row: number | null;
  readonly onOpen: (row: Row) => void;
  readonly onRest: (place: number) => void;
  readonly more: (() => void) | null;
  readonly isSearching: boolean;
}

function Found({ of, searched, start, row, onOpen, onRest, more, isSearching }: FoundProps) {
  const { client } = useApi();
  const segments = useMemo(() => segmentsOf(searched), [searched]);
  const matching = segments.reduce((sum, segment) => sum + segment.matching, 0);
  const total = searched[0]?.total ?? 0;
  const narrowed = isFiltered(of.filters);
  const isFound = more === null && row !== null;
  const place = useQuery({
    queryKey: ['row-place', of, row],
    queryFn: ({ signal }) => placeOfRow(client, of, row ?? 0, matching, signal),
    enabled: isFound && narrowed,
  });
  // Without filters the rows are in the order of their numbers.
  const goal = !isFound ? null : narrowed ? (place.data ?? null) : row < total ? row : null;
  const upTo = searched.at(-1)?.next_row ?? null;
  return (
    <>
      {searched[0]?.status === 'failed' ? (
        <div className="notice notice-warn" role="status">
          <p>This run failed. These are the rows that it finished before.</p>
        </div>
      ) : null}
      <div className="line">
        <p role="status">
          {narrowed ? `${count(matching)} of ${plural(total, 'row')}` : plural(total, 'row')}
          {upTo === null ? '' : ` – the first ${count(upTo)} are searched`}
        </p>
        {more === null ? null : (
          <button type="button" disabled={isSearching} onClick={more}>
            {isSearching ? 'Searching …' : 'Search the next rows'}
          </button>
        )}
        {total > 0 ? <a href={hrefOf(['datasets', of.datasetId, 'review'])}>Review doubtful rows</a> : null}
        {searched[0]?.run_id == null && total > 0 ? (
          <span className="quiet">As they came: no run has changed them.</span>
        ) : null}
      </div>
      {matching === 0 ? (
        <Empty title={total === 0 ? 'This dataset has no rows' : 'No row matches'}>
          {narrowed ? (
            <p>
              <a href={hrefOf(['datasets', of.datasetId, 'rows'], { run_id: of.runId, version: of.version })}>
                Show all rows
              </a>
            </p>
          ) : null}
        </Empty>
      ) : (
        <RowsTable
          of={of}
          searched={searched}
          segments={segments}
          rows={matching}
          start={Math.min(start, matching - 1)}
          goal={goal}
          onOpen={onOpen}
          onRest={onRest}
        />
      )}
    </>
  );
}

const CHOICES = [
  { name: 'outcome', label: 'Outcome', all: 'All outcomes', word: words },
  { name: 'code', label: 'Reason', all: 'All reasons', word: words },
  { name: 'language', label: 'Language', all: 'All languages', word: languageName },
  {
    name: 'length_change',
    label: 'Length of the answer',
    all: 'Any length',
    word: (value: string) =>
      Object.hasOwn(LENGTH_WORDS, value) ? LENGTH_WORDS[value as keyof typeof LENGTH_WORDS] : value,
  },
] as const;

function Filters(props: {
  readonly href: (change: Partial<RowFilters> & { row?: null }) => string;
  readonly filters: RowFilters;
  readonly searched: readonly RowsPage[];
}) {
  const { href, filters, searched } = props;
  return (
    <search className="row-filters">
      <SearchField
        label="Search in the text of the rows"
        placeholder="Search in the text"
        maxLength={SEARCH_CHARACTERS_MAX}
        search={filters.search}
        onSearch={(search) => go(href({ search, row: null }), { replace: true })}
      />
      {CHOICES.map(({ name, label, all, word }) => {
        const counts = sumFacets(searched.map(({ facets }) => facets[name]));
        const value = filters[name];
        // What is chosen is offered even if no row has it any more.
        const options =
          counts.some((each) => each.value === value) || value === ''
            ? counts
            : [...counts, { value, rows: 0 }];
        return options.length === 0 ? null : (
          <select
            key={name}
            aria-label={label}
            value={value}
            onChange={(event) => go(href({ [name]: event.target.value, row: null }), { replace: true })}
          >
            <option value="">{all}</option>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {word(option.value)} ({count(option.rows)})
              </option>
            ))}
          </select>
        );
      })}
      {filters.doubted !== '' || searched.some(({ run_id }) => run_id !== null) ? (
        <select
          aria-label="Doubt"
          value={filters.doubted}
          onChange={(event) => go(href({ doubted: event.target.value, row: null }), { replace: true })}
        >
          <option value="">Any doubt</option>
          <option value="true">Doubted</option>
          <option value="false">Not doubted</option>
        </select>
      ) : null}
      {isFiltered(filters) ? (
        <a
          className="button"
          href={href({
            outcome: '',
            code: '',
            language: '',
            length_change: '',
            doubted: '',
            search: '',
            row: null,
          })}
        >
          Clear
        </a>
      ) : null}
    </search>
  );
}
