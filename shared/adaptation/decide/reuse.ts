import { createHash } from 'node:crypto';
import * as z from 'zod';
import {
  answersByKey,
  createRowMemo,
  type KnownAnswers,
  type RecordedAnswer,
  RecordedCall,
  type RowBatches,
  type RowMemo,
} from '#shared/models/decide/call-memo.ts';
import { RunResult } from '#shared/runs/schema/run-result.ts';

/** The recorded model calls of one delivered row: `line` is its place in its chunk, or its row in the dataset. */
export const RecordedRow = z.object({ line: z.int().min(0), calls: z.array(RecordedCall) });
export type RecordedRow = z.infer<typeof RecordedRow>;

/** A result with its calls to record, as checkpoints hold it: calls outlive a killed worker. */
export const WorkedRow = RunResult.extend({ recorded: z.array(RecordedCall).optional() });
export type WorkedRow = z.infer<typeof WorkedRow>;

/** The calls to store, of the rows that have any. */
export function toRecordable(results: readonly WorkedRow[]): Parameters<RowReuse['write']>[0] {
  return results.flatMap(({ row, recorded }) => (recorded === undefined ? [] : [{ row, calls: recorded }]));
}

export function withoutCalls({ recorded: _, ...result }: WorkedRow): RunResult {
  return result;
}

/** What earlier runs recorded for a row. */
export interface EarlierRow {
  readonly answers: KnownAnswers;
  /**
   * The keys that runs of the row's own dataset with the same settings have recorded; the others are those of other settings,
   * and of datasets of the team with the same chunk. Null if they have not recorded the row.
   */
  readonly ownKeys: ReadonlySet<string> | null;
}

/** The recorded calls of the rows of a batch. */
export interface RowReuse {
  /** Undefined if no run has delivered the row. */
  find(row: number): EarlierRow | undefined;
  /** Whether the calls stay in the results, for who takes these over, instead of being stored for later runs. */
  readonly keepsInResults?: true;
  /** Stores the calls of delivered rows for later runs. */
  write(rows: readonly { readonly row: number; readonly calls: readonly RecordedCall[] }[]): Promise<void>;
}

/** The id of a chunk: chunks with the same content have the same. */
export function chunkIdOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 32);
}

/** Lines of a chunk, from `first` on. */
export interface Lines {
  readonly first: number;
  readonly count: number;
}

/** Who wrote an object of recorded calls; `startedMs` is the start of the run. */
export interface RecordedBy {
  readonly startedMs: number;
  readonly runId: string;
  readonly n: number;
  /** First 12 hex digits of the hash of the run's settings; absent for evaluations. */
  readonly settings?: string | undefined;
}

/** What a recording names of the hash of its run's settings (`settingsHashOf`). */
export const settingsNamed = (hash: string): string => hash.slice(0, 12);

const eight = (n: number): string => String(n).padStart(8, '0');

/** The name of an object with recorded calls of a chunk, below the prefix of its dataset. */
export function recordingName(
  { first, count }: Lines,
  { startedMs, runId, n, settings }: RecordedBy,
): string {
  const suffix = settings === undefined ? '' : `.${settings}`;
  return `${eight(first)}-${count}-${startedMs}-${runId}-${n}${suffix}.jsonl`;
}

export interface Recording extends Lines, RecordedBy {
  readonly datasetId: string;
}

/** Reads `<dataset>/<name>` of an object with recorded calls; null for any other name. */
export function parseRecording(path: string): Recording | null {
  const [, datasetId, first, count, startedMs, runId, n, settings] =
    /^([^/]+)\/(\d{8})-(\d+)-(\d+)-([^/]+)-(\d+)(?:\.([0-9a-f]{12}))?\.jsonl$/.exec(path) ?? [];
  if (datasetId === undefined || runId === undefined) return null;
  return {
    datasetId,
    first: Number(first),
    count: Number(count),
    startedMs: Number(startedMs),
    runId,
    n: Number(n),
    settings,
  };
}

/** The runs whose rows a quote promises: those of a dataset with the same settings. */
export type Promised = Pick<Recording, 'datasetId' | 'settings'>;

export const isPromised = (recording: Recording, { datasetId, settings }: Promised): boolean =>
  recording.datasetId === datasetId && recording.settings === settings;

/** Orders recordings for a reader that cannot read all of them: what a quote promises first, then the newest. */
export const promisedThenNewest =
  (promised: Promised) =>
  (one: Recording, other: Recording): number =>
    Number(isPromised(other, promised)) - Number(isPromised(one, promised)) ||
    other.startedMs - one.startedMs;

export const overlaps = (one: Lines, other: Lines): boolean =>
  one.first < other.first + other.count && other.first < one.first + one.count;

/**
 * Merges recordings into one memo for each line. The answers of a key are those of the first recording that has it, so
 * that answers of two runs never mix.
 */
export function mergeRecordings(
  recordings: readonly { readonly isOwn: boolean; readonly rows: readonly RecordedRow[] }[],
  { first, count }: Lines,
): Map<number, EarlierRow> {
  const merged = new Map<number, { answers: Map<string, RecordedAnswer[]>; ownKeys: Set<string> | null }>();
  for (const { isOwn, rows } of recordings) {
    for (const { line, calls } of rows) {
      if (line < first || line >= first + count) continue;
      const row = merged.get(line) ?? { answers: new Map(), ownKeys: null };
      merged.set(line, row);
      if (isOwn) row.ownKeys ??= new Set();
      for (const [key, known] of answersByKey(calls)) {
        if (!row.answers.has(key)) row.answers.set(key, known);
        if (isOwn) row.ownKeys?.add(key);
      }
    }
  }
  return merged;
}

/** The memo of a row that is worked on, and what becomes of it. */
export interface ReusingRow {
  readonly memo: RowMemo | undefined;
  /** Whether an earlier run delivered the row, and no call was without a recorded answer. */
  isReused(): boolean;
  /** The calls to record: of a row with new answers, or that its dataset has not recorded yet. */
  unrecorded(): RecordedCall[] | null;
}

/**
 * Of an arm of a pilot: arms are compared afresh, and their rows lie in no chunk of the dataset. The run that takes
 * them over stores their calls where they belong.
 */
export const REUSE_OF_ARM: RowReuse = { find: () => undefined, keepsInResults: true, write: async () => {} };

const UNRECORDED: ReusingRow = { memo: undefined, isReused: () => false, unrecorded: () => null };

export function reuseRow(
  reuse: Pick<RowReuse, 'find'> | undefined,
  row: number,
  batches?: RowBatches,
): ReusingRow {
  if (reuse === undefined) return UNRECORDED;
  const earlier = reuse.find(row);
  const memo = createRowMemo(earlier?.answers, batches);
  return {
    memo,
    isReused() {
      return earlier !== undefined && memo.misses() === 0;
    },
    unrecorded() {
      const ownKeys = earlier?.ownKeys ?? null;
      const isRecorded = ownKeys !== null && memo.calls().every(([key]) => ownKeys.has(key));
      return memo.added() === 0 && isRecorded ? null : memo.calls();
    },
  };
}
