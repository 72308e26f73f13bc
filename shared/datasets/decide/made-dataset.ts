import type { Caller } from '#shared/platform/access/caller.ts';
import type { TabularFormat } from '#shared/platform/schema/file-format.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { DatasetKind } from '../schema/dataset.ts';
import type { DatasetRecord } from './record.ts';

const NAME_CHARACTERS_MAX = 255;
const DESCRIPTION_CHARACTERS_MAX = 500;

/** A dataset that a run will fill, without an upload. */
export function madeDataset(
  caller: Pick<Caller, 'team_id' | 'organization_id' | 'user_id'>,
  made: {
    readonly kind: DatasetKind;
    readonly sourceDatasetId: string | null;
    readonly name: string;
    readonly description: string;
    readonly format: TabularFormat;
    /** Those that it is made of: what is appended to it is redacted as what was uploaded to one of them. */
    readonly sources: readonly Pick<DatasetRecord, 'redact_personal_data'>[];
  },
  datasetId: string,
  now: number,
): DatasetRecord {
  const at = new Date(now).toISOString();
  const fileName = `${made.kind}.${made.format}`;
  return {
    dataset_id: datasetId,
    team_id: caller.team_id,
    organization_id: caller.organization_id,
    created_by_user_id: caller.user_id,
    name: made.name.slice(0, NAME_CHARACTERS_MAX),
    kind: made.kind,
    source_dataset_id: made.sourceDatasetId,
    state: 'ingesting',
    created_at: at,
    updated_at: at,
    row_count: null,
    description: made.description.slice(0, DESCRIPTION_CHARACTERS_MAX),
    file_format: made.format,
    file_name: fileName,
    // Nothing is ever uploaded there.
    s3_key: objectKeys.upload(caller.team_id, datasetId, fileName),
    raw_key: null,
    expected_sha256: null,
    processing_mode: 'raw',
    raw_column_mapping: null,
    configured_column_mapping: null,
    defer_adaption: false,
    ...(made.sources.some((source) => source.redact_personal_data === true)
      ? { redact_personal_data: true }
      : {}),
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
