import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { DatasetListStatus } from '../schema/dataset.ts';
import type { DatasetRecord } from './record.ts';
import type { DatasetState } from './states.ts';

const NO_ROWS: Partial<Record<DatasetState, string>> = {
  awaiting_upload: 'Upload its file, complete the upload and wait until it is read.',
  awaiting_preprocessing: 'Its processing was deferred: call start-adaption and wait until its file is read.',
  ingesting: 'Its file is still being read: poll its status until row_count is set.',
};

const adviceOf = (state: DatasetState): string =>
  NO_ROWS[state] ?? 'Its file could not be read (see error_data): upload it again as a new dataset.';

/** The refusal of work on a dataset without rows, by its state. */
export const holdsNoRows = (state: DatasetState): ServiceError =>
  new ServiceError('dataset_not_ready', `The dataset holds no rows yet. ${adviceOf(state)}`);

/** The refusal to show rows of a dataset without any, by its state. */
export const showsNoRows = (state: DatasetState): ServiceError =>
  new ServiceError('no_data_yet', `The dataset holds no data yet. ${adviceOf(state)}`);

/** The refusal of a dataset on which a run is active. */
export const runIsActive = ({ run_id }: Pick<DatasetRecord, 'run_id'>): ServiceError =>
  new ServiceError('dataset_running', `Run ${run_id} is active on the dataset. Wait until it has ended.`);

/** What to do until the rows of a dataset can be taken for another one, by its status. */
export const WAITS: Partial<Record<DatasetListStatus, string>> = {
  pending: 'Its rows are not read yet: wait until its status shows a row_count.',
  running: 'A run is active on it: wait until that has ended.',
  failed: 'It failed (see its error_data): run it again, or upload it again.',
};
