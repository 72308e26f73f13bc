import { type FetchedUrl, type FetchUrl, SourceInterrupted } from '#shared/platform/egress/fetch-url.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { formatBytes, quoteName } from '#shared/tabular/decide/file-error.ts';
import { describeSignature } from '#shared/tabular/decide/file-signature.ts';
import {
  huggingFaceFileUrl,
  type ImportSettings,
  kaggleFileUrl,
  providerNames,
  tabCsvUrl,
  tabsPageUrl,
} from './decide/imports/providers.ts';
import { readTabs } from './decide/imports/tabs-page.ts';
import type { DownloadBatch, DownloadProgress, ImportOrigin } from './schema/import.ts';

export interface DownloadFilesPorts {
  readonly objects: Pick<ObjectStore, 'write' | 'beginParts' | 'writePart' | 'finishParts' | 'abandonParts'>;
  readonly fetchUrl: FetchUrl;
  /** The team's credential for a provider; null if there is none. */
  readonly findConnection: (teamId: string, provider: 'huggingface' | 'kaggle') => Promise<string | null>;
  readonly settings: ImportSettings;
  /** Maximum bytes of all files of an import together. */
  readonly importBytesMax: number;
  /** Bytes of a part that is stored. The minimum of S3 is 5 MiB. */
  readonly partBytes: number;
  readonly now: () => number;
}

export interface DownloadFilesInput {
  readonly run_id: string;
  readonly team_id: string;
  readonly batch: DownloadBatch;
  /** Null at the start. */
  readonly progress: DownloadProgress | null;
  /** Milliseconds since the epoch at which the invocation ends. */
  readonly deadline: number;
}

interface DownloadFilesResult {
  readonly status: 'finished' | 'unfinished';
  readonly progress: DownloadProgress;
  /** Seconds until the next invocation. */
  readonly wait_seconds: number;
}

interface Target {
  readonly name: string;
  readonly url: string;
}

const NO_PROGRESS: DownloadProgress = { files: 0, bytes: 0, failures: 0, part: null };

/** Maximum consecutive attempts without progress. */
const FAILURES_MAX = 6;
/** Time reserved at the end of an invocation to store the current part. */
const MARGIN_MS = 30_000;
const WAIT_SECONDS_MAX = 900;
const TABS_MAX = 200;
const TABS_PAGE_BYTES_MAX = 32 * 1024 * 1024;
const OCTETS = 'application/octet-stream';

/** The server asks to retry later. */
class ComeBackLater extends SourceInterrupted {
  readonly seconds: number | null;

  constructor(message: string, seconds: number | null) {
    super(message);
    this.seconds = seconds;
  }
}

/**
 * Downloads files of an import to the run's quarantine prefix, as far as one invocation gets. The result is the
 * input of the next invocation: after an interruption, a file resumes at its last stored part if it has not
 * changed.
 * @throws {ServiceError} `source_refused`, `source_denied`, `source_missing`, `source_unusable`,
 * `source_unavailable` after too many failures, `file_too_large`
 */
export async function downloadFiles(
  ports: DownloadFilesPorts,
  input: DownloadFilesInput,
): Promise<DownloadFilesResult> {
  const { batch, run_id: runId } = input;
  const before = input.progress ?? NO_PROGRESS;
  let progress = before;
  const unfinished = (waitSeconds: number | null, cause?: SourceInterrupted): DownloadFilesResult => {
    const isFurther =
      progress.files > before.files || (progress.part?.etags.length ?? 0) > (before.part?.etags.length ?? 0);
    const failures = isFurther ? 0 : before.failures + 1;
    if (failures > FAILURES_MAX) {
      throw new ServiceError(
        'source_unavailable',
        `${providerNames[batch.origin.provider]} could not be read after ${failures} attempts: ${cause?.message ?? 'it is too slow.'} Import it again later.`,
        cause === undefined ? {} : { cause },
      );
    }
    const wait = waitSeconds ?? Math.min(60, 2 ** failures);
    return {
      status: 'unfinished',
      progress: { ...progress, failures },
      wait_seconds: Math.min(WAIT_SECONDS_MAX, Math.ceil(wait)),
    };
  };

  try {
    const authorization = await authorizationOf(ports, input.team_id, batch.origin);
    const targets = await targetsOf(ports, input);
    while (progress.files - batch.first < targets.length) {
      if (ports.now() > input.deadline - MARGIN_MS) return unfinished(0);
      const target = targets[progress.files - batch.first] as Target;
      const taken = await takeFile(ports, {
        key: objectKeys.imported(runId, progress.files),
        target,
        origin: batch.origin,
        authorization,
        part: progress.part,
        bytesMax: ports.importBytesMax - progress.bytes,
        isTimeUp: () => ports.now() > input.deadline - MARGIN_MS,
        onPart: (part) => {
          progress = { ...progress, part };
        },
      });
      if (taken === null) return unfinished(0);
      progress = { files: progress.files + 1, bytes: progress.bytes + taken, failures: 0, part: null };
    }
    return { status: 'finished', progress: { ...progress, failures: 0 }, wait_seconds: 0 };
  } catch (error) {
    if (!(error instanceof SourceInterrupted)) throw error;
    return unfinished(error instanceof ComeBackLater ? error.seconds : null, error);
  }
}

/** `Authorization` for a provider: a token, or a user name with a key, as stored by the team. */
async function authorizationOf(
  ports: DownloadFilesPorts,
  teamId: string,
  { provider }: ImportOrigin,
): Promise<string | null> {
  if (provider !== 'huggingface' && provider !== 'kaggle') return null;
  const connection = await ports.findConnection(teamId, provider);
  if (connection === null) return null;
  return connection.includes(':')
    ? `Basic ${Buffer.from(connection).toString('base64')}`
    : `Bearer ${connection}`;
}

async function targetsOf(
  ports: DownloadFilesPorts,
  { batch, run_id: runId }: DownloadFilesInput,
): Promise<Target[]> {
  const { origin, files } = batch;
  switch (origin.provider) {
    case 'huggingface':
      return files.map((name) => ({ name, url: huggingFaceFileUrl(ports.settings, origin, name) }));
    case 'kaggle':
      return files.map((name) => ({ name, url: kaggleFileUrl(ports.settings, origin, name) }));
    case 'object':
      return [{ name: new URL(origin.url).pathname.split('/').at(-1) ?? '', url: origin.url }];
    case 'google_sheets': {
      const tabs = await chooseTabs(ports, origin);
      const names = JSON.stringify(tabs.map(({ name }) => name));
      await ports.objects.write(objectKeys.importedNames(runId), names, 'application/json');
      return tabs.map(({ name, gid }) => ({
        name,
        url: tabCsvUrl(ports.settings, origin.spreadsheet_id, gid),
      }));
    }
  }
}

async function chooseTabs(
  { fetchUrl, settings }: DownloadFilesPorts,
  origin: Extract<ImportOrigin, { provider: 'google_sheets' }>,
): Promise<{ name: string; gid: string | null }[]> {
  const what = { name: 'the spreadsheet', origin };
  const answer = await fetchUrl(tabsPageUrl(settings, origin.spreadsheet_id));
  const page: Buffer[] = [];
  try {
    requireAnswer(answer, what);
    let bytes = 0;
    for await (const piece of answer.body) {
      bytes += piece.length;
      if (bytes > TABS_PAGE_BYTES_MAX) throw unusable(what, 'its page is too large to be read');
      page.push(piece);
    }
  } finally {
    answer.close();
  }
  const tabs = readTabs(Buffer.concat(page).toString());
  if (tabs === null) {
    throw unusable(what, 'Google did not return a spreadsheet. Share it by link, then import it again');
  }
  const { sheet_names: wanted } = origin;
  const [only] = tabs;
  // Google does not tell the title of the only tab: whatever it is called by is that tab.
  const [called, ...others] = new Set(wanted);
  if (only?.gid === null && called !== undefined && others.length === 0) return [{ ...only, name: called }];
  const missing = wanted.filter((name) => !tabs.some((tab) => tab.name === name));
  if (missing.length > 0) {
    throw new ServiceError(
      'source_missing',
      `The spreadsheet has no tab ${missing.map(quoteName).join(', ')}; it has ${listed(tabs.map(({ name }) => name))}.`,
    );
  }
  const chosen = wanted.length === 0 ? tabs : tabs.filter(({ name }) => wanted.includes(name));
  if (chosen.length > TABS_MAX)
    throw unusable(what, `it has more than ${TABS_MAX} tabs; name those to import`);
  return chosen;
}

const listed = (names: readonly string[]): string =>
  names.slice(0, 20).map(quoteName).join(', ') + (names.length > 20 ? ` and ${names.length - 20} more` : '');

interface FileToTake {
  readonly key: string;
  readonly target: Target;
  readonly origin: ImportOrigin;
  readonly authorization: string | null;
  readonly part: DownloadProgress['part'];
  readonly bytesMax: number;
  readonly isTimeUp: () => boolean;
  readonly onPart: (part: DownloadProgress['part']) => void;
}

/** Stores one file; returns its size, or null if the time is up before its end. */
async function takeFile(ports: DownloadFilesPorts, file: FileToTake): Promise<number | null> {
  const { objects, partBytes } = ports;
  const { key, target, authorization, onPart } = file;
  const what = { name: target.name, origin: file.origin };
  let part = file.part;
  const from = (part?.etags.length ?? 0) * partBytes;
  const answer = await ports.fetchUrl(target.url, {
    authorization,
    headers: part === null ? {} : { range: `bytes=${from}-`, 'if-range': part.validator },
  });
  try {
    if (part !== null && !continues(answer, from, part.validator)) {
      // The file has changed, or its server ignores ranges.
      await objects.abandonParts(key, part.upload_id);
      part = null;
      onPart(null);
      if (answer.status !== 200) throw new SourceInterrupted(`${target.name} has changed.`);
    }
    requireData(answer, what);
    const start = part === null ? 0 : from;
    const tooLarge = (): ServiceError =>
      new ServiceError(
        'file_too_large',
        `${quoteName(target.name)}: the import is larger than ${formatBytes(ports.importBytesMax)}, the limit. Import fewer files.`,
      );
    const announced = Number(answer.headers['content-length'] ?? Number.NaN);
    if (start + announced > file.bytesMax) throw tooLarge();

    const validator = validatorOf(answer);
    const pieces: Buffer[] = [];
    let held = 0;
    let bytes = start;
    const store = async (body: Buffer): Promise<void> => {
      const uploadId = part?.upload_id ?? (await objects.beginParts(key, OCTETS));
      const etags: readonly string[] = part?.etags ?? [];
      const etag = await objects.writePart(key, uploadId, etags.length + 1, body);
      part = { upload_id: uploadId, etags: [...etags, etag], validator: validator ?? part?.validator ?? '' };
      // Without a validator the rest cannot be matched to this version.
      onPart(validator === null ? null : part);
    };
    for await (const piece of answer.body) {
      if (bytes === 0 && describeSignature(piece) === 'an HTML page') throw webPage(what);
      bytes += piece.length;
      if (bytes > file.bytesMax) throw tooLarge();
      pieces.push(piece);
      held += piece.length;
      while (held >= partBytes) {
        const whole = Buffer.concat(pieces.splice(0));
        await store(whole.subarray(0, partBytes));
        pieces.push(whole.subarray(partBytes));
        held -= partBytes;
      }
      if (file.isTimeUp()) return null;
    }
    if (!Number.isNaN(announced) && bytes - start !== announced) {
      throw new SourceInterrupted(`${target.name} ended after ${bytes - start} of ${announced} bytes.`);
    }
    const last = Buffer.concat(pieces);
    if (part === null) {
      await objects.write(key, last, OCTETS);
      return bytes;
    }
    if (last.length > 0) await store(last);
    await objects.finishParts(key, part.upload_id, part.etags);
    return bytes;
  } catch (error) {
    if ((error as { name?: string }).name !== 'NoSuchUpload') throw error;
    // The upload was completed or has expired: a response of this function was lost. Download the file again.
    onPart(null);
    throw new SourceInterrupted(`${target.name} is taken anew.`, { cause: error });
  } finally {
    answer.close();
  }
}

/**
 * Whether a response continues at a byte of the same version of a file. True for an error response, which says nothing
 * about the file's version.
 */
function continues(answer: FetchedUrl, from: number, validator: string): boolean {
  const { status, headers } = answer;
  if (status !== 200 && status !== 206 && status !== 416) return true;
  return (
    status === 206 &&
    (headers['content-range'] ?? '').startsWith(`bytes ${from}-`) &&
    validatorOf(answer) === validator
  );
}

/** The validator of this version of a file; a weak `ETag` is none. */
function validatorOf({ headers }: FetchedUrl): string | null {
  const { etag } = headers;
  if (etag !== undefined && !etag.startsWith('W/')) return etag;
  return headers['last-modified'] ?? null;
}

interface RequestedFile {
  readonly name: string;
  readonly origin: ImportOrigin;
}

const who = ({ name, origin }: RequestedFile): string =>
  `${providerNames[origin.provider]}, asked for ${quoteName(name)},`;

const unusable = ({ name }: RequestedFile, problem: string): ServiceError =>
  new ServiceError('source_unusable', `${quoteName(name)}: ${problem}.`);

const webPage = (asked: RequestedFile): ServiceError =>
  new ServiceError(
    'source_unusable',
    `${who(asked)} returned a web page instead of data. ${
      asked.origin.provider === 'google_sheets'
        ? 'Share the spreadsheet by link.'
        : 'Check that the file is public, or that your team has access to it.'
    }`,
  );

const HOW_TO_BE_LET_IN: Record<ImportOrigin['provider'], string> = {
  huggingface:
    'If the dataset is gated or private, accept its terms and ask your operator to store your team’s token. Otherwise check its name.',
  kaggle: 'If the dataset is private, ask your operator to store your team’s key. Otherwise check its name.',
  google_sheets: 'Share the spreadsheet by link.',
  object: 'Make the object public, or download it and upload the file.',
};

/** @throws {ServiceError} for a response without data, `SourceInterrupted` for one that may succeed later */
function requireData(answer: FetchedUrl, asked: RequestedFile): void {
  requireAnswer(answer, asked);
  const { 'content-type': type = '', 'content-encoding': encoding = '' } = answer.headers;
  if (/^text\/html\b/i.test(type)) throw webPage(asked);
  if (encoding !== '' && encoding !== 'identity') {
    throw unusable(asked, `it is stored compressed (${encoding.slice(0, 20)}); store it as it is`);
  }
}

/** @throws {ServiceError} or `SourceInterrupted` for any status except success */
function requireAnswer({ status, retryAfterSeconds }: FetchedUrl, asked: RequestedFile): void {
  if (status === 200 || status === 206) return;
  if (status === 401 || status === 403) {
    throw new ServiceError(
      'source_denied',
      `${who(asked)} answers ${status}. ${HOW_TO_BE_LET_IN[asked.origin.provider]}`,
    );
  }
  if (status === 404 || status === 410) {
    throw new ServiceError(
      'source_missing',
      `${who(asked)} answered ${status}: not found. Check the url, its revision and the files.`,
    );
  }
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    throw new ComeBackLater(`it answers ${status}.`, retryAfterSeconds);
  }
  throw unusable(asked, `${providerNames[asked.origin.provider]} answers ${status}`);
}
