import type { CombineJob, CombineRequest } from '../../schema/combine.ts';
import { TabularFormat } from '../../schema/rows-manifest.ts';
import type { Caller } from '../access/caller.ts';
import type { DatasetRecord } from '../datasets/record.ts';
import { objectKeys } from '../storage/object-keys.ts';

const DESCRIPTION_CHARACTERS_MAX = 500;

/** The dataset that a merge is about to fill. Its download has the format of its sources where they agree. */
export function combinedDataset(
  caller: Pick<Caller, 'team_id' | 'organization_id' | 'user_id'>,
  request: Pick<CombineRequest, 'name'>,
  sources: readonly Pick<DatasetRecord, 'name' | 'file_format'>[],
  datasetId: string,
  now: number,
): DatasetRecord {
  const at = new Date(now).toISOString();
  const [format, ...others] = new Set(sources.map((source) => source.file_format));
  const shared = TabularFormat.safeParse(others.length === 0 ? format : undefined);
  const fileFormat = shared.success ? shared.data : 'jsonl';
  const fileName = `combined.${fileFormat}`;
  const description = `Combines ${sources.map(({ name }) => name).join(', ')}.`;
  return {
    dataset_id: datasetId,
    team_id: caller.team_id,
    organization_id: caller.organization_id,
    created_by_user_id: caller.user_id,
    name: request.name,
    kind: 'combined',
    source_dataset_id: null,
    state: 'ingesting',
    created_at: at,
    updated_at: at,
    row_count: null,
    description: description.slice(0, DESCRIPTION_CHARACTERS_MAX),
    file_format: fileFormat,
    file_name: fileName,
    // Nothing is ever uploaded there.
    s3_key: objectKeys.upload(caller.team_id, datasetId, fileName),
    raw_key: null,
    expected_sha256: null,
    processing_mode: 'raw',
    raw_column_mapping: null,
    configured_column_mapping: null,
    defer_adaption: false,
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

/** The merge that makes, or made, a dataset: the job has the dataset's id. */
export function toCombineJob(
  dataset: Pick<DatasetRecord, 'dataset_id' | 'state' | 'manifest_key' | 'error_data'>,
): CombineJob {
  const status =
    dataset.state === 'ingesting' ? 'running' : dataset.manifest_key === null ? 'failed' : 'succeeded';
  return {
    combine_job_id: dataset.dataset_id,
    status,
    dataset_id: dataset.dataset_id,
    error_message: status === 'failed' ? (dataset.error_data?.message ?? null) : null,
  };
}
