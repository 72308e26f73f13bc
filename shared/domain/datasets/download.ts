import { ServiceError } from '../../errors/service-error.ts';
import { TabularFormat } from '../../schema/rows-manifest.ts';
import { objectKeys, safeFileName } from '../storage/object-keys.ts';
import type { DatasetRecord } from './record.ts';

export const DOWNLOAD_URL_SECONDS = 900;

/** How long a link to an image works that stands in a download. */
export const IMAGE_URL_SECONDS = 3600;

/** An export that may hold such links is not handed out for longer, so that each works for half an hour at least. */
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
  /** The run whose rows are exported, or `source` where the dataset was never adapted. */
  readonly version: string;
  readonly fileName: string;
  readonly contentType: string;
  /** An older export is built anew; null where its age does not matter. */
  readonly cachedSecondsMax: number | null;
}

/**
 * Selects the download: the rows of the latest ended run, also of a failed one, else the rows as uploaded.
 * @throws {ServiceError} `no_data_yet` before there are rows, and during the first run
 */
export function downloadOf(dataset: DatasetRecord, asked: TabularFormat | undefined): Download {
  if (dataset.row_count === null) {
    throw new ServiceError(
      'no_data_yet',
      'The dataset holds no data yet. Poll its status until row_count is set.',
    );
  }
  if (dataset.state === 'running' && dataset.last_run_id === null) {
    throw new ServiceError('no_data_yet', 'The first run is active. Poll the status until it has ended.');
  }
  const format = asked ?? uploadedFormat(dataset);
  const version = dataset.last_run_id ?? 'source';
  return {
    key: objectKeys.export(dataset.dataset_id, version, format),
    format,
    version,
    fileName: `${safeFileName(dataset.name).replace(/\.(csv|json|jsonl|parquet|pdf|docx|pptx|xlsx|html|txt|zip)$/i, '')}.${format}`,
    contentType: contentTypes[format],
    cachedSecondsMax: version !== 'source' && hasImageLinks(dataset) ? LINKS_CACHED_SECONDS : null,
  };
}

/** The format of a download that names none: that of the upload (spec §4.5), JSONL for documents. */
export function uploadedFormat({ file_format: format }: Pick<DatasetRecord, 'file_format'>): TabularFormat {
  return TabularFormat.safeParse(format).data ?? 'jsonl';
}

/** Whether an export of the dataset may hold links to images. */
function hasImageLinks({ image_column_formats: formats }: DatasetRecord): boolean {
  return Object.values(formats ?? {}).some((format) => format !== 'embedded_bytes');
}
