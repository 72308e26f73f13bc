import type { DatasetRecord } from '../domain/datasets/record.ts';
import { readZipMember } from '../domain/imports/zip-member.ts';
import { objectKeys } from '../domain/storage/object-keys.ts';
import type { ObjectStore } from '../domain/storage/object-store.ts';
import { quoteName } from '../domain/tabular/file-error.ts';
import { describeSignature } from '../domain/tabular/file-signature.ts';
import { ServiceError } from '../errors/service-error.ts';
import { ImportedNames, ImportSource } from '../schema/import.ts';
import type { ColumnProfile, RowsColumn, RowsManifest } from '../schema/rows-manifest.ts';
import type { ReadFile } from './ingest-dataset.ts';

interface ReadImportPorts {
  readonly objects: ObjectStore;
  readonly readFile: ReadFile;
  readonly fileBytesMax: number;
}

/** What a dataset is imported from. */
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
  ports: ReadImportPorts,
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

  let whole: RowsManifest | null = null;
  for (const [index, key] of keys.entries()) {
    const name = names[index] ?? '';
    const offset: number = whole?.chunks.length ?? 0;
    const manifest = await ports
      .readFile({
        format: source.format,
        name,
        source:
          source.origin.provider === 'kaggle'
            ? unzipped(objects, key, ports.fileBytesMax)
            : streamed(objects, key),
        maxBytes: ports.fileBytesMax,
        chunkKey: (n) => objectKeys.rows(dataset.dataset_id, offset + n),
        writeChunk: (n, body) =>
          objects.write(objectKeys.rows(dataset.dataset_id, offset + n), body, 'application/jsonl'),
      })
      .catch((error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
        throw new ServiceError(error.code, `${quoteName(name)}: ${error.message}`, { cause: error });
      });
    whole = whole === null ? manifest : joined(whole, manifest, [names[0] ?? '', name]);
  }
  return whole as RowsManifest;
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

async function* streamed(objects: ObjectStore, key: string): AsyncGenerator<Buffer> {
  yield* (await objects.stream(key)) as AsyncIterable<Buffer>;
}

/** Kaggle answers a zip where it keeps a file compressed, whatever its name. */
async function* unzipped(objects: ObjectStore, key: string, bytesMax: number): AsyncGenerator<Buffer> {
  const head = await objects.readRange(key, 0, 3);
  const isZip = describeSignature(head)?.includes('ZIP') ?? false;
  if (isZip) yield* readZipMember(streamed(objects, key), bytesMax);
  else yield* streamed(objects, key);
}

/** Two manifests as one. `names` are those of the first file and of the one that follows. */
function joined(before: RowsManifest, next: RowsManifest, names: readonly [string, string]): RowsManifest {
  const columns = next.columns.map(({ name }) => name);
  const missing = before.columns.filter(({ name }) => !columns.includes(name));
  const known = before.columns.map(({ name }) => name);
  const added = columns.filter((name) => !known.includes(name));
  if (missing.length > 0 || added.length > 0) {
    throw new ServiceError(
      'schema_mismatch',
      `${quoteName(names[0])} and ${quoteName(names[1])} do not have the same columns: ${[
        ...missing.map(({ name }) => `${quoteName(name)} is only in the first`),
        ...added.map((name) => `${quoteName(name)} is only in the second`),
      ]
        .slice(0, 10)
        .join(', ')}. Import files of one schema, or each as a dataset of its own.`,
    );
  }
  const rows = before.row_count;
  return {
    ...before,
    row_count: rows + next.row_count,
    columns: before.columns.map((column) => {
      const other = next.columns.find(({ name }) => name === column.name) as RowsColumn;
      return joinedColumn(column, other, rows, names);
    }),
    chunks: [
      ...before.chunks,
      ...next.chunks.map((chunk) => ({ ...chunk, first_row: chunk.first_row + rows })),
    ],
    warnings: [
      ...before.warnings,
      ...next.warnings.map(({ code, message }) => ({ code, message: `${quoteName(names[1])}: ${message}` })),
    ],
  };
}

function joinedColumn(
  column: RowsColumn,
  other: RowsColumn,
  rows: number,
  names: readonly [string, string],
): RowsColumn {
  const { profile, name } = column;
  const type = joinedType(column, other);
  if (type === null) {
    throw new ServiceError(
      'schema_mismatch',
      `Column ${quoteName(name)} is ${column.type} in ${quoteName(names[0])} and ${other.type} in ${quoteName(names[1])}. Import files of one schema, or each as a dataset of its own.`,
    );
  }
  if (profile === undefined || other.profile === undefined) return { name, type };
  return { name, type, profile: joinedProfile(profile, other.profile, rows) };
}

/** A column of nothing but nulls has no type of its own, and a whole number is a number; null where they differ. */
function joinedType(a: RowsColumn, b: RowsColumn): string | null {
  if (a.type === b.type) return a.type;
  if (a.profile?.is_empty === true) return b.type;
  if (b.profile?.is_empty === true) return a.type;
  const types = [a.type, b.type];
  return types.includes('BIGINT') && types.includes('DOUBLE') ? 'DOUBLE' : null;
}

function joinedProfile(a: ColumnProfile, b: ColumnProfile, rows: number): ColumnProfile {
  const later = b.not_chat === null ? null : { ...b.not_chat, row: b.not_chat.row + rows };
  const images = [a, b].filter(({ is_empty }) => !is_empty).map(({ image_format }) => image_format);
  return {
    is_empty: a.is_empty && b.is_empty,
    not_chat: a.not_chat ?? later,
    image_format: images.every((format) => format === images[0]) ? (images[0] ?? null) : null,
  };
}
