import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ImportRequest } from './imports/read-source.ts';
import { type FileSource, fileNameOf } from './source.ts';

/** A dataset that waits for its file. `s3Key` is the file's key if it was uploaded before. */
export function newDataset(
  caller: Pick<Caller, 'team_id' | 'organization_id' | 'user_id'>,
  source: FileSource,
  datasetId: string,
  now: number,
  s3Key?: string,
): DatasetRecord {
  const at = new Date(now).toISOString();
  const fileName = fileNameOf(source.name, source.format);
  return {
    dataset_id: datasetId,
    team_id: caller.team_id,
    organization_id: caller.organization_id,
    created_by_user_id: caller.user_id,
    name: source.name,
    kind: 'uploaded',
    source_dataset_id: null,
    state: 'awaiting_upload',
    created_at: at,
    updated_at: at,
    row_count: null,
    description: null,
    file_format: source.format,
    file_name: fileName,
    s3_key: s3Key ?? objectKeys.upload(caller.team_id, datasetId, fileName),
    raw_key: null,
    expected_sha256: null,
    processing_mode: source.mode,
    raw_column_mapping: source.mapping,
    ...(source.unreadableShareMax === undefined ? {} : { max_unreadable_share: source.unreadableShareMax }),
    ...(source.redactsPersonalData === true ? { redact_personal_data: true } : {}),
    configured_column_mapping: null,
    defer_adaption: source.deferred,
    columns: null,
    manifest_key: null,
    run_id: null,
    last_run_id: null,
    evaluation_summary: null,
    error_data: null,
    image_column_formats: null,
    language_expansion: null,
  };
}

/** A dataset that waits for the files of a batch. `format` is that of the first file. */
export function newBatch(
  caller: Pick<Caller, 'team_id' | 'organization_id' | 'user_id'>,
  source: Pick<FileSource, 'name' | 'format' | 'deferred' | 'unreadableShareMax' | 'redactsPersonalData'>,
  datasetId: string,
  now: number,
): DatasetRecord {
  const whole = { ...source, mode: 'adapt' as const, mapping: null };
  return { ...newDataset(caller, whole, datasetId, now), batch_key: objectKeys.batch(datasetId) };
}

/** A dataset that waits to be imported. */
export function newImport(
  caller: Pick<Caller, 'team_id' | 'organization_id' | 'user_id'>,
  { name, mode, mapping, deferred, unreadableShareMax, redactsPersonalData, source }: ImportRequest,
  datasetId: string,
  now: number,
): DatasetRecord {
  const reading = { unreadableShareMax, redactsPersonalData };
  const file = { name, format: source.format, mode, mapping, deferred, ...reading };
  return { ...newDataset(caller, file, datasetId, now), import_key: objectKeys.importSource(datasetId) };
}
