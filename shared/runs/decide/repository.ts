import type { ProgressStage } from '#shared/datasets/schema/dataset.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import type { LeftOut } from '../schema/left-out.ts';
import type { RunRecord } from './record.ts';

/** Usage of the finished rows of a batch. */
export interface BatchEffort {
  readonly tokens: number;
  readonly failedRows: number;
  /** Milliseconds since the epoch; the time of a batch's first invocation stays. */
  readonly startedAtMs: number;
}

export interface RunEffort {
  readonly tokens: number;
  readonly failedRows: number;
  /** When the first batch started and the last one reported; null if none has. */
  readonly startedAtMs: number | null;
  readonly reportedAtMs: number | null;
}

/** Reads runs and records their progress. Runs start and end through the ledger only. */
export interface RunRepository {
  /** Consistent read. */
  find(datasetId: string, runId: string): Promise<RunRecord | null>;
  /** Every run of a dataset, oldest first. */
  listOfDataset(datasetId: string): Promise<RunRecord[]>;
  /**
   * The newest pilots of a dataset, newest first. Of a dataset with more than a page of runs, one that ended within the last
   * second may be missing.
   */
  listPilots(datasetId: string, limit: number): Promise<RunRecord[]>;
  /** Active runs of the whole installation, oldest first; `next` is null at the end. */
  listActive(page: {
    readonly limit: number;
    readonly after: string | null;
  }): Promise<{ runs: RunRecord[]; next: string | null }>;
  /** Returns false, and changes nothing, if the run is no longer active. */
  recordPlan(
    datasetId: string,
    runId: string,
    plan: Pick<RunRecord, 'total_rows' | 'models' | 'prompt_versions'>,
  ): Promise<boolean>;
  /**
   * Processed rows of a batch so far. A lower count than before changes nothing, and neither does the same one, other than with
   * more tokens: those of rows that were given up.
   */
  recordBatchProgress(
    runId: string,
    batch: number,
    processedRows: number,
    effort?: BatchEffort,
  ): Promise<void>;
  /** Sums over the batches of the run, except `exceptBatch`. */
  readEffort(runId: string, exceptBatch?: number): Promise<RunEffort>;
  /**
   * Records why a run must end before its rows are done; the first reason stays. Returns false, and changes nothing, if
   * the run is no longer active.
   */
  requestStop(datasetId: string, runId: string, reason: ErrorData): Promise<boolean>;
  /** Says what an active run does before its first row is done; null once it is over. */
  recordStage(datasetId: string, runId: string, stage: ProgressStage | null): Promise<void>;
  /** Replaces what requests to models of an active run left out. */
  recordLeftOut(datasetId: string, runId: string, leftOut: LeftOut): Promise<void>;
  /**
   * Marks an active run as one that a caller was told of, so that it cannot end as not started. Returns false, and changes
   * nothing, if it has ended.
   */
  markAnswered(datasetId: string, runId: string): Promise<boolean>;
  /**
   * Writes the event of a tenth, once; returns false, and writes nothing, if the run has ended or has said it.
   * @param percent of its rows
   */
  tellProgress(run: RunRecord, percent: number, processedRows: number): Promise<boolean>;
  /** Sum over the batches of the run. */
  readProcessedRows(runId: string): Promise<number>;
  /** When a count of the run last increased; null if none was recorded. */
  lastProgressAt(runId: string): Promise<string | null>;
}
