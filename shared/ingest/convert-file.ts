import { createHash } from 'node:crypto';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { FileFormat } from '#shared/platform/schema/file-format.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { quoteName } from '#shared/tabular/decide/file-error.ts';
import { describeSignature } from '#shared/tabular/decide/file-signature.ts';
import type { FileWarning, RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { readZipMember } from './decide/imports/zip-member.ts';
import { joinManifests } from './decide/join-manifests.ts';
import { type FileToRead, IngestPlan } from './schema/ingest-plan.ts';

/** Reads a file of a format into canonical chunks. */
export type ReadFile = (input: {
  readonly format: FileFormat;
  /** What the rows of a document, and messages on it, call the file. */
  readonly name: string;
  readonly source: AsyncIterable<Buffer>;
  readonly maxBytes: number;
  /** Share of its rows that may be left out; absent where the caller cannot set it. */
  readonly unreadableShareMax: number | undefined;
  /** Whether personal data in texts becomes placeholders. */
  readonly redactsPersonalData: boolean;
  /** Whether a workbook whose sheets are one table is read as that. */
  readonly mayBeTable: boolean;
  readonly chunkKey: (n: number) => string;
  readonly writeChunk: (n: number, body: Buffer) => Promise<void>;
}) => Promise<RowsManifest>;

export interface ConvertFilePorts {
  readonly objects: Pick<ObjectStore, 'read' | 'readRange' | 'stream' | 'write'>;
  readonly readFile: ReadFile;
  readonly fileBytesMax: number;
}

/**
 * Converts the files of an ingest, in the order of its plan, to canonical chunks and one manifest: one file's rows
 * follow another's. A file that may be empty and is adds a warning alone, unless all are. Safe to repeat: all that it
 * writes has fixed keys.
 * @throws {ServiceError} `schema_mismatch` where the files do not have the same columns, `upload_mismatch` where one has
 * another hash, or what is wrong with a file; each names the file where the plan says so
 */
export async function convertFile(
  ports: ConvertFilePorts,
  { run_id: runId }: { readonly run_id: string },
): Promise<{ row_count: number }> {
  const { objects } = ports;
  const plan = await readJson(objects, objectKeys.ingestPlan(runId), IngestPlan);
  let whole: RowsManifest | null = null;
  let firstName = '';
  let emptyError: unknown = null;
  const leftOut: FileWarning[] = [];
  for (const file of plan.files) {
    const offset: number = whole?.chunks.length ?? 0;
    // Beside other documents a workbook is passages as they are: the files of a dataset have the same columns.
    const reading = {
      unreadableShareMax: plan.unreadable_share_max,
      redactsPersonalData: plan.redacts_personal_data ?? false,
      mayBeTable: plan.files.length === 1,
    };
    const manifest = await readOne(ports, runId, file, offset, reading).catch((error: unknown) => {
      const named = plan.names_files ? naming(file.name, error) : error;
      if (file.may_be_empty !== true || !isOfEmptyFile(named)) throw named;
      emptyError ??= named;
      leftOut.push({ code: 'tab_empty', message: `${quoteName(file.name)} holds no rows and was left out.` });
      return null;
    });
    if (manifest === null) continue;
    if (whole === null) firstName = file.name;
    whole = whole === null ? manifest : joinManifests(whole, manifest, [firstName, file.name]);
  }
  if (whole === null) throw emptyError ?? new RangeError('there is no file to read');
  const converted = { ...whole, warnings: [...whole.warnings, ...leftOut] };
  await objects.write(objectKeys.convertedManifest(runId), JSON.stringify(converted), 'application/json');
  return { row_count: whole.row_count };
}

/** @param offset chunks of the files before it */
async function readOne(
  { objects, readFile, fileBytesMax }: ConvertFilePorts,
  runId: string,
  { key, name, format, may_be_zipped, sha256 }: FileToRead,
  offset: number,
  reading: Pick<Parameters<ReadFile>[0], 'unreadableShareMax' | 'redactsPersonalData' | 'mayBeTable'>,
): Promise<RowsManifest> {
  const hash = createHash('sha256');
  const source = may_be_zipped ? unzipped(objects, key, fileBytesMax) : streamObject(objects, key);
  const manifest = await readFile({
    format,
    name,
    source: sha256 === null ? source : hashed(source, hash),
    maxBytes: fileBytesMax,
    ...reading,
    chunkKey: (n) => objectKeys.converted(runId, offset + n),
    writeChunk: (n, body) =>
      objects.write(objectKeys.converted(runId, offset + n), body, 'application/jsonl'),
  });
  if (sha256 !== null) requireHash(sha256, hash.digest('hex'));
  return manifest;
}

const isOfEmptyFile = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'file_empty';

/** An error about a file that says which. */
function naming(name: string, error: unknown): unknown {
  // What reads documents names the file itself.
  if (!(error instanceof ServiceError) || error.message.startsWith(quoteName(name))) return error;
  return new ServiceError(error.code, `${quoteName(name)}: ${error.message}`, { cause: error });
}

async function* streamObject(objects: Pick<ObjectStore, 'stream'>, key: string): AsyncGenerator<Buffer> {
  yield* (await objects.stream(key)) as AsyncIterable<Buffer>;
}

/** The file itself, or the one file of the ZIP archive that it is. */
async function* unzipped(
  objects: Pick<ObjectStore, 'readRange' | 'stream'>,
  key: string,
  bytesMax: number,
): AsyncGenerator<Buffer> {
  const head = await objects.readRange(key, 0, 3);
  const isZip = describeSignature(head)?.includes('ZIP') ?? false;
  if (isZip) yield* readZipMember(streamObject(objects, key), bytesMax);
  else yield* streamObject(objects, key);
}

async function* hashed(
  source: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const block of source) {
    hash.update(block);
    yield block;
  }
}

function requireHash(expected: string, actual: string): void {
  if (expected === actual) return;
  throw new ServiceError(
    'upload_mismatch',
    `The file's SHA-256 is ${actual}, but ${expected} was announced. The file was damaged in transit: upload it again.`,
  );
}
