import type { DatasetRecord } from '../domain/datasets/record.ts';
import { readZipMember } from '../domain/imports/zip-member.ts';
import { objectKeys } from '../domain/storage/object-keys.ts';
import type { ObjectStore } from '../domain/storage/object-store.ts';
import { describeSignature } from '../domain/tabular/file-signature.ts';
import { ServiceError } from '../errors/service-error.ts';
import { ImportedNames, ImportSource } from '../schema/import.ts';
import type { RowsManifest } from '../schema/rows-manifest.ts';
import { type ReadFilesPorts, readFiles, streamObject } from './read-files.ts';

/** The source of an import. */
export async function loadImportSource(
  objects: Pick<ObjectStore, 'read'>,
  dataset: Pick<DatasetRecord, 'import_key'>,
): Promise<ImportSource> {
  const stored = dataset.import_key === undefined ? null : await objects.read(dataset.import_key);
  if (stored === null) throw new Error('What the dataset is imported from is not stored.');
  return ImportSource.parse(JSON.parse(stored.toString()));
}

/**
 * The files of an import as one dataset, in their order: one file's rows follow another's.
 * @throws {ServiceError} `schema_mismatch` where they do not have the same columns, or what is wrong with a file; each
 * names the file
 */
export async function readImport(
  ports: ReadFilesPorts,
  dataset: DatasetRecord,
  runId: string,
): Promise<RowsManifest> {
  const { objects } = ports;
  const source = await loadImportSource(objects, dataset);
  const keys: string[] = [];
  for await (const key of objects.list(objectKeys.importedFiles(runId))) keys.push(key);
  const names = await namesOf(objects, source, runId);
  if (keys.length === 0 || keys.length !== names.length) {
    throw new ServiceError('run_interrupted', 'The imported files are gone. Import them again.');
  }

  const isZipped = source.origin.provider === 'kaggle';
  return readFiles(
    ports,
    dataset.dataset_id,
    keys.map((key, index) => ({
      name: names[index] ?? '',
      format: source.format,
      open: () => (isZipped ? unzipped(objects, key, ports.fileBytesMax) : streamObject(objects, key)),
    })),
  );
}

/** The names by which messages call the files, in the order of the files. */
async function namesOf(
  objects: Pick<ObjectStore, 'read'>,
  { origin, files }: ImportSource,
  runId: string,
): Promise<string[]> {
  if (origin.provider === 'object') return [new URL(origin.url).pathname.split('/').at(-1) ?? ''];
  if (origin.provider !== 'google_sheets') return files;
  const stored = await objects.read(objectKeys.importedNames(runId));
  return stored === null ? [] : ImportedNames.parse(JSON.parse(stored.toString()));
}

/** Kaggle answers a zip where it keeps a file compressed, whatever its name. */
async function* unzipped(objects: ObjectStore, key: string, bytesMax: number): AsyncGenerator<Buffer> {
  const head = await objects.readRange(key, 0, 3);
  const isZip = describeSignature(head)?.includes('ZIP') ?? false;
  if (isZip) yield* readZipMember(streamObject(objects, key), bytesMax);
  else yield* streamObject(objects, key);
}
