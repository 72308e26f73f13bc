import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import { FileFormat } from '#shared/platform/schema/file-format.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { findJson, readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { isAppend } from '#shared/runs/decide/run-kinds.ts';
import { takeReadingPlace } from '#shared/runs/reading-places.ts';
import { keptKeyOf } from './complete-batch.ts';
import { AppendRequestObject, fileToAppend } from './decide/append.ts';
import { loadImportSource } from './plan-import.ts';
import { ImportedNames, type ImportSource } from './schema/import.ts';
import { type FileToRead, IngestPlan } from './schema/ingest-plan.ts';
import { Batch } from './schema/uploads.ts';

export interface PlanIngestPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: ObjectStore;
  readonly claims: Pick<Claims, 'take' | 'release'>;
}

/** Files to read, and the seconds after which to ask again where the team has no place for the run; 0 where it has one. */
export interface PlannedIngest {
  readonly files: number;
  readonly wait_seconds: number;
}

/**
 * Says what an ingest reads, and puts the files where the function that parses them may read. An upload is moved out of
 * the quarantine first and kept, also when it cannot be read, or waits for a place. Safe to repeat.
 * @throws {ServiceError} `upload_missing`; `run_interrupted` where the dataset, its run or a file of an import is gone, or the run has ended
 */
export async function planIngest(
  { datasets, runs, objects, claims }: PlanIngestPorts,
  input: { readonly dataset_id: string; readonly run_id: string; readonly now: number },
): Promise<PlannedIngest> {
  const { dataset_id: datasetId, run_id: runId, now } = input;
  const dataset = await datasets.find(datasetId);
  const run = await runs.find(datasetId, runId);
  if (dataset === null || run === null)
    throw new ServiceError('run_interrupted', 'The dataset was deleted before it was read.');

  const { files } =
    (await findJson(objects, objectKeys.ingestPlan(runId), IngestPlan)) ??
    (await writePlan(objects, dataset, run));
  return { files: files.length, wait_seconds: await takeReadingPlace({ runs, claims }, run, now) };
}

async function writePlan(objects: ObjectStore, dataset: DatasetRecord, run: RunRecord): Promise<IngestPlan> {
  const { max_unreadable_share: share = 0, redact_personal_data: redacts = false } = dataset;
  const isLater = isAppend(run);
  const files = await (isLater ? planAppend(objects, run.run_id) : planSource(objects, dataset, run.run_id));
  const plan = {
    ...files,
    // The error of an append does not say how to set a share that only an upload can set.
    ...(isLater && share === 0 ? {} : { unreadable_share_max: share }),
    redacts_personal_data: redacts,
  };
  await objects.write(objectKeys.ingestPlan(run.run_id), JSON.stringify(plan), 'application/json');
  return plan;
}

function planSource(objects: ObjectStore, dataset: DatasetRecord, runId: string): Promise<IngestPlan> {
  if (dataset.batch_key !== undefined) return planBatch(objects, dataset, dataset.batch_key, runId);
  return dataset.import_key === undefined
    ? planUpload(objects, dataset, runId)
    : planImported(objects, dataset, runId);
}

/** The uploaded file, or the rows of the request, are moved out of the quarantine. */
async function planAppend(objects: ObjectStore, runId: string): Promise<IngestPlan> {
  const request = await readJson(objects, objectKeys.runRequest(runId), AppendRequestObject);
  const { upload_key: uploadKey, kept_key: keptKey, is_request: isRequest } = request.append;
  if (uploadKey !== null) await keepUpload(objects, uploadKey, keptKey);
  const key = objectKeys.imported(runId, 0);
  await objects.copy(keptKey, key);
  return { files: [fileToAppend(request, key)], names_files: uploadKey !== null && isRequest !== true };
}

async function planUpload(objects: ObjectStore, dataset: DatasetRecord, runId: string): Promise<IngestPlan> {
  const { dataset_id: datasetId, file_name: name, file_format: format, expected_sha256: sha256 } = dataset;
  const rawKey = objectKeys.raw(datasetId, name);
  await keepUpload(objects, dataset.s3_key, rawKey);
  const key = objectKeys.imported(runId, 0);
  await objects.copy(rawKey, key);
  return { files: [{ key, name, format, may_be_zipped: false, sha256 }], names_files: false };
}

async function planBatch(
  objects: ObjectStore,
  { dataset_id: datasetId }: DatasetRecord,
  batchKey: string,
  runId: string,
): Promise<IngestPlan> {
  const batch = await readJson(objects, batchKey, Batch);
  const files = await forEachAtOnce(batch, async (file, n): Promise<FileToRead[]> => {
    const keptKey = keptKeyOf(datasetId, file);
    await keepUpload(objects, file.upload_key, keptKey);
    const format = FileFormat.safeParse(file.format);
    // An image is no rows: the cells of the tables name it.
    if (!format.success) return [];
    const key = objectKeys.imported(runId, n);
    await objects.copy(keptKey, key);
    return [{ key, name: file.name, format: format.data, may_be_zipped: false, sha256: null }];
  });
  return { files: files.flat(), names_files: true };
}

/** The files of an import lie where the parser may read already. */
async function planImported(
  objects: ObjectStore,
  dataset: DatasetRecord,
  runId: string,
): Promise<IngestPlan> {
  const source = await loadImportSource(objects, dataset);
  const keys: string[] = [];
  for await (const key of objects.list(objectKeys.importedFiles(runId))) keys.push(key);
  const names = await namesOf(objects, source, runId);
  if (keys.length === 0 || keys.length !== names.length) {
    throw new ServiceError('run_interrupted', 'The imported files are gone. Import them again.');
  }
  const files = keys.map((key, index) => ({
    key,
    name: names[index] ?? '',
    format: source.format,
    // Kaggle answers a ZIP archive where it keeps a file compressed, whatever its name.
    may_be_zipped: source.origin.provider === 'kaggle',
    // Who asks for every tab has not asked for the empty ones.
    may_be_empty: source.origin.provider === 'google_sheets' && source.origin.sheet_names.length === 0,
    sha256: null,
  }));
  return { files, names_files: true };
}

/** The names by which messages call the files, in the order of the files. */
async function namesOf(
  objects: Pick<ObjectStore, 'read'>,
  { origin, files }: ImportSource,
  runId: string,
): Promise<string[]> {
  if (origin.provider === 'object') return [new URL(origin.url).pathname.split('/').at(-1) ?? ''];
  if (origin.provider !== 'google_sheets') return files;
  return (await findJson(objects, objectKeys.importedNames(runId), ImportedNames)) ?? [];
}

/**
 * Moves an upload from the quarantine to its final key; a retry, and a deferred upload, find it there.
 * @throws {ServiceError} `upload_missing`
 */
async function keepUpload(objects: ObjectStore, uploadKey: string, rawKey: string): Promise<void> {
  if ((await objects.head(rawKey)) === null) {
    if ((await objects.head(uploadKey)) === null) {
      throw new ServiceError('upload_missing', 'The uploaded file is gone. Upload it again.');
    }
    await objects.copy(uploadKey, rawKey);
  }
  await objects.remove([uploadKey]);
}
