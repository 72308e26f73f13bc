import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useApi } from '../api.tsx';
import {
  type AlikeRow,
  type LookedAt,
  type Review,
  type ReviewSummary,
  readReview,
  type Verdict,
} from './contract.ts';
import { outboxOf } from './outboxes.ts';
import {
  acceptAlike,
  type Given,
  judge,
  markStale,
  newList,
  openCount,
  type ReviewList,
  skip,
  skippedCount,
  step,
  takeUpSkipped,
  undo,
  withLook,
  withRows,
} from './review-list.ts';

/** Rows that are asked for at first, and rows ahead from which on more are asked for. */
const ROWS_FIRST = 20;
const ROWS_AHEAD = 10;
/** Rows that the service gives at once. */
const ROWS_MAX = 50;

/** Milliseconds after which it is asked whether witnesses have looked. */
const LOOK_AGAIN_MS = 10_000;

/** How many rows to ask for: those that are not recorded yet come again before any other. */
export const limitFor = (list: ReviewList, unsent: number): number =>
  Math.min(ROWS_MAX, ROWS_FIRST + openCount(list) + skippedCount(list) + unsent);

/** The list of a review and what was done last to it, with its present state for what follows in the same moment. */
function useList(unsent: readonly Verdict[]) {
  const [list, setList] = useState(() => newList(unsent));
  const latest = useRef(list);
  const change = useCallback((changed: ReviewList): void => {
    latest.current = changed;
    setList(changed);
  }, []);
  return { list, latest, change };
}

const isLooking = (review: Review | null | undefined): boolean => review?.looked_at.status === 'looking';

/** Reads rows ahead, so that the next one is there when it is asked for. */
function useRowsAhead(
  datasetId: string,
  /** A change of it asks for the rows anew. */
  known: string,
  { list, latest, change }: ReturnType<typeof useList>,
  unsent: () => number,
  onSummary: (summary: ReviewSummary) => void,
  onLook: (look: LookedAt) => void,
) {
  const { client } = useApi();
  const [asked, setAsked] = useState({ round: 0, limit: ROWS_FIRST });
  /** Whether the last answer brought nothing new: then no more is asked for until something is recorded. */
  const [isAtEnd, setAtEnd] = useState(false);
  const review = useQuery({
    queryKey: ['review', datasetId, known, asked],
    queryFn: ({ signal }) => readReview(client, datasetId, asked.limit, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
    refetchInterval: ({ state }) => (isLooking(state.data) ? LOOK_AGAIN_MS : false),
  });
  const { data } = review;
  const taken = useRef<Review | null>(null);
  useEffect(() => {
    if (data === undefined || taken.current === data) return;
    const hasLooked = isLooking(taken.current) && !isLooking(data);
    taken.current = data;
    const before = latest.current;
    const after = (hasLooked ? withLook : withRows)(before, data.rows);
    change(after);
    onLook(data.looked_at);
    setAtEnd(after === before);
    // What was read while verdicts were under way may not count them.
    if (unsent() === 0) onSummary(data);
  }, [data, latest, change, unsent, onSummary, onLook]);
  const isShort = openCount(list) < ROWS_AHEAD;
  const isIdle = data !== undefined && taken.current === data && !review.isFetching && !review.isError;
  const ask = useCallback(
    (): void => setAsked(({ round }) => ({ round: round + 1, limit: limitFor(latest.current, unsent()) })),
    [latest, unsent],
  );
  useEffect(() => {
    if (isShort && isIdle && !isAtEnd) ask();
  }, [isShort, isIdle, isAtEnd, ask]);
  return { review, isAtEnd, ask };
}

/** The review of a dataset: its rows, what is said of them, and what becomes of that. */
export function useReview(datasetId: string, known: string) {
  const api = useApi();
  const outbox = useMemo(() => outboxOf(api, datasetId), [api, datasetId]);
  const sending = useSyncExternalStore(outbox.subscribe, outbox.state, outbox.state);
  const rows = useList(outbox.state().unsent);
  const [summary, setSummary] = useState<ReviewSummary | null>(null);
  const [look, setLook] = useState<LookedAt | null>(null);
  const [stale, setStale] = useState<readonly number[]>([]);
  const unsent = useCallback(() => outbox.state().unsent.length, [outbox]);
  const ahead = useRowsAhead(datasetId, known, rows, unsent, setSummary, setLook);
  const { latest, change } = rows;
  const { ask } = ahead;
  useEffect(
    () =>
      outbox.listen((answer, sent) => {
        setSummary(answer);
        const lost = sent.filter(({ row, verdict }) => verdict !== 'none' && answer.stale.includes(row));
        if (lost.length > 0) {
          change(markStale(latest.current, lost));
          setStale((before) => [...new Set([...before, ...lost.map(({ row }) => row)])]);
        }
        // Rows that changed come again, and the last answer may have been full of rows that are recorded by now.
        if (lost.length > 0 || openCount(latest.current) === 0) ask();
      }),
    [outbox, latest, change, ask],
  );
  const done = (next: { readonly list: ReviewList; readonly verdicts: readonly Verdict[] }): void => {
    change(next.list);
    if (next.verdicts.length > 0) outbox.add(next.verdicts);
  };
  return {
    list: rows.list,
    summary,
    look,
    sending,
    outbox,
    stale,
    forgetStale: () => setStale([]),
    review: ahead.review,
    isAtEnd: ahead.isAtEnd,
    judge: (given: Given) => done(judge(latest.current, given)),
    accept: (alike: readonly AlikeRow[]) => done(acceptAlike(latest.current, alike)),
    undo: () => done(undo(latest.current)),
    skip: () => change(skip(latest.current)),
    step: (by: 1 | -1) => change(step(latest.current, by)),
    takeUpSkipped: () => change(takeUpSkipped(latest.current)),
  };
}

export type ReviewState = ReturnType<typeof useReview>;
