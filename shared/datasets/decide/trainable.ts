import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { type DatasetRecord, hasResult } from './record.ts';

/**
 * Requires that a training can use the dataset: adapted or raw, with text rows (spec §4.8, §4.20).
 * @throws {ServiceError} `dataset_untrainable`, saying what to do first
 */
export function requireTrainable(
  dataset: Pick<DatasetRecord, 'state' | 'result' | 'configured_column_mapping'>,
): void {
  if (!hasResult(dataset)) throw new ServiceError('dataset_untrainable', WAITS[dataset.state]);
  requireText(dataset);
}

/** @throws {ServiceError} `dataset_untrainable` */
export function requireText(dataset: Pick<DatasetRecord, 'configured_column_mapping'>): void {
  if (dataset.configured_column_mapping?.image !== undefined) {
    throw new ServiceError(
      'dataset_untrainable',
      'The dataset was adapted with an image column as context, and training takes text only: adapt it without the image.',
    );
  }
}

/** What to do before the dataset can be trained on, by its state. */
export const WAITS: Readonly<Record<DatasetRecord['state'], string>> = {
  awaiting_upload: 'The dataset has no rows yet: upload its file and complete the upload, then adapt it.',
  awaiting_preprocessing: 'The dataset is not read yet: call start-adaption, then adapt it.',
  ingesting: 'The file of the dataset is still being read: wait for its row_count, then adapt it.',
  awaiting_input:
    'The dataset is not adapted yet: adapt it first, or ingest it with processing_mode "raw" where it holds prompts and completions.',
  running: 'A run is active on the dataset: wait until its status is succeeded.',
  succeeded: 'The dataset is ready.',
  failed: 'The last run on the dataset failed (see error_data): adapt it again first.',
  deleted: 'The dataset is deleted.',
};
