// biome-ignore-all lint/a11y/useSemanticElements: a table of the browser draws all of its rows; this one places those that are seen
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names its active row
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useApi } from '../api.tsx';
import { Failure } from '../ui/parts.tsx';
import { loadRows, type RowsOf } from './load.ts';
import { PAGE_ROWS, pagesFor, pagesToForget, type Row, type RowsPage, type Segment } from './pages.ts';
import { positionOf, type SlotPosition, scrolledTo, slotTableOf } from './slots.ts';
import { TableRow } from './table-row.tsx';

/** Pages that stay in memory after they were scrolled past: the way back is short. */
const PAGES_KEPT = 20;
/** Rows that are loaded beyond those that are seen. */
const ROWS_AHEAD = 10;
/** Rows that are drawn beyond those that are seen. */
const ROWS_DRAWN_AHEAD = 3;

/** Milliseconds without scrolling after which the address names the place; browsers limit how often it may change. */
const REST_MS = 500;

/** Heights of a row in pixels: side by side, stacked on a narrow screen, and of a row without a run. */
const HEIGHTS = { wide: 120, narrow: 172, source: 120 } as const;

const isNarrowNow = (): MediaQueryList => matchMedia('(max-width: 800px)');

function onNarrowChange(onChange: () => void): () => void {
  const narrow = isNarrowNow();
  narrow.addEventListener('change', onChange);
  return () => narrow.removeEventListener('change', onChange);
}

interface TableProps {
  readonly of: RowsOf;
  readonly searched: readonly RowsPage[];
  readonly segments: readonly Segment[];
  readonly rows: number;
  /** Place to begin at. */
  readonly start: number;
  /** Place to scroll to when it changes; null for none. */
  readonly goal: number | null;
  readonly onOpen: (row: Row) => void;
  /** Told the first place that is seen, when scrolling has come to rest. */
  readonly onRest: (place: number) => void;
}

/**
 * The rows in a table of any length: only those that are seen are drawn and loaded, and a bounded number stays in memory.
 */
export function RowsTable(props: TableProps) {
  const { of, searched, segments, rows, start, goal, onOpen, onRest } = props;
  const frame = useRef<HTMLDivElement>(null);
  const id = useId();
  const isNarrow = useSyncExternalStore(onNarrowChange, () => isNarrowNow().matches);
  const [first] = searched;
  const hasRun = first?.run_id != null;
  const height = hasRun ? (isNarrow ? HEIGHTS.narrow : HEIGHTS.wide) : HEIGHTS.source;
  const [active, setActive] = useState(Math.min(goal ?? start, rows - 1));
  const { virtual, slot, shift, seen, show } = useSlots(frame, rows, height, start);

  const shown = useRef<number | null>(null);
  useEffect(() => {
    if (goal === null || goal === shown.current) return;
    shown.current = goal;
    setActive(goal);
    show(goal, 'center');
  }, [goal, show]);

  const items = virtual.getVirtualItems();
  const firstDrawn = (items[0]?.index ?? 0) + shift;
  const lastDrawn = (items.at(-1)?.index ?? 0) + shift;
  const { rowAt, error, retry } = useRows(of, searched, segments, firstDrawn, lastDrawn);

  useRest(slot + shift, onRest);

  const open = useOpen(rowAt, onOpen, setActive);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey) return;
    const place = placeOfKey(event.key, active, Math.max(1, seen - 1), rows);
    if (place !== undefined) {
      event.preventDefault();
      setActive(place);
      show(place, 'auto');
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(active);
    }
  };

  const isActiveDrawn = active >= firstDrawn && active <= lastDrawn;
  return (
    <>
      {error === null ? null : <Failure error={error} retry={retry} />}
      <div
        ref={frame}
        role="grid"
        aria-label="Rows"
        aria-rowcount={rows + 1}
        aria-describedby={`${id}-keys`}
        tabIndex={0}
        className="rows-frame"
        onKeyDown={onKeyDown}
        {...(isActiveDrawn ? { 'aria-activedescendant': `${id}-${active}` } : {})}
      >
        <Head hasRun={hasRun} />
        <div role="rowgroup" className="rows-body" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start: top }) => (
            <TableRow
              // A row that leaves gives its elements to one that comes.
              key={index % items.length}
              id={`${id}-${index + shift}`}
              place={index + shift}
              top={top}
              height={height}
              isActive={index + shift === active}
              columns={first?.columns ?? []}
              hasRun={hasRun}
              row={rowAt(index + shift)}
              onOpen={open}
            />
          ))}
        </div>
      </div>
      <p id={`${id}-keys`} className="hint">
        Arrow keys, Page Up, Page Down, Home and End move over the rows; Enter opens one.
      </p>
    </>
  );
}

/** Heights of the frame and of the head in it, in pixels. */
function useHeights(frame: RefObject<HTMLDivElement | null>) {
  const [viewHeight, setViewHeight] = useState(700);
  const [headHeight, setHeadHeight] = useState(0);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      setViewHeight(element.clientHeight);
      setHeadHeight(element.querySelector('.rows-head')?.clientHeight ?? 0);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return { viewHeight, headHeight };
}

/** The slots of a table, the one that is seen first, and a function that scrolls to a place. */
function useSlots(frame: RefObject<HTMLDivElement | null>, rows: number, height: number, start: number) {
  const { viewHeight, headHeight } = useHeights(frame);
  const table = useMemo(
    () => slotTableOf(rows, height, viewHeight - headHeight),
    [rows, height, viewHeight, headHeight],
  );
  const [position, setPosition] = useState<SlotPosition>(() => positionOf(table, start));

  const virtual = useVirtualizer({
    count: table.slots,
    estimateSize: () => height,
    getScrollElement: () => frame.current,
    overscan: ROWS_DRAWN_AHEAD,
    initialOffset: position.slot * height,
    // The head covers as much of what is seen.
    scrollPaddingEnd: headHeight,
    useFlushSync: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height is read by a function that stays the same
  useLayoutEffect(() => {
    virtual.measure();
  }, [height, virtual]);

  // Tables that are taller than an element may be: what is on a slot depends on how it was scrolled there.
  const slot = Math.floor((virtual.scrollOffset ?? 0) / height);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the slot says that it was scrolled
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    // Where it is now: a move of this table itself is told of later.
    const now = Math.floor(element.scrollTop / height);
    const next = scrolledTo(table, position, now);
    if (next.slot === position.slot && next.shift === position.shift) return;
    if (next.slot !== now) element.scrollTop += (next.slot - now) * height;
    setPosition(next);
  }, [slot, table, position, height, frame]);

  const show = useCallback(
    (place: number, align: 'start' | 'center' | 'auto') => {
      const slotOf = place - position.shift;
      if (slotOf >= 0 && slotOf < table.slots && (table.slots >= table.rows || align === 'auto')) {
        virtual.scrollToIndex(slotOf, { align });
        return;
      }
      const next = positionOf(table, place);
      setPosition(next);
      if (frame.current !== null) frame.current.scrollTop = next.slot * height;
    },
    [virtual, table, position.shift, height, frame],
  );
  return { virtual, slot, shift: position.shift, seen: table.seen, show };
}

/** Returns a function that opens the row of a place, if it is loaded; it stays the same while rows come. */
function useOpen(
  rowAt: (place: number) => Row | undefined,
  onOpen: (row: Row) => void,
  setActive: (place: number) => void,
) {
  const current = useRef({ rowAt, onOpen });
  current.current = { rowAt, onOpen };
  return useCallback(
    (place: number) => {
      setActive(place);
      const row = current.current.rowAt(place);
      if (row !== undefined) current.current.onOpen(row);
    },
    [setActive],
  );
}

/** Tells the first place that is seen, when scrolling has come to rest. */
function useRest(firstSeen: number, onRest: (place: number) => void): void {
  useEffect(() => {
    const timer = setTimeout(() => onRest(firstSeen), REST_MS);
    return () => clearTimeout(timer);
  }, [firstSeen, onRest]);
}

/** The place that a key moves to from the active one; undefined if it moves to none. */
function placeOfKey(key: string, active: number, page: number, rows: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: rows - 1,
  };
  const to = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return to === undefined ? undefined : Math.min(Math.max(0, to), rows - 1);
}

function Head({ hasRun }: { readonly hasRun: boolean }) {
  return (
    <div role="rowgroup" className="rows-head">
      <div role="row" aria-rowindex={1} className={hasRun ? 'row-columns' : 'row-columns row-source'}>
        <div role="columnheader">Row</div>
        <div role="columnheader">{hasRun ? 'Before' : 'Text'}</div>
        {hasRun ? <div role="columnheader">After</div> : null}
      </div>
    </div>
  );
}

/** The rows of the pages that are seen. Pages that are scrolled past before they came are no longer asked for. */
function useRows(
  of: RowsOf,
  searched: readonly RowsPage[],
  segments: readonly Segment[],
  firstPlace: number,
  lastPlace: number,
) {
  const { client } = useApi();
  const queries = useQueryClient();
  const places = pagesFor(segments, firstPlace - ROWS_AHEAD, lastPlace + ROWS_AHEAD);
  const results = useQueries({
    queries: places.map((place) => {
      // The search has brought the first page of each segment.
      const found = searched[segments.findIndex(({ firstRow }) => firstRow === place.firstRow)]?.rows;
      const initial = place.offset === 0 && found?.length === place.limit ? found : undefined;
      return {
        queryKey: ['row-pages', of, place],
        queryFn: ({ signal }: { signal: AbortSignal }) => loadRows(client, of, place, signal),
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 60_000,
        structuralSharing: false,
        ...(initial === undefined ? {} : { initialData: initial }),
      };
    }),
  });
  const loaded = results.filter(({ data }) => data !== undefined).length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever a page has come, others may go
  useEffect(() => {
    const cache = queries.getQueryCache();
    const kept = cache.findAll({ queryKey: ['row-pages'], type: 'inactive' });
    const byAge = kept.map((query) => ({ query, readAt: query.state.dataUpdatedAt }));
    for (const { query } of pagesToForget(byAge, PAGES_KEPT)) cache.remove(query);
  }, [queries, loaded, places[0]?.start]);
  const failed = results.find(({ error }) => error !== null);
  return {
    rowAt: (place: number): Row | undefined => {
      const index = places.findIndex(({ start }) => place >= start && place < start + PAGE_ROWS);
      const page = places[index];
      return page === undefined ? undefined : results[index]?.data?.[place - page.start];
    },
    error: failed?.error ?? null,
    retry: () => {
      for (const result of results) if (result.isError) void result.refetch();
    },
  };
}
