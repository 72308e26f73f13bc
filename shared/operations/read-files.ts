import { objectKeys } from '../domain/storage/object-keys.ts';
import type { ObjectStore } from '../domain/storage/object-store.ts';
import { quoteName } from '../domain/tabular/file-error.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { FileFormat } from '../schema/dataset.ts';
import type { ColumnProfile, RowsColumn, RowsManifest } from '../schema/rows-manifest.ts';
import type { ReadFile } from './ingest-dataset.ts';

export interface ReadFilesPorts {
  readonly objects: ObjectStore;
  readonly readFile: ReadFile;
  readonly fileBytesMax: number;
}

/** One of the files of a dataset. */
export interface FileToRead {
  /** What messages call it. */
  readonly name: string;
  readonly format: FileFormat;
  readonly open: () => AsyncIterable<Buffer>;
}

/**
 * Files as one dataset, in their order: one file's rows follow another's.
 * @throws {ServiceError} `schema_mismatch` where they do not have the same columns, or what is wrong with a file; each
 * names the file
 */
export async function readFiles(
  { objects, readFile, fileBytesMax }: ReadFilesPorts,
  datasetId: string,
  files: readonly FileToRead[],
): Promise<RowsManifest> {
  let whole: RowsManifest | null = null;
  for (const { name, format, open } of files) {
    const offset: number = whole?.chunks.length ?? 0;
    const manifest = await readFile({
      format,
      name,
      source: open(),
      maxBytes: fileBytesMax,
      chunkKey: (n) => objectKeys.rows(datasetId, offset + n),
      writeChunk: (n, body) =>
        objects.write(objectKeys.rows(datasetId, offset + n), body, 'application/jsonl'),
    }).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      // What reads documents names the file itself.
      const message = error.message.startsWith(quoteName(name))
        ? error.message
        : `${quoteName(name)}: ${error.message}`;
      throw new ServiceError(error.code, message, { cause: error });
    });
    whole = whole === null ? manifest : joined(whole, manifest, [files[0]?.name ?? '', name]);
  }
  if (whole === null) throw new RangeError('there is no file to read');
  return whole;
}

export async function* streamObject(objects: ObjectStore, key: string): AsyncGenerator<Buffer> {
  yield* (await objects.stream(key)) as AsyncIterable<Buffer>;
}

/** What keeps two files from being rows of one table, in words; null where nothing does. */
export function compareColumns(
  first: readonly string[],
  second: readonly string[],
  names: readonly [string, string],
): string | null {
  const differences = [
    ...first
      .filter((name) => !second.includes(name))
      .map((name) => `${quoteName(name)} is only in the first`),
    ...second
      .filter((name) => !first.includes(name))
      .map((name) => `${quoteName(name)} is only in the second`),
  ];
  if (differences.length === 0) return null;
  return `${quoteName(names[0])} and ${quoteName(names[1])} do not have the same columns: ${differences.slice(0, 10).join(', ')}. Send files with the same columns, or each as its own dataset.`;
}

/** Two manifests as one. `names` are those of the first file and of the one that follows. */
function joined(before: RowsManifest, next: RowsManifest, names: readonly [string, string]): RowsManifest {
  const mismatch = compareColumns(
    before.columns.map(({ name }) => name),
    next.columns.map(({ name }) => name),
    names,
  );
  if (mismatch !== null) throw new ServiceError('schema_mismatch', mismatch);
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
      `Column ${quoteName(name)} is ${column.type} in ${quoteName(names[0])} and ${other.type} in ${quoteName(names[1])}. Send files with the same columns, or each as its own dataset.`,
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
