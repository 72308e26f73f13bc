import { madeDataset } from '#shared/datasets/decide/made-dataset.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { TabularFormat } from '#shared/platform/schema/file-format.ts';
import type { CombineJob, CombineRequest } from '../../schema/combine.ts';

/** The dataset of a new merge. Its download has the format of its sources if they agree. */
export function combinedDataset(
  caller: Pick<Caller, 'team_id' | 'organization_id' | 'user_id'>,
  request: Pick<CombineRequest, 'name'>,
  sources: readonly Pick<DatasetRecord, 'name' | 'file_format' | 'redact_personal_data'>[],
  datasetId: string,
  now: number,
): DatasetRecord {
  const [format, ...others] = new Set(sources.map((source) => source.file_format));
  const shared = TabularFormat.safeParse(others.length === 0 ? format : undefined);
  return madeDataset(
    caller,
    {
      kind: 'combined',
      sourceDatasetId: null,
      sources,
      name: request.name,
      description: `Combines ${sources.map(({ name }) => name).join(', ')}.`,
      format: shared.success ? shared.data : 'jsonl',
    },
    datasetId,
    now,
  );
}

/** The merge job of a dataset; the job has the dataset's id. */
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
