import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Schemas, TunesmithClient } from '../client.ts';
import { dataOf, TunesmithError } from '../errors.ts';
import { uploadOf } from '../node/upload-of.ts';
import { type UploadSession, upload } from '../upload.ts';
import type { Context } from './context.ts';
import { CommandFailed, EXIT } from './io.ts';

/** What is remembered of the upload of the same files to the same service with the same key. */
interface Kept {
  readonly session: UploadSession;
  readonly is_complete: boolean;
  /** Runs that ended without a result, by the hash of their request: the next one is another run. */
  readonly failed_runs: Readonly<Record<string, number>>;
}

export interface KeptUpload {
  readonly datasetId: string;
  /** Whether an earlier command had uploaded the files. */
  readonly isResumed: boolean;
  /** A key by which this request starts one run, however often the command is repeated, until that run fails. */
  idempotencyKeyOf(request: object): string;
  rememberFailure(request: object): Promise<void>;
}

export interface KeptUploadOptions {
  readonly name?: string;
  readonly raw?: Schemas['RawColumnMapping'];
  readonly unreadableShareMax?: number;
  readonly redactPersonalData?: boolean;
  /** Uploads again what was uploaded already. */
  readonly isNew?: boolean;
}

export const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');

/**
 * Uploads files once: a repeated command goes on with the upload of the one that was interrupted, and finds the dataset
 * of the one that was not.
 */
export async function uploadOnce(
  { client, baseUrl, apiKey, io, progress }: Context,
  paths: readonly string[],
  { name, raw, unreadableShareMax, redactPersonalData, isNew = false }: KeptUploadOptions,
): Promise<KeptUpload> {
  const { signal, fetch, stateFolder } = io;
  progress.begin(`Reading ${paths.join(', ')}`);
  const files = await Promise.all(paths.map((path) => orNoFile(path, uploadOf(path, signal))));
  const contents = files.map((file) => [file.name, file.sha256]);
  // By the hash of the key: that of another team may not see the dataset.
  const reading = {
    ...(unreadableShareMax === undefined ? {} : { unreadableShareMax }),
    ...(redactPersonalData === undefined ? {} : { redactPersonalData }),
  };
  const asked = [name, raw, contents, ...(Object.keys(reading).length === 0 ? [] : [reading])];
  const path = join(stateFolder, 'uploads', `${hashOf([baseUrl, hashOf(apiKey), ...asked])}.json`);
  const found = isNew ? null : await readKept(path);
  let kept = found !== null && (await isUsable(client, found.session.dataset_id, signal)) ? found : null;
  const isResumed = kept !== null;

  const send = (session: UploadSession | null) => {
    progress.begin('Uploading');
    return upload(client, files, {
      signal,
      fetch,
      ...(name === undefined ? {} : { name }),
      ...(raw === undefined ? {} : { raw }),
      ...reading,
      ...(session === null ? {} : { session }),
      onProgress: ({ sentBytes, totalBytes }) => progress.update(sentBytes, totalBytes),
      onSession: async (changed) => {
        kept = { session: changed, is_complete: false, failed_runs: {} };
        await writeKept(path, kept);
      },
    });
  };
  if (kept === null) await send(null);
  else if (!kept.is_complete) await goOn(client, kept.session, send);
  const complete: Kept = { ...required(kept), is_complete: true };
  await writeKept(path, complete);
  return {
    datasetId: complete.session.dataset_id,
    isResumed,
    idempotencyKeyOf: (request) => {
      const hash = hashOf(request);
      const attempt = complete.failed_runs[hash] ?? 0;
      return `tunesmith-${hashOf([complete.session.dataset_id, hash, attempt]).slice(0, 40)}`;
    },
    rememberFailure: async (request) => {
      const hash = hashOf(request);
      const failures = (complete.failed_runs[hash] ?? 0) + 1;
      await writeKept(path, { ...complete, failed_runs: { ...complete.failed_runs, [hash]: failures } });
    },
  };
}

function required(kept: Kept | null): Kept {
  if (kept === null) throw new Error('The upload ended without a session.');
  return kept;
}

async function goOn(
  client: TunesmithClient,
  session: UploadSession,
  send: (session: UploadSession | null) => Promise<unknown>,
): Promise<void> {
  try {
    await send(session);
  } catch (error) {
    // The address of an upload works for an hour. The storage has no codes, the service has.
    if (!(error instanceof TunesmithError && error.status === 403 && error.code === 'unknown')) throw error;
    const path = { dataset_id: session.dataset_id };
    await dataOf(client.DELETE('/api/v1/datasets/{dataset_id}', { params: { path } }));
    await send(null);
  }
}

/** Whether the dataset is there, and its file is not one that could not be read. */
async function isUsable(client: TunesmithClient, dataset_id: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { status, row_count } = await dataOf(
      client.GET('/api/v1/datasets/{dataset_id}/status', { signal, params: { path: { dataset_id } } }),
    );
    return status !== 'failed' || row_count !== null;
  } catch (error) {
    if (error instanceof TunesmithError && error.status === 404) return false;
    throw error;
  }
}

async function readKept(path: string): Promise<Kept | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : (JSON.parse(text) as Kept);
}

/** Readable by its owner alone: the addresses of an upload need no key. */
async function writeKept(path: string, kept: Kept): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new`, JSON.stringify(kept), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Says in words that there is no file, as of a dataset's id in its place. */
async function orNoFile<T>(path: string, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    throw new CommandFailed(EXIT.failed, 'file_not_found', `There is no file ${path}.`);
  }
}
