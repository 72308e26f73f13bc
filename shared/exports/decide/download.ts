import { showsNoRows } from '#shared/datasets/decide/not-ready.ts';
import { adaptedRunId, type DatasetRecord, deliveredRunId } from '#shared/datasets/decide/record.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { type ExportFormat, TabularFormat, TrainingForm } from '#shared/platform/schema/file-format.ts';
import { objectKeys, safeFileName } from '#shared/platform/storage/object-keys.ts';
import { deliveredCount } from '#shared/runs/decide/outcomes.ts';
import { adaptationOf, type RunRecord } from '#shared/runs/decide/record.ts';
import { keyOfMapping, sourceMapping } from './form-columns.ts';

export const DOWNLOAD_URL_SECONDS = 900;

/** Validity of an image link in a download, in seconds. */
export const IMAGE_URL_SECONDS = 3600;

/** Maximum age of a reused export with such links, so that each link works for at least half an hour. */
const LINKS_CACHED_SECONDS = 1800;

export const contentTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  jsonl: 'application/jsonl',
  parquet: 'application/vnd.apache.parquet',
  openai: 'application/jsonl',
  sharegpt: 'application/jsonl',
  alpaca: 'application/jsonl',
  trl: 'application/jsonl',
  dataset_info: 'application/json',
  axolotl: 'application/yaml',
};

/** The name of a dataset without the extension of its file. */
const stemOf = ({ name }: Pick<DatasetRecord, 'name'>): string =>
  safeFileName(name).replace(
    /(\.(csv|json|jsonl|parquet|pdf|docx|pptx|xlsx|html|txt|zip|tsv|ndjson))?(\.gz)?$/i,
    '',
  );

/** The name under which the rows of a dataset are saved. */
export function downloadName(dataset: Pick<DatasetRecord, 'name'>, format: ExportFormat): string {
  if (format === 'dataset_info') return 'dataset_info.json';
  if (format === 'axolotl') return `${stemOf(dataset)}.axolotl.yaml`;
  return `${stemOf(dataset)}.${TrainingForm.safeParse(format).success ? `${format}.jsonl` : format}`;
}

export interface Download {
  readonly key: string;
  readonly format: ExportFormat;
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
 * @throws {ServiceError} `no_data_yet` before there are rows, and during the first run; `column_mapping_required` for a form
 * for trainers of rows of which nothing says what they hold
 */
export function downloadOf(
  dataset: DatasetRecord,
  asked: ExportFormat | undefined,
  run?: Pick<RunRecord, 'run_id' | 'status' | 'pipeline'> | null,
): Download {
  if (dataset.row_count === null) {
    throw showsNoRows(dataset.state);
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
  const isTable = TabularFormat.safeParse(format).success;
  const mapping = isTable ? null : sourceMapping(dataset, dataset.columns ?? []);
  const isAdapted = run === undefined ? adaptedRunId(dataset) !== null : adaptationOf(run) !== null;
  if (!isTable && mapping === null && !isAdapted) throw mappingRequired();
  return {
    key: isTable
      ? objectKeys.export(dataset.dataset_id, version, format)
      : objectKeys.mappedExport(dataset.dataset_id, version, format, keyOfMapping(mapping)),
    format,
    version,
    fileName: downloadName(dataset, format),
    contentType: contentTypes[format],
    cachedSecondsMax: version !== 'source' && hasImageLinks(dataset) ? LINKS_CACHED_SECONDS : null,
  };
}

/**
 * Requires that a failed run finished a row: its download would be an empty file.
 * @throws {ServiceError} `no_data_yet`
 */
export function requireFinishedRows(run: Pick<RunRecord, 'status' | 'counts'> | null | undefined): void {
  if (run?.status !== 'failed') return;
  if (deliveredCount(run.counts ?? {}) + (run.counts?.expanded ?? 0) > 0) return;
  throw new ServiceError(
    'no_data_yet',
    'The run ended before any row was done: there is nothing to download, and nothing was billed. error_data says why. Start it again, or name the version with the rows as they came (GET /api/v1/datasets/{dataset_id}/versions).',
  );
}

/** The error for rows that no run has adapted: nothing says what their columns hold. */
function mappingRequired(): ServiceError {
  return new ServiceError(
    'column_mapping_required',
    'Nothing says which columns hold prompts and answers, so that the rows cannot be written for trainers. Adapt the dataset, upload it with processing_mode "raw" and a column_mapping, or download it as jsonl.',
    { details: [{ path: 'fileFormat', message: 'needs a dataset whose columns are mapped' }] },
  );
}

/** The default format of a download: that of the upload (spec §4.5), JSONL for documents. */
export function uploadedFormat({ file_format: format }: Pick<DatasetRecord, 'file_format'>): TabularFormat {
  return TabularFormat.safeParse(format).data ?? 'jsonl';
}

/** Whether an export of the dataset may hold links to images. */
function hasImageLinks({ image_column_formats: formats }: DatasetRecord): boolean {
  return Object.values(formats ?? {}).some((format) => format !== 'embedded_bytes');
}
