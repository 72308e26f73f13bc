import type { DatasetChanges, DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { VersionRecord } from '#shared/datasets/decide/versions.ts';
import { latestVersion, rowsVersion } from '#shared/datasets/decide/versions.ts';
import { own } from '#shared/platform/own.ts';
import type { RunRecord } from './record.ts';

/** States in which a dataset takes rows: no run reads or makes them. */
const IDLE: readonly DatasetRecord['state'][] = ['awaiting_input', 'succeeded', 'failed'];

/** Whether rows can be added to a dataset now. */
export function isIdle({ state }: Pick<DatasetRecord, 'state'>): boolean {
  return IDLE.includes(state);
}

/** The rows of a dataset after an append. */
export type AppendedRows = Required<
  Pick<DatasetChanges, 'row_count' | 'columns' | 'manifest_key' | 'warnings' | 'image_column_formats'>
> & { readonly manifest_key: string; readonly row_count: number };

/**
 * What the end of an append sets on its dataset, and the version that it makes.
 * @param source the version whose rows the append adds to; null if the dataset has no item of it
 */
export function landedRows(
  dataset: DatasetRecord,
  source: VersionRecord | null,
  run: RunRecord,
  rows: AppendedRows,
  at: string,
): { fields: Partial<DatasetRecord> & { updated_at: string }; version: VersionRecord } {
  const version = latestVersion(dataset) + 1;
  // The rows of a raw dataset are ready as they are; others wait for an adaptation, as after an upload.
  const isReady = dataset.processing_mode === 'raw';
  const mapping = mappingOfRows(dataset, source);
  const { image } = (isReady ? mapping : dataset.configured_column_mapping) ?? {};
  const mapped = image === undefined ? undefined : own(dataset.image_column_formats, image);
  // A column that a launch has mapped as images has a format that its file alone does not tell.
  const formats =
    image === undefined || mapped === undefined
      ? rows.image_column_formats
      : { [image]: mapped, ...rows.image_column_formats };
  return {
    fields: {
      ...rows,
      image_column_formats: formats,
      latest_version: version,
      rows_version: version,
      rows_run_id: run.run_id,
      state: isReady ? 'succeeded' : 'awaiting_input',
      ...(isReady
        ? {
            result: {
              run_id: run.run_id,
              version,
              configured_column_mapping: mapping,
            },
            // What an earlier adaptation made of other rows is no longer what the dataset holds.
            configured_column_mapping: mapping,
            output_row_count: null,
            evaluation_summary: null,
          }
        : {}),
      // Without a success, the new rows are what the dataset has to offer.
      ...(dataset.result === undefined ? { last_run_id: null } : {}),
      error_data: null,
      updated_at: at,
    },
    version: {
      dataset_id: dataset.dataset_id,
      version,
      made_by: run.pipeline,
      parent_version: rowsVersion(dataset),
      run_id: run.run_id,
      manifest_key: rows.manifest_key,
      row_count: rows.row_count,
      configured_column_mapping: isReady ? mapping : null,
      created_by_user_id: run.user_id,
      created_at: at,
    },
  };
}

/** The mapping of rows as they were uploaded or made, which an adaptation of them does not change. */
function mappingOfRows(
  { raw_column_mapping: raw, configured_column_mapping: configured }: DatasetRecord,
  source: VersionRecord | null,
): DatasetRecord['configured_column_mapping'] {
  if (raw !== null) return { ...raw, context: raw.context ?? [] };
  return source === null ? configured : source.configured_column_mapping;
}

/** Adds rows to datasets. */
export interface Appends {
  /**
   * Makes `rows` the rows of the dataset, as its next version, in one transaction. Returns false, and changes nothing, if
   * the dataset changed since it was read: read it again. Nothing else may add rows to a dataset with rows.
   */
  land(dataset: DatasetRecord, run: RunRecord, rows: AppendedRows, at: string): Promise<boolean>;
}
