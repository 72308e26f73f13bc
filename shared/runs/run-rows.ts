import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#shared/models/decide/clock.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { TimeIsUp } from './decide/abandoned-row.ts';
import type { RowEffort } from './decide/outcomes.ts';

export interface RowsJob<T extends { readonly row: number }> {
  /** One line a row, without line ends. */
  readonly lines: readonly string[];
  /** Index in the dataset of the first line. */
  readonly firstRow: number;
  /** Processes a row; tells the tokens of one that was given up. A rejection ends the whole job; a failure of one row is a result. */
  readonly process: (
    line: string,
    row: number,
    signal: AbortSignal,
    abandoned: (tokens: number) => void,
  ) => Promise<T>;
  /** Parses a stored result; throws if it is invalid. */
  readonly parse: (value: unknown) => T;
  /** Concurrent rows. */
  readonly concurrency: number;
  readonly objects: Pick<ObjectStore, 'list' | 'read' | 'write' | 'writeNew'>;
  readonly resultKey: string;
  /** Prefix of this batch's checkpoints, ending in a slash. */
  readonly checkpointPrefix: string;
  /** Unique to this invocation: two concurrent ones must not write the same object. */
  readonly attempt: string;
  readonly clock: Clock;
  /** Milliseconds since the epoch at which this invocation times out. */
  readonly deadlineMs: number;
  /** Called at the start and every 5 s; true ends the job as `stopped` and abandons the rows in progress. */
  readonly shouldStop?: (() => Promise<boolean>) | undefined;
  /** Called before each row; false ends the job as `stopped` after the rows in progress. */
  readonly mayTake?: ((progress: RowsProgress) => boolean) | undefined;
  /** Called before the result is written; false ends the job as `stopped` without it. */
  readonly mayFinish?: (() => Promise<boolean>) | undefined;
  /** Called with the results of all rows before they are written; returns those that are written. */
  readonly complete?: ((results: readonly T[]) => Promise<readonly T[]>) | undefined;
  /** Usage of a row; zero if not given. */
  readonly effortOf?: ((result: T) => RowEffort) | undefined;
  /**
   * Called every 5 s, at the end, and at the start with the progress of earlier invocations. `rowsDone` never decreases
   * from one invocation to the next.
   */
  readonly onProgress?: ((progress: RowsProgress) => Promise<void>) | undefined;
  /** Called for every processed row, not for those checkpointed by an earlier invocation. */
  readonly onRowDone?: (() => void) | undefined;
}

export interface RowsProgress {
  readonly rowsDone: number;
  readonly rowsTotal: number;
  /** Failed ones among the finished rows, including those of earlier invocations. */
  readonly rowsFailed: number;
  readonly tokens: number;
  /**
   * Tokens of rows that are not billed, and of those that were given up, of this invocation alone: earlier ones have told
   * theirs.
   */
  readonly unbilledTokens: number;
}

export type RowsOutcome<T> =
  /** All rows are done and the result is written. */
  | { readonly status: 'finished'; readonly results: readonly T[] }
  /** The time is up (invoke again) or a stop was requested; finished rows are checkpointed. */
  | { readonly status: 'unfinished' | 'stopped'; readonly progress: RowsProgress };

/** Rows of a checkpoint, unless more are in progress: a kill loses those in any case. */
export const CHECKPOINT_ROWS = 25;
export const CHECKPOINT_SECONDS = 5;
/** No row starts with fewer seconds left, so that those in progress can finish. */
export const LAST_START_SECONDS = 90;
/** Rows in progress are abandoned with fewer seconds left, and processed again by the next invocation. */
export const LAST_WORK_SECONDS = 15;
const CHECKPOINT_WRITES_AT_ONCE = 4;
const CHECKPOINT_READS_AT_ONCE = 16;

/**
 * Processes the rows of a batch, concurrently, and writes one result object with a line for each row, in order.
 *
 * Idempotent: a finished batch returns its stored result, and a row that an earlier invocation checkpointed is not
 * processed again. After a kill the next invocation repeats the rows in progress and what was not checkpointed: as many
 * rows again, or 25, or those of 5 s.
 *
 * @throws errors of `process` or the store, after checkpointing finished rows
 */
export async function runRows<T extends { readonly row: number }>(job: RowsJob<T>): Promise<RowsOutcome<T>> {
  const total = job.lines.length;
  const finished = await readFinished(job);
  if (finished !== null) {
    return { status: 'finished', results: finished };
  }
  const results = new Array<T | undefined>(total).fill(undefined);
  const done = { rowsDone: 0, rowsFailed: 0, tokens: 0, unbilledTokens: 0 };
  const take = (index: number, result: T, isNew: boolean): void => {
    results[index] = result;
    done.rowsDone += 1;
    const effort = job.effortOf?.(result);
    done.rowsFailed += effort?.isFailed ? 1 : 0;
    done.tokens += effort?.tokens ?? 0;
    done.unbilledTokens += isNew ? (effort?.unbilledTokens ?? 0) : 0;
  };
  for (const result of await readCheckpoints(job)) {
    const index = result.row - job.firstRow;
    if (results[index] === undefined) take(index, result, false);
  }
  const todo = results.flatMap((result, index) => (result === undefined ? [index] : []));
  const progress = (): RowsProgress => ({ ...done, rowsTotal: total });

  // A killed worker could not report this itself.
  if (done.rowsDone > 0 && todo.length > 0) await job.onProgress?.(progress());

  if (todo.length > 0) {
    const ended = await work(job, todo, {
      take(index, result) {
        take(index, result, true);
        job.onRowDone?.();
      },
      giveUp(tokens) {
        done.tokens += tokens;
        done.unbilledTokens += tokens;
      },
      progress,
    }).catch(async (error: unknown) => {
      // What rows have used counts in any case; the first error is the one to tell.
      await job.onProgress?.(progress()).catch(() => undefined);
      throw error;
    });
    if (done.rowsDone < total) {
      await job.onProgress?.(progress());
      return { status: ended, progress: progress() };
    }
  }
  if (!((await job.mayFinish?.()) ?? true)) {
    return { status: 'stopped', progress: progress() };
  }
  const all = results.filter((result) => result !== undefined);
  const complete = (await job.complete?.(all)) ?? all;
  const isWritten = await job.objects.writeNew(job.resultKey, toJsonLines(complete), JSON_LINES);
  await job.onProgress?.(progress());
  if (isWritten) return { status: 'finished', results: complete };
  const theirs = await readStored(job);
  // What was counted before this result came is what is delivered.
  return isWhole(job, theirs)
    ? { status: 'finished', results: theirs }
    : { status: 'stopped', progress: progress() };
}

const JSON_LINES = 'application/x-ndjson';

function toJsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** Counts the finished rows. */
interface RowsBook<T> {
  take(index: number, result: T): void;
  /** Counts what a row has used that was given up. */
  readonly giveUp: (tokens: number) => void;
  progress(): RowsProgress;
}

/** The rows of a batch while an invocation processes them. */
interface Work<T extends { readonly row: number }> {
  readonly job: RowsJob<T>;
  readonly todo: readonly number[];
  readonly book: RowsBook<T>;
  readonly checkpoints: CheckpointWriter<T>;
  /** Aborts the rows in progress. */
  readonly giveUp: AbortController;
  /** Ends the timers. */
  readonly over: AbortController;
  ending: 'unfinished' | 'stopped';
  /** Whether further rows start. */
  isTaking: boolean;
  failure: { readonly error: unknown } | null;
  /** Index in `todo` of the row that starts next. */
  next: number;
  /** Milliseconds since the epoch when timers and other work last had their turn. */
  yieldedAt: number;
}

/** Processes the rows at `todo` and returns why it ended; all started rows are then checkpointed or complete. */
async function work<T extends { readonly row: number }>(
  job: RowsJob<T>,
  todo: readonly number[],
  book: RowsBook<T>,
): Promise<'unfinished' | 'stopped'> {
  const working: Work<T> = {
    job,
    todo,
    book,
    checkpoints: createCheckpointWriter(job, (error) => fail(working, error)),
    giveUp: new AbortController(),
    over: new AbortController(),
    ending: 'unfinished',
    isTaking: true,
    failure: null,
    next: 0,
    yieldedAt: job.clock.now(),
  };
  // Every row in progress listens.
  setMaxListeners(0, working.giveUp.signal);

  if (job.clock.now() >= job.deadlineMs - LAST_START_SECONDS * 1000) {
    return 'unfinished';
  }
  if (await job.shouldStop?.()) {
    return 'stopped';
  }
  const timers = startTimers(working);
  await Promise.all(
    Array.from({ length: Math.min(job.concurrency, todo.length) }, () => processRows(working)),
  );
  working.over.abort();
  await Promise.all(timers);
  const { rowsDone, rowsTotal } = book.progress();
  await working.checkpoints.close(rowsDone < rowsTotal);
  if (working.failure !== null) throw working.failure.error;
  return working.ending;
}

/** Ends the work for the first error. */
function fail(working: Pick<Work<never>, 'failure' | 'isTaking' | 'giveUp'>, error: unknown): void {
  working.failure ??= { error };
  working.isTaking = false;
  working.giveUp.abort(error);
}

/** Longest work on rows before timers and writes have their turn. */
const YIELD_MILLISECONDS = 50;

/** Processes one row after another until none may start; one of the concurrent ones of the work. */
async function processRows<T extends { readonly row: number }>(working: Work<T>): Promise<void> {
  const { job, todo, book, checkpoints, giveUp } = working;
  const signal = followed(giveUp.signal);
  while (working.isTaking) {
    if (job.clock.now() - working.yieldedAt > YIELD_MILLISECONDS) {
      // Rows that ask no model never wait: without a turn of the event loop no deadline, stop or checkpoint is seen.
      await setImmediate();
      working.yieldedAt = job.clock.now();
      continue;
    }
    if (!(job.mayTake?.(book.progress()) ?? true)) {
      working.ending = 'stopped';
      working.isTaking = false;
      return;
    }
    const index = todo[working.next];
    working.next += 1;
    const line = index === undefined ? undefined : job.lines[index];
    if (index === undefined || line === undefined) {
      return;
    }
    try {
      const result = await job.process(line, job.firstRow + index, signal, book.giveUp);
      book.take(index, result);
      checkpoints.add(result);
    } catch (error) {
      if (!giveUp.signal.aborted) {
        fail(working, error);
      }
      return;
    }
  }
}

/**
 * A signal that aborts with another one. Whatever listens to a signal looks through all of its listeners when it comes
 * and goes, and on a signal of its own a row is alone.
 */
function followed(signal: AbortSignal): AbortSignal {
  const own = new AbortController();
  const follow = (): void => own.abort(signal.reason);
  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true });
  return own.signal;
}

/** Starts what happens by time: the last start of a row, the end of those in progress, and checkpoints. */
function startTimers<T extends { readonly row: number }>(working: Work<T>): Promise<void>[] {
  const { job, giveUp, over } = working;

  async function atRemaining(seconds: number, act: () => void): Promise<void> {
    await job.clock.sleep(Math.max(0, job.deadlineMs - seconds * 1000 - job.clock.now()), over.signal);
    act();
  }

  return [
    atRemaining(LAST_START_SECONDS, () => {
      working.isTaking = false;
    }),
    atRemaining(LAST_WORK_SECONDS, () => giveUp.abort(new TimeIsUp())),
    tick(working),
  ].map((timer) =>
    timer.catch((error) => {
      if (!over.signal.aborted) {
        fail(working, error);
      }
    }),
  );
}

/** Writes a checkpoint, tells the progress and looks for a stop, every few seconds until the work is over. */
async function tick<T extends { readonly row: number }>(working: Work<T>): Promise<void> {
  const { job, book, checkpoints, giveUp, over } = working;
  for (;;) {
    await job.clock.sleep(CHECKPOINT_SECONDS * 1000, over.signal);
    checkpoints.flush();
    await job.onProgress?.(book.progress());
    if (await job.shouldStop?.()) {
      working.ending = 'stopped';
      working.isTaking = false;
      giveUp.abort(new Error('The run was stopped'));
    }
  }
}

interface CheckpointWriter<T> {
  add(result: T): void;
  /** Starts to write buffered rows. */
  flush(): void;
  /** Waits for running writes, after writing buffered rows if requested. */
  close(isRestNeeded: boolean): Promise<void>;
}

function createCheckpointWriter<T>(
  job: Pick<
    RowsJob<T & { readonly row: number }>,
    'objects' | 'checkpointPrefix' | 'attempt' | 'concurrency'
  >,
  onError: (error: unknown) => void,
): CheckpointWriter<T> {
  const writes = new Set<Promise<void>>();
  let waiting: T[] = [];
  let sequence = 0;
  const rowsMin = Math.max(CHECKPOINT_ROWS, job.concurrency);

  function flush(): void {
    if (waiting.length === 0) {
      return;
    }
    const key = `${job.checkpointPrefix}${job.attempt}-${String(sequence).padStart(6, '0')}.jsonl`;
    const body = toJsonLines(waiting);
    sequence += 1;
    waiting = [];
    const write = job.objects
      .write(key, body, JSON_LINES)
      .catch(onError)
      .finally(() => writes.delete(write));
    writes.add(write);
  }

  return {
    add(result) {
      waiting.push(result);
      // A slow store gets fewer, larger objects instead of a growing queue.
      if (waiting.length >= rowsMin && writes.size < CHECKPOINT_WRITES_AT_ONCE) {
        flush();
      }
    },
    flush,
    async close(isRestNeeded) {
      if (isRestNeeded) {
        flush();
      }
      await Promise.all(writes);
    },
  };
}

/** Where the results of a batch's rows are. */
type StoredRows<T extends { readonly row: number }> = Pick<
  RowsJob<T>,
  'objects' | 'resultKey' | 'checkpointPrefix' | 'parse' | 'firstRow' | 'lines'
>;

/** The rows that are done, by the result of the batch or by its checkpoints; a row may be there twice. */
export async function readDoneRows<T extends { readonly row: number }>(job: StoredRows<T>): Promise<T[]> {
  return (await readFinished(job)) ?? readCheckpoints(job);
}

/** Writes done rows as a checkpoint, from which whoever works on the batch goes on. */
export async function writeCheckpoint(
  { objects, checkpointPrefix }: Pick<RowsJob<never>, 'objects' | 'checkpointPrefix'>,
  name: string,
  results: readonly { readonly row: number }[],
): Promise<void> {
  await objects.write(`${checkpointPrefix}${name}.jsonl`, toJsonLines(results), JSON_LINES);
}

async function readFinished<T extends { readonly row: number }>(job: StoredRows<T>): Promise<T[] | null> {
  const results = await readStored(job);
  if (results === null) return null;
  if (!isWhole(job, results)) {
    throw new Error('The stored result of a batch does not hold each of its rows once, in order.');
  }
  return results;
}

async function readStored<T extends { readonly row: number }>(job: StoredRows<T>): Promise<T[] | null> {
  const body = await job.objects.read(job.resultKey);
  return body === null ? null : readLines(body, job);
}

/** Whether results hold each row of the batch once, in order. */
const isWhole = <T extends { readonly row: number }>(
  { lines, firstRow }: Pick<StoredRows<T>, 'lines' | 'firstRow'>,
  results: readonly T[] | null,
): results is T[] => results?.length === lines.length && results.every(({ row }, n) => row === firstRow + n);

async function readCheckpoints<T extends { readonly row: number }>(job: StoredRows<T>): Promise<T[]> {
  const keys: string[] = [];
  for await (const key of job.objects.list(job.checkpointPrefix)) {
    keys.push(key);
  }
  const results: T[] = [];
  for (let at = 0; at < keys.length; at += CHECKPOINT_READS_AT_ONCE) {
    const batch = keys.slice(at, at + CHECKPOINT_READS_AT_ONCE);
    for (const body of await Promise.all(batch.map((key) => job.objects.read(key)))) {
      results.push(...(body === null ? [] : readLines(body, job)));
    }
  }
  return results;
}

function readLines<T extends { readonly row: number }>(body: Buffer, job: StoredRows<T>): T[] {
  return body
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const result = job.parse(JSON.parse(line));
      if (result.row < job.firstRow || result.row >= job.firstRow + job.lines.length) {
        throw new Error(`A stored result is of row ${result.row}, which is not in this batch.`);
      }
      return result;
    });
}
