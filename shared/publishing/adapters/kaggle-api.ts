import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { inflateRawSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import * as z from 'zod';
import { createGuardedAgent, type GuardOptions } from '#shared/platform/adapters/egress/guarded-agent.ts';
import { AddressRefused } from '#shared/platform/adapters/egress/target-rules.ts';
import type { KeptUpload } from '../decide/record.ts';

/** Largest answer of the API that is read, in bytes. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

/** Time of a request that sends no file. */
const CALL_MILLISECONDS = 60_000;

/** A part of a file is on its way for as long as this. */
const IDLE_MILLISECONDS = 300_000;

const UPLOAD_TRIES_MAX = 5;
const REDIRECTS_MAX = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** An answer with an error. Its message has no address and no text of Kaggle. */
export class KaggleError extends Error {
  override readonly name = 'KaggleError';
  readonly status: number;
  /** Whether it is that of the storage, which knows no credential, instead of the API's. */
  readonly isOfStorage: boolean;

  constructor(status: number, isOfStorage = false) {
    super(`${isOfStorage ? 'The storage of Kaggle' : 'Kaggle'} answered ${status}.`);
    this.status = status;
    this.isOfStorage = isOfStorage;
  }
}

/** A file to upload. */
export interface UploadSource {
  readonly name: string;
  readonly bytes: number;
  /** Of its content, in hexadecimal. */
  readonly sha256: string;
  /** Its content from a byte on. */
  readonly open: (from: number) => AsyncIterable<Buffer>;
}

/** Kaggle, as a user. */
export interface KaggleSession {
  /** Calls `Service/Method`. @throws {KaggleError} for an answer with an error */
  call<T>(method: string, body: object, answer: z.ZodType<T>): Promise<T>;
  /** A small file of the newest version; null if there is none, or it is larger than `bytesMax`. */
  download(dataset: DatasetAddress, fileName: string, bytesMax: number): Promise<string | null>;
  /**
   * Uploads a file, after what an earlier upload has sent of it.
   * @param keep called with the upload when it has begun, and again when it is finished; null if it has to begin anew
   * @returns what a version names the file by
   */
  upload(
    source: UploadSource,
    kept: KeptUpload | null,
    keep: (upload: KeptUpload | null) => Promise<void>,
    onBytes: (sent: number) => Promise<void>,
  ): Promise<string>;
}

export interface DatasetAddress {
  readonly ownerSlug: string;
  readonly datasetSlug: string;
}

export interface KaggleApiOptions extends GuardOptions {
  /** Origin of the web site. */
  readonly kaggleUrl: string;
  /** Time before the first repetition of a request, which doubles. */
  readonly pauseMs?: number;
}

/** Where the API is, by the rule of Kaggle's own client: on a host of its own in production, and below `/api` elsewhere. */
const apiOf = (kaggleUrl: string): string =>
  kaggleUrl === 'https://www.kaggle.com' ? 'https://api.kaggle.com/v1' : `${kaggleUrl}/api/v1`;

const StartedUpload = z.object({ token: z.string().min(1).max(10_000), createUrl: z.url().max(10_000) });
const ErrorAnswer = z.object({ code: z.int().min(400) });

/**
 * The protocol of Kaggle, as its own Python client (`kagglesdk`) speaks it. Each connection goes to a public address that was checked, and
 * redirects are followed for downloads alone, without the credential.
 * @returns opens a session with a credential: `username:key`, or a token
 */
export function createKaggleApi(options: KaggleApiOptions): (credential: string) => KaggleSession {
  const { kaggleUrl, pauseMs = 1000 } = options;
  const { send, ask } = createTransport(options);

  async function call<T>(
    authorization: string,
    method: string,
    body: object,
    answer: z.ZodType<T>,
  ): Promise<T> {
    const { statusCode, body: stream } = await ask(authorization, method, body);
    const bytes = await readBody(stream, ANSWER_BYTES_MAX);
    if (statusCode !== 200) throw new KaggleError(statusCode);
    const json = parseJson(bytes);
    const read = answer.safeParse(json);
    if (read.success) {
      const failed = ErrorAnswer.safeParse(json);
      if (failed.success) throw new KaggleError(failed.data.code);
      return read.data;
    }
    throw new Error(`Kaggle answered ${method} with something that is no such answer.`);
  }

  async function download(authorization: string, body: object, bytesMax: number): Promise<string | null> {
    let at = new URL(`${apiOf(kaggleUrl)}/datasets.DatasetApiService/DownloadDataset`);
    let answer = await ask(authorization, 'datasets.DatasetApiService/DownloadDataset', body);
    let isOfStorage = false;
    for (let hop = 0; REDIRECTS.has(answer.statusCode); hop += 1) {
      answer.body.on('error', () => {}).destroy();
      const location = String(answer.headers.location ?? '');
      if (hop === REDIRECTS_MAX || !URL.canParse(location, at.href))
        throw new KaggleError(answer.statusCode, true);
      at = new URL(location, at);
      answer = await send(at, { method: 'GET', signal: AbortSignal.timeout(CALL_MILLISECONDS) });
      isOfStorage = true;
    }
    const file = await readBody(answer.body, bytesMax);
    if (answer.statusCode === 200) return file === null ? null : unzip(file, bytesMax).toString('utf8');
    if (isOfStorage) throw new KaggleError(answer.statusCode, true);
    if (answer.statusCode === 403 || answer.statusCode === 404) return null;
    throw new KaggleError(answer.statusCode);
  }

  const upload = createUploads(send, call, pauseMs);

  return (credential) => {
    const authorization = credential.includes(':')
      ? `Basic ${Buffer.from(credential).toString('base64')}`
      : `Bearer ${credential}`;
    return {
      call: (method, body, answer) => call(authorization, method, body, answer),
      download: (dataset, fileName, bytesMax) => download(authorization, { ...dataset, fileName }, bytesMax),
      upload: (source, kept, keep, onBytes) => upload(authorization, source, kept, keep, onBytes),
    };
  };
}

type Transport = ReturnType<typeof createTransport>;

/** Sends requests: any, and those of the API with a credential. */
function createTransport(options: KaggleApiOptions) {
  const { kaggleUrl } = options;
  const { agent, requireScheme } = createGuardedAgent({ idleTimeoutMs: IDLE_MILLISECONDS, ...options });

  const send = (
    url: URL,
    request: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>,
  ): Promise<Dispatcher.ResponseData> => {
    requireScheme(url);
    const headers = { ...(request.headers as Record<string, string>), 'user-agent': 'tunesmith' };
    return agent.request({ ...request, origin: url.origin, path: url.pathname + url.search, headers });
  };

  const ask = (authorization: string, method: string, body: object): Promise<Dispatcher.ResponseData> =>
    send(new URL(`${apiOf(kaggleUrl)}/${method}`), {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(CALL_MILLISECONDS),
    });

  return { send, ask };
}

type Call = <T>(authorization: string, method: string, body: object, answer: z.ZodType<T>) => Promise<T>;

/** Returns what uploads a file, from where an earlier try was broken off. */
function createUploads(send: Transport['send'], call: Call, pauseMs: number) {
  async function start(authorization: string, { name, bytes, sha256 }: UploadSource): Promise<KeptUpload> {
    const body = {
      type: 'DATASET',
      name,
      contentLength: bytes,
      lastModifiedEpochSeconds: Math.floor(Date.now() / 1000),
    };
    const { token, createUrl } = await call(
      authorization,
      'blobs.BlobApiService/StartBlobUpload',
      body,
      StartedUpload,
    );
    return { name, sha256, token, url: createUrl };
  }

  return async (
    authorization: string,
    source: UploadSource,
    kept: KeptUpload | null,
    keep: (upload: KeptUpload | null) => Promise<void>,
    onBytes: (sent: number) => Promise<void>,
  ): Promise<string> => {
    let begun = kept;
    for (let tries = 1; ; tries += 1) {
      let from: number | 'finished' | 'expired' = 0;
      try {
        if (begun === null) {
          begun = await start(authorization, source);
          await keep(begun);
        } else {
          from = begun.url === null ? 'finished' : await lookAtUpload(send, begun.url, source.bytes);
        }
        if (from === 'expired') begun = null;
        else {
          if (from !== 'finished' && begun.url !== null)
            await putBytes(send, begun.url, source, from, onBytes);
          if (begun.url !== null) await keep({ ...begun, url: null });
          await onBytes(source.bytes);
          return begun.token;
        }
      } catch (error) {
        if (tries >= UPLOAD_TRIES_MAX || !isTemporary(error)) {
          if (error instanceof KaggleError && error.isOfStorage) await keep(null);
          throw error;
        }
        await sleep(pauseMs * 2 ** (tries - 1));
      }
      if (tries >= UPLOAD_TRIES_MAX) throw new Error('Kaggle has forgotten an upload again and again.');
    }
  };
}

/** What has become of an upload: how many bytes are there, or that all are, or that it is over. */
async function lookAtUpload(
  send: Transport['send'],
  url: string,
  bytes: number,
): Promise<number | 'finished' | 'expired'> {
  const answer = await send(new URL(url), {
    method: 'PUT',
    headers: { 'content-range': `bytes */${bytes}`, 'content-length': '0' },
    signal: AbortSignal.timeout(CALL_MILLISECONDS),
  });
  answer.body.on('error', () => {}).destroy();
  switch (answer.statusCode) {
    case 200:
    case 201:
      return 'finished';
    case 308: {
      const range = answer.headers.range;
      if (range === undefined) return 0;
      const last = /^bytes=0-(\d{1,15})$/.exec(String(range))?.[1];
      return last === undefined || Number(last) >= bytes ? 'expired' : Number(last) + 1;
    }
    case 404:
    case 410:
      return 'expired';
    default:
      throw new KaggleError(answer.statusCode, true);
  }
}

async function putBytes(
  send: Transport['send'],
  url: string,
  source: UploadSource,
  from: number,
  onBytes: (sent: number) => Promise<void>,
): Promise<void> {
  const { bytes } = source;
  async function* counted(): AsyncGenerator<Buffer> {
    let sent = from;
    for await (const piece of source.open(from)) {
      yield piece;
      sent += piece.length;
      await onBytes(sent);
    }
  }
  const answer = await send(new URL(url), {
    method: 'PUT',
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(bytes - from),
      ...(from === 0 ? {} : { 'content-range': `bytes ${from}-${bytes - 1}/${bytes}` }),
    },
    body: Readable.from(counted(), { objectMode: false }),
  });
  answer.body.on('error', () => {}).destroy();
  if (answer.statusCode !== 200 && answer.statusCode !== 201) throw new KaggleError(answer.statusCode, true);
}

/** Whether an upload may go on: connections break, and storages are busy. What the API refuses is the caller's to repeat. */
function isTemporary(error: unknown): boolean {
  if (error instanceof AddressRefused) return false;
  if (!(error instanceof KaggleError)) return true;
  return error.isOfStorage && (error.status >= 500 || [308, 408, 429].includes(error.status));
}

/** The body of an answer; null if it is longer than `bytesMax`. */
async function readBody(body: Dispatcher.ResponseData['body'], bytesMax: number): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > bytesMax) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const ZIP_HEADER_BYTES = 30;
const ZIP_SIGNATURE = 0x04034b50;

/** Kaggle sends files that it keeps compressed as the one member of a ZIP archive, under their own names; this is what is in it. */
function unzip(file: Buffer, bytesMax: number): Buffer {
  if (file.length < ZIP_HEADER_BYTES || file.readUInt32LE(0) !== ZIP_SIGNATURE) return file;
  const start = ZIP_HEADER_BYTES + file.readUInt16LE(26) + file.readUInt16LE(28);
  try {
    return inflateRawSync(file.subarray(start), { maxOutputLength: bytesMax });
  } catch {
    return file;
  }
}

function parseJson(bytes: Buffer | null): unknown {
  try {
    return bytes === null ? undefined : JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
