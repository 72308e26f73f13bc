import { type DatasetRecord, deliveredRunId } from '#shared/datasets/decide/record.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { TabularFormat } from '#shared/platform/schema/file-format.ts';
import { objectKeys, safeFileName } from '#shared/platform/storage/object-keys.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';

export const DOWNLOAD_URL_SECONDS = 900;

/** Validity of an image link in a download, in seconds. */
export const IMAGE_URL_SECONDS = 3600;

/** Maximum age of a reused export with such links, so that each link works for at least half an hour. */
const LINKS_CACHED_SECONDS = 1800;

export const contentTypes: Readonly<Record<TabularFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  jsonl: 'application/jsonl',
  parquet: 'application/vnd.apache.parquet',
};

export interface Download {
  readonly key: string;
  readonly format: TabularFormat;
  /** The run whose rows are exported, or `source` if the dataset was never adapted. */
  readonly version: string;
  readonly fileName: string;
  readonly contentType: string;
  /** An older export is rebuilt; null if its age does not matter. */
  readonly cachedSecondsMax: number | null;
}

/**
 * Selects the download: the rows of `run`, or the uploaded rows where it is null. If undefined: those of the latest
 * successful run; without one, the finished rows of the latest run, or the uploaded rows.
 * @throws {ServiceError} `no_data_yet` before there are rows, and during the first run
 */
export function downloadOf(
  dataset: DatasetRecord,
  asked: TabularFormat | undefined,
  run?: Pick<RunRecord, 'run_id' | 'status'> | null,
): Download {
  if (dataset.row_count === null) {
    throw new ServiceError(
      'no_data_yet',
      'The dataset holds no data yet. Poll its status until row_count is set.',
    );
  }
  if (run?.status === 'running') {
    throw new ServiceError('no_data_yet', 'The run is active. Poll the status until it has ended.');
  }
  const delivered = run === undefined ? deliveredRunId(dataset) : (run?.run_id ?? null);
  if (
    run === undefined &&
    dataset.state === 'running' &&
    delivered === null &&
    dataset.result === undefined
  ) {
    throw new ServiceError('no_data_yet', 'The first run is active. Poll the status until it has ended.');
  }
  const format = asked ?? uploadedFormat(dataset);
  const version = delivered ?? 'source';
  return {
    key: objectKeys.export(dataset.dataset_id, version, format),
    format,
    version,
    fileName: `${safeFileName(dataset.name).replace(/\.(csv|json|jsonl|parquet|pdf|docx|pptx|xlsx|html|txt|zip)$/i, '')}.${format}`,
    contentType: contentTypes[format],
    cachedSecondsMax: version !== 'source' && hasImageLinks(dataset) ? LINKS_CACHED_SECONDS : null,
  };
}

/** The default format of a download: that of the upload (spec §4.5), JSONL for documents. */
export function uploadedFormat({ file_format: format }: Pick<DatasetRecord, 'file_format'>): TabularFormat {
  return TabularFormat.safeParse(format).data ?? 'jsonl';
}

/** Whether an export of the dataset may hold links to images. */
function hasImageLinks({ image_column_formats: formats }: DatasetRecord): boolean {
  return Object.values(formats ?? {}).some((format) => format !== 'embedded_bytes');
}
