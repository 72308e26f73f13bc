import type { RunRecord } from './record.ts';

/** Reads runs and keeps what they report on their way. They begin and end through the ledger alone. */
export interface RunRepository {
  /** Consistent read. */
  find(datasetId: string, runId: string): Promise<RunRecord | null>;
  /** Every run of a dataset, oldest first. */
  listOfDataset(datasetId: string): Promise<RunRecord[]>;
  /** Active runs of the whole installation, oldest first; `next` is null at the end. */
  listActive(page: {
    readonly limit: number;
    readonly after: string | null;
  }): Promise<{ runs: RunRecord[]; next: string | null }>;
  /** Answers false, and changes nothing, when the run is no longer active. */
  recordPlan(
    datasetId: string,
    runId: string,
    plan: Pick<RunRecord, 'total_rows' | 'models' | 'prompt_versions'>,
  ): Promise<boolean>;
  /** Processed rows of a chunk so far. A count below an earlier one changes nothing. */
  recordChunkProgress(runId: string, chunk: number, processedRows: number): Promise<void>;
  /** Sum over the chunks of the run. */
  readProcessedRows(runId: string): Promise<number>;
  /** When a count of the run last grew; null where none was recorded. */
  lastProgressAt(runId: string): Promise<string | null>;
}
