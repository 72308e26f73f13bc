import type { Schemas, TunesmithClient } from './client.ts';
import { dataOf, errorOfNetwork, TunesmithError } from './errors.ts';
import { type RetryOptions, withRetries } from './retry.ts';

/** Tables; rows as trainers read them; the files that tell LLaMA-Factory and Axolotl how to read those. */
export const DOWNLOAD_FORMATS = [
  'csv',
  'json',
  'jsonl',
  'parquet',
  'openai',
  'sharegpt',
  'alpaca',
  'trl',
  'dataset_info',
  'axolotl',
] as const;
export type DownloadFormat = (typeof DOWNLOAD_FORMATS)[number];

/** The rows of a dataset, or the model of a training. */
export type DownloadSource =
  | {
      readonly dataset_id: string;
      /** Default: `csv`. Parquet comes as a `.tar.gz` of its files. */
      readonly format?: DownloadFormat;
      /** Version of the dataset. Default: the current one. */
      readonly version?: number;
      /** Run whose rows are wanted, instead of a version. */
      readonly run_id?: string;
    }
  | { readonly experiment_id: string };

export interface DownloadOptions extends RetryOptions {
  /** A download that was interrupted: how many bytes of it are there, and the `etag` that it had. */
  readonly from?: { readonly bytes: number; readonly etag: string };
  readonly onProgress?: (progress: {
    readonly receivedBytes: number;
    /** Null if the storage does not say. */
    readonly totalBytes: number | null;
  }) => void;
  /** Fetches the file; by default the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface Download {
  readonly fileName: string;
  /** Names this content of the file: what `from` takes. */
  readonly etag: string | null;
  /** Place of the body's first byte in the file: that of `from`, or 0 if the file is another one by now. */
  readonly firstByte: number;
  /** Bytes of the whole file; null if the storage does not say. */
  readonly totalBytes: number | null;
  /** The bytes. A connection that is lost is taken up again where it broke off. */
  readonly body: ReadableStream<Uint8Array>;
}

/** The file is another one than when its download began. Download it from its beginning. */
export class DownloadChangedError extends Error {
  override readonly name = 'DownloadChangedError';
}

/** How often an export is asked for that the service is still building; it says when to come back. */
const BUILDING_RETRIES = 120;

interface Opened {
  readonly fileName: string;
  readonly etag: string | null;
  readonly firstByte: number;
  readonly totalBytes: number | null;
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
}

/**
 * Downloads rows or a model as a stream. Waits for a file that the service is still building.
 * @throws {TunesmithError} if the service or the storage refuses, or does not answer
 * The body ends with a `TunesmithError`, or a `DownloadChangedError`, if the file cannot be read to its end.
 */
export async function download(
  client: TunesmithClient,
  source: DownloadSource,
  options: DownloadOptions = {},
): Promise<Download> {
  let opened = await open(client, source, options, options.from ?? null);
  const { fileName, etag, firstByte, totalBytes } = opened;
  let received = firstByte;
  const next = async () => {
    const result = await opened.reader.read();
    if (result.done && totalBytes !== null && received < totalBytes) throw new Error('The file ended early.');
    return result;
  };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) =>
        withRetries(async () => {
          const { done, value } = await next().catch(async (cause: unknown) => {
            options.signal?.throwIfAborted();
            opened = await goOn(client, source, options, { bytes: received, etag }, cause);
            return next().catch((again: unknown) => {
              throw errorOfNetwork(again);
            });
          });
          if (done) {
            controller.close();
            return;
          }
          received += value.byteLength;
          options.onProgress?.({ receivedBytes: received, totalBytes });
          controller.enqueue(value);
        }, options),
      cancel: (reason) => opened.reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { fileName, etag, firstByte, totalBytes, body };
}

/** Opens the file anew at the place where a connection was lost. */
async function goOn(
  client: TunesmithClient,
  source: DownloadSource,
  options: DownloadOptions,
  { bytes, etag }: { readonly bytes: number; readonly etag: string | null },
  cause: unknown,
): Promise<Opened> {
  // Without a name of the content nobody can tell whether the rest belongs to the beginning.
  if (etag === null) throw errorOfNetwork(cause);
  const opened = await open(client, source, options, { bytes, etag });
  if (opened.firstByte === bytes) return opened;
  await opened.reader.cancel();
  throw new DownloadChangedError('The file changed while it was downloaded. Download it again.');
}

function open(
  client: TunesmithClient,
  source: DownloadSource,
  options: DownloadOptions,
  from: DownloadOptions['from'] | null,
): Promise<Opened> {
  const { signal, retries } = options;
  return withRetries(async () => {
    // A link works for fifteen minutes only, so each attempt has its own.
    const { url, file_name } = await withRetries(() => linkOf(client, source, signal), {
      retries: Math.max(BUILDING_RETRIES, retries ?? 0),
      ...(signal === undefined ? {} : { signal }),
    });
    const response = await fetchFrom(url, from, options);
    const etag = response.headers.get('etag');
    if (response.status === 206 && etag !== from?.etag) {
      // The storage does not know If-Range: this is a part of another file.
      await response.body?.cancel();
      return openedOf(file_name, await fetchFrom(url, null, options), 0);
    }
    return openedOf(file_name, response, response.status === 206 ? (from?.bytes ?? 0) : 0);
  }, options);
}

async function fetchFrom(
  url: string,
  from: DownloadOptions['from'] | null,
  { signal, fetch = globalThis.fetch }: DownloadOptions,
): Promise<Response> {
  const response = await fetch(url, {
    ...(signal === undefined ? {} : { signal }),
    ...(from == null || from.bytes === 0
      ? {}
      : { headers: { range: `bytes=${from.bytes}-`, 'if-range': from.etag } }),
  }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw errorOfNetwork(cause);
  });
  if (response.ok) return response;
  await response.body?.cancel();
  throw new TunesmithError(
    `The storage does not give the file out (status ${response.status}). Download it again.`,
    { status: response.status, code: 'unknown', requestId: null, details: [], retryAfterSeconds: null },
  );
}

function openedOf(fileName: string, response: Response, firstByte: number): Opened {
  const { body, headers } = response;
  if (body === null) throw errorOfNetwork(new Error('The storage answered without a body.'));
  const length = headers.get('content-length');
  return {
    fileName,
    etag: headers.get('etag'),
    firstByte,
    totalBytes: length === null ? null : firstByte + Number(length),
    reader: body.getReader() as ReadableStreamDefaultReader<Uint8Array>,
  };
}

function linkOf(
  client: TunesmithClient,
  source: DownloadSource,
  signal: AbortSignal | undefined,
): Promise<Schemas['DownloadLink']> {
  const shared = signal === undefined ? {} : { signal };
  if ('experiment_id' in source)
    return dataOf(
      client.GET('/api/v1/autoscientist/{experiment_id}/download-link', {
        ...shared,
        params: { path: { experiment_id: source.experiment_id } },
      }),
    );
  const { dataset_id, format = 'csv', version, run_id } = source;
  return dataOf(
    client.GET('/api/v1/datasets/{dataset_id}/download-link', {
      ...shared,
      params: {
        path: { dataset_id },
        query: {
          fileFormat: format,
          ...(version === undefined ? {} : { version }),
          ...(run_id === undefined ? {} : { run_id }),
        },
      },
    }),
  );
}
