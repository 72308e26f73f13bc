import type { Caller } from '#shared/platform/access/caller.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import type { ListSelection } from './listing.ts';
import type { DatasetChanges, DatasetRecord, EvaluationRecord } from './record.ts';

/**
 * Stores datasets. `now` is in milliseconds since the epoch. Runs start and end through `launchRun` and `endRun`
 * only, which move a dataset to and from `ingesting` and `running`.
 */
export interface DatasetRepository {
  /** Returns false, and changes nothing, if there is a dataset with this id. */
  create(dataset: DatasetRecord): Promise<boolean>;
  /** Consistent read; null for a deleted dataset too. */
  find(datasetId: string): Promise<DatasetRecord | null>;
  /** @throws ServiceError `dataset_not_found`, the same for missing, deleted and other teams' datasets. */
  require(caller: Pick<Caller, 'team_id'>, datasetId: string): Promise<DatasetRecord>;
  /**
   * One page of the team's datasets; `next` is the `sortValue` of the last one, null on the last page.
   * @param admitMore is asked before more is looked at for the first match; absent: no more is
   * @throws ServiceError `invalid_request` where too many datasets would have to be looked at, and what `admitMore` throws
   */
  list(
    teamId: string,
    selection: ListSelection,
    admitMore?: () => Promise<void>,
  ): Promise<{ datasets: DatasetRecord[]; next: string | null }>;
  /**
   * The file is uploaded, and waits for `start-adaption` (`awaiting_upload` → `awaiting_preprocessing`).
   * @throws ServiceError `dataset_not_found`, `dataset_not_ready`
   */
  deferIngest(
    caller: Pick<Caller, 'team_id'>,
    datasetId: string,
    changes: DatasetChanges,
    now: number,
  ): Promise<DatasetRecord>;
  /**
   * The uploaded files cannot become a dataset (`awaiting_upload` → `failed`).
   * @throws ServiceError `dataset_not_found`, `dataset_not_ready`
   */
  rejectUpload(
    caller: Pick<Caller, 'team_id'>,
    datasetId: string,
    error: ErrorData,
    now: number,
  ): Promise<DatasetRecord>;
  /**
   * Records facts about the dataset from an active run. Returns false, and changes nothing, if `runId` is no longer the
   * active run: the task then has nothing left to do.
   */
  recordFindings(datasetId: string, runId: string, changes: DatasetChanges, now: number): Promise<boolean>;
  /**
   * Marks the dataset as deleted and returns it, so that its objects can be removed.
   * @throws ServiceError `dataset_not_found`, `dataset_running`, `training_running`
   */
  delete(caller: Pick<Caller, 'team_id'>, datasetId: string, now: number): Promise<DatasetRecord>;
  findEvaluation(datasetId: string, runId: string): Promise<EvaluationRecord | null>;
  /** The evaluations of all runs, the latest first. */
  listEvaluations(datasetId: string): Promise<EvaluationRecord[]>;
  /** Stores the evaluation; it replaces that of the same run. It ends once, with an event: later ends change nothing. */
  recordEvaluation(teamId: string, evaluation: EvaluationRecord): Promise<void>;
  /**
   * The latest after-score of each of the most recently graded datasets of the installation (at most 1,000, and 100 of a
   * team), except one: the scores of each team.
   */
  listGradedScores(exceptDatasetId: string): Promise<number[][]>;
  /**
   * Deleted datasets whose objects are to be erased by now (ISO 8601), of one team or of all, those that are due longest first:
   * because nothing has erased them yet, or because work that was under way may have written more since.
   */
  listErasures(
    now: string,
    max: number,
    teamId?: string,
  ): Promise<Pick<DatasetRecord, 'dataset_id' | 'team_id'>[]>;
  /** Teams with deleted datasets that are to be erased, now or later. Those that version 0.1.0 has deleted are in the list of all alone. */
  teamsWithErasures(): Promise<string[]>;
  /** Notes that the objects of a deleted dataset were erased, and when that is due again, if ever (`nextErasure`). */
  noteErasure(datasetId: string, now: number, hadRuns: boolean): Promise<void>;
  /** Has the dataset's erasure due at `until`, in milliseconds since the epoch, unless it is over. */
  deferErasure(dataset: Pick<DatasetRecord, 'dataset_id' | 'team_id'>, until: number): Promise<void>;
  /** Sets the expiry of the runs and the evaluations of a deleted dataset to that of the dataset. */
  expireRecords(datasetId: string, now: number): Promise<void>;
}
