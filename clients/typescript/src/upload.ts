import type { Schemas, TunesmithClient } from './client.ts';
import { dataOf, errorOfNetwork, TunesmithError } from './errors.ts';
import { type RetryOptions, withRetries } from './retry.ts';

/** The formats that the service reads, by the extension of a file's name. Images come beside tables only. */
export const FILE_FORMATS = [
  'csv',
  'json',
  'jsonl',
  'parquet',
  'pdf',
  'docx',
  'pptx',
  'xlsx',
  'html',
  'zip',
  'txt',
  'png',
  'jpg',
  'jpeg',
  'gif',
  'webp',
] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** Bytes of a known number that can be read several times, as a `Blob`. `uploadOf` of `tunesmith/node` makes one of a path. */
export interface ReadableFile {
  /** Number of bytes. */
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
}

export interface UploadFile {
  /** Name with its extension, by which rows refer to an image. */
  readonly name: string;
  /** A stream is read into memory first: the storage takes bodies of a known length only, and a repetition needs them again. */
  readonly data: Blob | Uint8Array | ReadableStream<Uint8Array> | ReadableFile;
  /** Default: by the extension of `name`. */
  readonly format?: FileFormat;
  /** SHA-256 of the bytes in hexadecimal digits, which the service then checks. Of a single file only. */
  readonly sha256?: string;
}

/** What is left to do of an upload, as JSON. Whoever has it can send the files for an hour. */
export interface UploadSession {
  readonly dataset_id: string;
  readonly files: readonly {
    readonly url: string;
    readonly s3_key: string;
    /** Whether the storage has the file. */
    readonly is_sent: boolean;
  }[];
}

export interface UploadOptions extends RetryOptions {
  /** Name of the dataset. Default: that of the first file, without its extension. */
  readonly name?: string;
  /** Makes the dataset trainable as it is, without an adaptation. Of a single file only. */
  readonly raw?: Schemas['RawColumnMapping'];
  /** Share of the rows, up to 0.5, that may be left out because they cannot be read. Default: none. */
  readonly unreadableShareMax?: number;
  /** Replaces personal data in the rows by placeholders. Default: false. */
  readonly redactPersonalData?: boolean;
  readonly onProgress?: (progress: { readonly sentBytes: number; readonly totalBytes: number }) => void;
  /** An upload that was interrupted: what is sent already is not sent again. */
  readonly session?: UploadSession;
  /** Keeps what `session` takes. Without it, an upload that fails deletes its dataset; one whose files are refused always does. */
  readonly onSession?: (session: UploadSession) => void | Promise<void>;
  /** Sends the files; by default the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Extensions of further names, by format: a file with tabs is a CSV file, and a text table may be compressed with gzip. */
const ALIASES: readonly (readonly [string, FileFormat])[] = [
  ['htm', 'html'],
  ['ndjson', 'jsonl'],
  ['tsv', 'csv'],
  ...(['csv', 'json', 'jsonl'] as const).map((format) => [`${format}.gz`, format] as const),
  ['ndjson.gz', 'jsonl'],
  ['tsv.gz', 'csv'],
];

/** What names of files that the service reads end in, without the first dot. */
export const FILE_EXTENSIONS: readonly string[] = [
  ...FILE_FORMATS,
  ...ALIASES.map(([extension]) => extension),
];

/** The format by the extension of a name, or null if the service reads none like it. */
export function formatOf(name: string): FileFormat | null {
  const ends = (extension: string): boolean => name.toLowerCase().endsWith(`.${extension}`);
  const alias = ALIASES.find(([extension]) => ends(extension));
  return alias?.[1] ?? FILE_FORMATS.find(ends) ?? null;
}

interface ReadyFile {
  readonly file_name: string;
  readonly file_format: FileFormat;
  readonly file_size_bytes: number;
  readonly data: Blob | ReadableFile;
  readonly sha256: string | null;
}

/**
 * Sends files to the service, which makes one dataset of them. Several files must be tables of the same columns, with
 * the images that their cells name, or documents.
 * @returns the dataset, whose files are then being read: see `waitForDataset`
 * @throws {TunesmithError} if the service or the storage refuses, or does not answer
 * @throws {TypeError} if the service reads no file of that format
 */
export async function upload(
  client: TunesmithClient,
  files: UploadFile | readonly UploadFile[],
  options: UploadOptions = {},
): Promise<{ readonly dataset_id: string }> {
  const ready = await Promise.all((isList(files) ? files : [files]).map(readyFile));
  const [first] = ready;
  if (first === undefined) throw new TypeError('Name at least one file to upload.');
  const single = ready.length === 1 ? first : null;
  if (options.raw !== undefined && single === null)
    throw new TypeError('Only a single file can be uploaded raw. Join the files first.');

  const name = options.name ?? first.file_name.replace(/\.gz$/i, '').replace(/\.[^.]*$/, '');
  const keep = options.onSession;
  let session = options.session;
  if (session === undefined) {
    const start = () => (single === null ? startBatch : startSingle)(client, name, ready, options);
    session = await withRetries(start, options);
    await keep?.(session);
  }
  const { dataset_id } = session;
  try {
    session = await sendFiles(ready, session, options);
    const sent = session;
    const complete = () =>
      single === null
        ? completeBatch(client, ready, sent, options)
        : completeSingle(client, single, sent, options);
    await withRetries(complete, options);
  } catch (error) {
    if ((keep === undefined && options.session === undefined) || isRefusedForGood(error)) {
      // Without its files the dataset would wait for ever. The caller learns of the first error, not of this one.
      const deleted = client.DELETE('/api/v1/datasets/{dataset_id}', { params: { path: { dataset_id } } });
      await deleted.catch(() => undefined);
    }
    throw error;
  }
  return { dataset_id };
}

/** What the service refuses of a file that has arrived: a repetition would meet it again. */
const REFUSALS: readonly string[] = [
  ...['column_unknown', 'file_unreadable', 'file_empty', 'file_too_large', 'upload_mismatch'],
];

const isRefusedForGood = (error: unknown): boolean =>
  error instanceof TunesmithError && REFUSALS.includes(error.code);

const isList = (files: UploadFile | readonly UploadFile[]): files is readonly UploadFile[] =>
  Array.isArray(files);

async function readyFile({ name, data, format, sha256 }: UploadFile): Promise<ReadyFile> {
  const found = format ?? formatOf(name);
  if (found === null)
    throw new TypeError(`The service reads no files like ${name}. It reads ${FILE_EXTENSIONS.join(', ')}.`);
  const body = await bodyOf(data);
  return {
    file_name: name,
    file_format: found,
    file_size_bytes: body.size,
    data: body,
    sha256: sha256 ?? null,
  };
}

async function bodyOf(data: UploadFile['data']): Promise<Blob | ReadableFile> {
  if (data instanceof Blob) return data;
  if (data instanceof Uint8Array) return new Blob([data as Uint8Array<ArrayBuffer>]);
  if ('size' in data) return data;
  return new Response(data as ReadableStream<Uint8Array<ArrayBuffer>>).blob();
}

const announced = ({ file_name, file_format, file_size_bytes }: ReadyFile) => ({
  file_name,
  file_format,
  file_size_bytes,
});

const readingOf = ({ unreadableShareMax, redactPersonalData }: UploadOptions) => ({
  ...(unreadableShareMax === undefined ? {} : { max_unreadable_share: unreadableShareMax }),
  ...(redactPersonalData === undefined ? {} : { redact_personal_data: redactPersonalData }),
});

const signalOf = ({ signal }: UploadOptions) => (signal === undefined ? {} : { signal });

type SingleFormat = NonNullable<Schemas['CreateDatasetRequest']['source']['file_format']>;

const isSingleFormat = (format: FileFormat): format is SingleFormat =>
  !['png', 'jpg', 'jpeg', 'gif', 'webp'].includes(format);

async function startSingle(
  client: TunesmithClient,
  name: string,
  [file]: readonly ReadyFile[],
  options: UploadOptions,
): Promise<UploadSession> {
  if (file === undefined || !isSingleFormat(file.file_format))
    throw new TypeError('An image is no dataset. Upload it beside the table whose cells name it.');
  const { dataset_id, upload_instructions } = await dataOf(
    client.POST('/api/v1/datasets', {
      ...signalOf(options),
      body: {
        source: {
          name,
          file_format: file.file_format,
          file_size_bytes: file.file_size_bytes,
          ...readingOf(options),
          ...(options.raw === undefined ? {} : { processing_mode: 'raw', column_mapping: options.raw }),
        },
      },
    }),
  );
  if (upload_instructions === null)
    throw new Error('The service answered without an address for the file. Its version may be another one.');
  const { url, s3_key } = upload_instructions;
  return { dataset_id, files: [{ url, s3_key, is_sent: false }] };
}

async function startBatch(
  client: TunesmithClient,
  name: string,
  files: readonly ReadyFile[],
  options: UploadOptions,
): Promise<UploadSession> {
  const { dataset_id, uploads } = await dataOf(
    client.POST('/api/v1/datasets/upload/initiate-batch', {
      ...signalOf(options),
      body: { name, files: files.map(announced), ...readingOf(options) },
    }),
  );
  return {
    dataset_id,
    files: uploads.map(({ upload_url, s3_key }) => ({ url: upload_url, s3_key, is_sent: false })),
  };
}

async function completeSingle(
  client: TunesmithClient,
  file: ReadyFile,
  { dataset_id }: UploadSession,
  options: UploadOptions,
): Promise<void> {
  await dataOf(
    client.POST('/api/v1/datasets/{dataset_id}/upload/complete', {
      ...signalOf(options),
      params: { path: { dataset_id } },
      body: {
        file_size_bytes: file.file_size_bytes,
        ...(file.sha256 === null ? {} : { sha256: file.sha256 }),
      },
    }),
  );
}

async function completeBatch(
  client: TunesmithClient,
  files: readonly ReadyFile[],
  session: UploadSession,
  options: UploadOptions,
): Promise<void> {
  await dataOf(
    client.POST('/api/v1/datasets/upload/complete-batch', {
      ...signalOf(options),
      body: {
        dataset_id: session.dataset_id,
        files: files.map((file, index) => ({
          ...announced(file),
          s3_key: session.files[index]?.s3_key ?? '',
        })),
      },
    }),
  );
}

/** Sends what is not sent yet, file by file. */
async function sendFiles(
  files: readonly ReadyFile[],
  started: UploadSession,
  options: UploadOptions,
): Promise<UploadSession> {
  if (started.files.length !== files.length)
    throw new TypeError('The session is of other files. Start the upload without it.');
  const totalBytes = files.reduce((sum, { file_size_bytes }) => sum + file_size_bytes, 0);
  let session = started;
  let sentBefore = 0;
  for (const [index, file] of files.entries()) {
    const target = session.files[index];
    if (target !== undefined && !target.is_sent) {
      const onSent = (bytes: number) => options.onProgress?.({ sentBytes: sentBefore + bytes, totalBytes });
      await withRetries(() => putFile(target.url, file, onSent, options), options);
      session = {
        ...session,
        files: session.files.map((each, place) => (place === index ? { ...each, is_sent: true } : each)),
      };
      await options.onSession?.(session);
    }
    sentBefore += file.file_size_bytes;
    options.onProgress?.({ sentBytes: sentBefore, totalBytes });
  }
  return session;
}

async function putFile(
  url: string,
  { file_name, data, file_size_bytes }: ReadyFile,
  onSent: (bytes: number) => void,
  { signal, fetch = globalThis.fetch }: UploadOptions,
): Promise<void> {
  const request: RequestInit & { duplex?: 'half' } = {
    method: 'PUT',
    ...(signal === undefined ? {} : { signal }),
    ...(data instanceof Blob
      ? { body: data }
      : {
          // Platforms that have such files let a request name the length of a stream; browsers, which do not, have blobs.
          body: counted(data.stream(), onSent) as ReadableStream<Uint8Array<ArrayBuffer>>,
          headers: { 'content-length': String(file_size_bytes) },
          duplex: 'half',
        }),
  };
  const response = await fetch(url, request).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw errorOfNetwork(cause);
  });
  await response.body?.cancel();
  if (response.ok) return;
  throw new TunesmithError(
    `The storage refused ${file_name} (status ${response.status}). An address for an upload works for an hour: upload again.`,
    {
      status: response.status,
      code: 'unknown',
      requestId: null,
      details: [],
      retryAfterSeconds: null,
    },
  );
}

function counted(
  stream: ReadableStream<Uint8Array>,
  onBytes: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  let bytes = 0;
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        onBytes(bytes);
        controller.enqueue(chunk);
      },
    }),
  );
}
