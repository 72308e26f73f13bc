import type { ErrorData } from '../../schema/common.ts';
import type { Caller } from '../access/caller.ts';
import type { ListSelection } from './listing.ts';
import type { DatasetChanges, DatasetRecord, EvaluationRecord } from './record.ts';

/**
 * Stores datasets. `now` is in milliseconds since the epoch. Runs start and end through `launchRun` and `settleRun`
 * only, which move a dataset to and from `ingesting` and `running`.
 */
export interface DatasetRepository {
  /** Answers false, and changes nothing, when there is a dataset with this id. */
  create(dataset: DatasetRecord): Promise<boolean>;
  /** Consistent read; null for a deleted dataset too. */
  find(datasetId: string): Promise<DatasetRecord | null>;
  /** @throws ServiceError `dataset_not_found`, alike for missing, deleted and other teams' datasets. */
  require(caller: Pick<Caller, 'team_id'>, datasetId: string): Promise<DatasetRecord>;
  /** One page of the team's datasets; `next` is the `sortValue` of its last one, null where no page follows. */
  list(teamId: string, selection: ListSelection): Promise<{ datasets: DatasetRecord[]; next: string | null }>;
  /**
   * The uploaded file is there, and waits for `start-adaption` (`awaiting_upload` → `awaiting_preprocessing`).
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
   * Records facts about the dataset that an active run found. Returns false, and changes nothing, if `runId` is no
   * longer the active run: the task then has nothing left to do.
   */
  recordFindings(datasetId: string, runId: string, changes: DatasetChanges, now: number): Promise<boolean>;
  /**
   * Makes the dataset absent for callers and answers what it was, for its objects to be removed.
   * @throws ServiceError `dataset_not_found`, `dataset_running`, `training_running`
   */
  delete(caller: Pick<Caller, 'team_id'>, datasetId: string, now: number): Promise<DatasetRecord>;
  findEvaluation(datasetId: string): Promise<EvaluationRecord | null>;
  /** Keeps the evaluation unless one of a later run is there; answers whether it was kept. */
  recordEvaluation(evaluation: EvaluationRecord): Promise<boolean>;
  /** After-scores of the datasets that the installation graded last (1,000 at most), without one of them. */
  listGradedScores(exceptDatasetId: string): Promise<number[]>;
  /** Lets the runs and the evaluation of a deleted dataset expire with it. */
  expireRecords(datasetId: string, now: number): Promise<void>;
}
