import { addedBy } from '#shared/adaptation/decide/added-columns.ts';
import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import { requireAdaptation } from '#shared/adaptation/require-adaptation.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { isTransient } from '#shared/platform/errors/to-failure.ts';
import { type ExportFormat, TabularFormat, TrainingForm } from '#shared/platform/schema/file-format.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { readJson, readJsonLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys, safeFileName } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { adaptationOf, manifestKeyOf, type RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { ExpansionSelection } from '#shared/runs/schema/expansion.ts';
import { BatchPlan, ExpandPlan } from '#shared/runs/schema/run-context.ts';
import { adaptedColumns, type ExportColumn, sourceColumns } from '#shared/tabular/decide/export-columns.ts';
import type { FormColumns } from '#shared/tabular/decide/forms/training-row.ts';
import { writeForm } from '#shared/tabular/decide/forms/write-form.ts';
import { mediaTypeOfPath, pathBelow } from '#shared/tabular/decide/images/image-cell.ts';
import { type LinkToFile, originalImage } from '#shared/tabular/decide/images/original-image.ts';
import type { Rewrite, RowsToJoin } from '#shared/tabular/decide/join-rows.ts';
import { repeatRows } from '#shared/tabular/decide/repeat-rows.ts';
import { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import {
  contentTypes,
  downloadName,
  downloadOf,
  IMAGE_URL_SECONDS,
  uploadedFormat,
} from './decide/download.ts';
import { columnsOfRow, formColumns } from './decide/form-columns.ts';
import { axolotlConfig, datasetInfo } from './decide/trainer-files.ts';
import { buildClaimed, claimOfExport, failureOfExport } from './export-file.ts';

export interface BuildExportPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: ObjectStore;
  readonly claims: Pick<Claims, 'renew' | 'release'>;
  /** Writes rows to a temporary file, which is deleted after `use`. */
  readonly exportRows: <T>(
    format: TabularFormat,
    rows: RowsToJoin,
    use: (file: { readonly path: string }) => Promise<T>,
    /** Makes other lines of the rows. */
    rewrite?: Rewrite,
  ) => Promise<T>;
}

/**
 * Builds the export for a download of this format.
 * @throws {ServiceError} `dataset_not_found`, `run_not_found`, `no_data_yet`
 */
export async function buildExport(
  ports: BuildExportPorts,
  input: {
    readonly dataset_id: string;
    readonly team_id: string;
    readonly format: ExportFormat;
    /** Absent: the rows that reads mean by default. Null: the uploaded rows. */
    readonly run_id?: string | null | undefined;
  },
): Promise<{ key: string }> {
  const dataset = await ports.datasets.find(input.dataset_id);
  if (dataset === null || dataset.team_id !== input.team_id) {
    throw new ServiceError('dataset_not_found', 'There is no such dataset.');
  }
  const { runs } = ports;
  const asked = input.run_id == null ? input.run_id : await requireAdaptation(runs, dataset, input.run_id);
  const { key, version } = downloadOf(dataset, input.format, asked);
  const run = version === 'source' ? null : await runs.find(dataset.dataset_id, version);
  await buildClaimed(ports.claims, claimOfExport(key), async () => {
    try {
      await writeExport(ports, dataset, run, input.format, key);
    } catch (error) {
      // Whoever waits for the file is told, unless another attempt can mend it; the error itself is in the log of this function.
      if (!isTransient(error)) await ports.objects.write(failureOfExport(key), '', 'text/plain');
      throw error;
    }
    await ports.objects.remove([failureOfExport(key)]);
    // The deletion of a version has listed the objects before.
    const current = run === null ? null : await runs.find(dataset.dataset_id, run.run_id);
    if (current?.results_deleted_at !== undefined) await ports.objects.remove([key]);
  });
  return { key };
}

/** Builds the most frequent exports before a run ends: the format of the upload, and JSONL. */
export async function buildExportsOfRun(
  ports: Omit<BuildExportPorts, 'claims'>,
  input: { readonly dataset_id: string; readonly run_id: string },
): Promise<void> {
  const [dataset, run] = await Promise.all([
    ports.datasets.find(input.dataset_id),
    ports.runs.find(input.dataset_id, input.run_id),
  ]);
  if (dataset === null || run === null)
    throw new ServiceError('run_interrupted', 'The dataset of the run is gone.');
  for (const format of new Set<TabularFormat>([uploadedFormat(dataset), 'jsonl'])) {
    const key = objectKeys.export(dataset.dataset_id, run.run_id, format);
    await writeExport(ports, dataset, run, format, key);
  }
}

async function writeExport(
  ports: Omit<BuildExportPorts, 'claims'>,
  dataset: DatasetRecord,
  run: RunRecord | null,
  format: ExportFormat,
  key: string,
): Promise<void> {
  const table = TabularFormat.safeParse(format);
  const columns = table.success ? null : await columnsForTrainers(ports.objects, dataset, run);
  if (columns !== null && (format === 'dataset_info' || format === 'axolotl')) {
    const text =
      format === 'axolotl'
        ? axolotlConfig((form) => downloadName(dataset, form), columns)
        : datasetInfo(downloadName(dataset, 'sharegpt'), columns);
    await ports.objects.write(key, text, contentTypes[format]);
    return;
  }
  const links = linksToFiles(ports.objects, dataset.dataset_id);
  const rows = await rowsToExport(ports.objects, dataset.dataset_id, run, links);
  const form = TrainingForm.safeParse(format).data;
  await ports.exportRows(
    table.data ?? 'jsonl',
    rows,
    ({ path }) => ports.objects.writeFile(key, path, contentTypes[format]),
    form === undefined || columns === null
      ? undefined
      : (lines) => writeForm(form, (cells) => columnsOfRow(columns, cells), lines),
  );
}

/** What the columns of rows after a run, or of the uploaded ones, hold for trainers. */
async function columnsForTrainers(
  objects: Pick<ObjectStore, 'read'>,
  dataset: DatasetRecord,
  run: RunRecord | null,
): Promise<FormColumns> {
  const manifest = await readJson(objects, manifestKeyOf(dataset.dataset_id, run), RowsManifest);
  const adaptation = adaptationOf(run);
  if (adaptation === null) return formColumns(dataset, manifest.columns, null);
  const { specification } = await readJson(
    objects,
    objectKeys.runRequest(adaptation.run_id),
    RunRequestObject,
  );
  return formColumns(dataset, manifest.columns, specification);
}

/**
 * The rows of a dataset after a run, or the uploaded rows, with their columns.
 * @param linkTo the link that stands in a cell for an uploaded image file
 */
export async function rowsToExport(
  objects: Pick<ObjectStore, 'read'>,
  datasetId: string,
  run: RunRecord | null,
  linkTo: LinkToFile,
): Promise<RowsToJoin> {
  const manifest = await readJson(objects, manifestKeyOf(datasetId, run), RowsManifest);
  const adaptation = adaptationOf(run);
  const columns =
    adaptation === null
      ? sourceColumns(manifest.columns)
      : await columnsOf(objects, adaptation, manifest, linkTo);
  return { columns, ...deliveredRows(objects, manifest, run) };
}

/** The rows of a dataset after a run, or the uploaded rows. */
export function deliveredRows(
  objects: Pick<ObjectStore, 'read'>,
  manifest: Pick<RowsManifest, 'chunks'>,
  delivered: Pick<RunRecord, 'run_id' | 'status' | 'pipeline'> | null,
): Omit<RowsToJoin, 'columns'> {
  const run = adaptationOf(delivered);
  const readSource = () => bodies(objects, () => manifest.chunks.map((chunk) => chunk.key));
  if (run === null) return { source: readSource(), withoutResult: 'keep' };
  return {
    source: readSource(),
    results: bodies(objects, () => resultKeys(objects, run.run_id)),
    // A failed run delivers its finished rows; a successful one leaves the others unchanged.
    withoutResult: run.status === 'failed' ? 'omit' : 'keep',
    added: {
      source: repeatRows(readSource(), expandedRows(objects, run.run_id)),
      results: bodies(objects, async () =>
        (await readExpansion(objects, run.run_id)).map(({ n }) => objectKeys.result(run.run_id, n)),
      ),
    },
  };
}

async function columnsOf(
  objects: Pick<ObjectStore, 'read'>,
  run: RunRecord,
  manifest: RowsManifest,
  linkToFile: LinkToFile,
): Promise<ExportColumn[]> {
  const { specification } = await readJson(objects, objectKeys.runRequest(run.run_id), RunRequestObject);
  // An export with links is rebuilt when they get old; embedded images need no links.
  const linkTo: LinkToFile = specification.image_format === 'embedded_bytes' ? async () => null : linkToFile;
  return adaptedColumns(specification.mapping, manifest.columns, {
    ...addedBy(specification),
    originalImage: (cell) => originalImage(cell, linkTo),
  });
}

/** Links to files of the dataset, which are listed once, on first use. */
function linksToFiles(objects: ObjectStore, datasetId: string): LinkToFile {
  let listed: Promise<Set<string>> | undefined;
  const list = async (): Promise<Set<string>> => {
    const keys = new Set<string>();
    for await (const key of objects.list(objectKeys.file(datasetId, ''))) keys.add(key);
    return keys;
  };
  return async (path) => {
    const below = pathBelow(path);
    if (below === null) return null;
    listed ??= list();
    const key = objectKeys.file(datasetId, below);
    if (!(await listed).has(key)) return null;
    const fileName = safeFileName(below.split('/').at(-1) ?? '');
    return objects.presignGet(key, IMAGE_URL_SECONDS, fileName, mediaTypeOfPath(below));
  };
}

async function resultKeys(objects: Pick<ObjectStore, 'read'>, runId: string): Promise<string[]> {
  const plan = await readJsonLines(objects, objectKeys.plan(runId), BatchPlan);
  return plan.map(({ n }) => objectKeys.result(runId, n));
}

/** The chunks of a run's language expansion; empty without one, or if the run ended before it. */
export function readExpansion(objects: Pick<ObjectStore, 'read'>, runId: string): Promise<ExpandPlan[]> {
  return readJsonLines(objects, objectKeys.expansionPlan(runId), ExpandPlan);
}

/** The source rows of the rows in other languages, one for each of those, in order. */
async function* expandedRows(objects: Pick<ObjectStore, 'read'>, runId: string): AsyncGenerator<number> {
  for (const { selection_key: key } of await readExpansion(objects, runId)) {
    for (const { row } of await readJsonLines(objects, key, ExpansionSelection)) yield row;
  }
}

/** Objects that are prefetched: S3 has a high latency and a high throughput. */
const READ_AHEAD = 4;

/** The bodies of objects, in sequence; a missing one (an unfinished batch) is skipped. */
async function* bodies(
  objects: Pick<ObjectStore, 'read'>,
  keys: () => readonly string[] | Promise<readonly string[]>,
): AsyncGenerator<Buffer> {
  const reading: Promise<Buffer | null>[] = [];
  const read = (key: string): void => {
    const body = objects.read(key);
    // A failure is thrown when the object's turn comes.
    body.catch(() => {});
    reading.push(body);
  };
  const all = await keys();
  for (const key of all.slice(0, READ_AHEAD)) read(key);
  for (let next = READ_AHEAD; reading.length > 0; next += 1) {
    const body = await reading.shift();
    const key = all[next];
    if (key !== undefined) read(key);
    if (body != null) yield body;
  }
}
