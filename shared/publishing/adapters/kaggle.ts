import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { AddressRefused } from '#shared/platform/adapters/egress/target-rules.ts';
import { withoutFrontMatter } from '../decide/card.ts';
import {
  CARD_FILE,
  type ContentToPublish,
  MARKER_FILE,
  PublicationRefused,
  type PublishContent,
} from '../decide/ports.ts';
import type { KeptUpload } from '../decide/record.ts';
import {
  createKaggleApi,
  type DatasetAddress,
  type KaggleApiOptions,
  KaggleError,
  type KaggleSession,
  type UploadSource,
} from './kaggle-api.ts';

const MARKER_BYTES_MAX = 65_536;

/** Longest text of Kaggle that callers are told. */
const TOLD_CHARACTERS_MAX = 300;

const Marker = z.object({
  dataset_id: z.string(),
  /** SHA-256 of what the files hold, as Kaggle tells none. */
  content: z.string(),
  license: z.string().nullable(),
});
type Marker = z.infer<typeof Marker>;

const Optional = z.string().nullish();
const Dataset = z.object({ isPrivate: z.boolean().default(false), currentVersionNumber: z.int().nullish() });
type Dataset = z.infer<typeof Dataset>;
/** A status that is left out is that of a version that is not there yet. */
const Status = z.object({ status: z.string().default('NOT_YET_PERSISTED') });
const Created = z.object({ status: Optional, error: Optional });
const Introspected = z.object({ active: z.boolean().default(false), username: z.string().default('') });

const API = 'datasets.DatasetApiService';

export interface KaggleOptions extends KaggleApiOptions {
  /** Longest wait for Kaggle to process a version. */
  readonly waitMs?: number;
}

/**
 * Publishes datasets to Kaggle: a dataset that is not there is made, and one that is gets a version. Kaggle tells no hash of a file, so the
 * marker of the newest version says whether it has the same content, also one that was made right before an attempt was killed.
 */
export function createKaggle(options: KaggleOptions): PublishContent {
  const { kaggleUrl, waitMs = 300_000, pauseMs = 1000 } = options;
  const open = createKaggleApi(options);
  const waiting = { waitMs, pauseMs };

  return async (content) => {
    const { token, repository, isPrivate } = content;
    const datasetId = datasetOf(content);
    try {
      const kaggle = open(token);
      const at = await addressOf(kaggle, token, repository);
      const name = `${at.ownerSlug}/${at.datasetSlug}`;
      const published = { repository: name, url: `${kaggleUrl}/datasets/${name}` };

      const found = await untilProcessed(kaggle, at, waiting, null);
      if (found !== null) requirePrivacy(name, found, isPrivate);
      const marker = found === null ? null : await readMarker(kaggle, at, name, datasetId);
      if (content.license !== null && marker !== null && marker.license !== content.license) {
        throw new PublicationRefused(
          `The dataset ${name} has ${marker.license === null ? 'no license' : `the license ${marker.license}`}, and a version changes ` +
            'none. Omit `license`, or name a new dataset.',
        );
      }
      const sources = await sourcesOf(content, marker);
      if (marker?.content === sources.hash) return { ...published, commit: null };

      const files = await uploadAll(kaggle, sources.all, content);
      await makeVersion(kaggle, at, content, files, found);
      const made = await untilProcessed(kaggle, at, waiting, found?.currentVersionNumber ?? 0);
      if (made === null) throw new Error('Kaggle does not know the dataset that it has made.');
      requirePrivacy(name, made, isPrivate);
      return { ...published, commit: String(made.currentVersionNumber) };
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  };
}

/** The owner of a credential is in it, or is who Kaggle says. */
async function addressOf(
  kaggle: KaggleSession,
  credential: string,
  repository: string,
): Promise<DatasetAddress> {
  const [slug = '', owner] = repository.split('/').reverse();
  if (owner !== undefined) return { ownerSlug: owner, datasetSlug: slug };
  const [username = ''] = credential.includes(':') ? credential.split(':') : [];
  if (username !== '') return { ownerSlug: username, datasetSlug: slug };
  const who = await kaggle.call('security.OAuthService/IntrospectToken', { token: credential }, Introspected);
  if (!who.active || who.username === '') throw new KaggleError(401);
  return { ownerSlug: who.username, datasetSlug: slug };
}

/**
 * The dataset once Kaggle has processed its newest version; null if there is none.
 * @param after number of the version that is not waited for; null to take the newest that is there
 * @throws {Error} if that takes too long, and another attempt may see its end
 */
async function untilProcessed(
  kaggle: KaggleSession,
  at: DatasetAddress,
  { waitMs, pauseMs }: { readonly waitMs: number; readonly pauseMs: number },
  after: number | null,
): Promise<Dataset | null> {
  const deadline = Date.now() + waitMs;
  // Right after a version was made, the state can still be that of the one before.
  if (after !== null) await sleep(pauseMs);
  for (let pause = pauseMs; ; pause = Math.min(pause * 2, 15_000)) {
    const [status, dataset] = await Promise.all([
      orNull(kaggle.call(`${API}/GetDatasetStatus`, at, Status)),
      orNull(kaggle.call(`${API}/GetDataset`, at, Dataset)),
    ]);
    const state = status?.status.toUpperCase() ?? null;
    if (after === null && dataset === null && (state === null || state === 'DELETED')) return null;
    if (state === 'FAILED' && (after !== null || dataset === null)) {
      throw new PublicationRefused(
        `Kaggle could not process the files. Look at the dataset ${at.ownerSlug}/${at.datasetSlug} there, and publish again; delete ` +
          'it first if it has no version.',
      );
    }
    // A dataset of others does not tell its state.
    const isSettled = state === 'READY' || (after === null && (state === null || state === 'FAILED'));
    if (dataset !== null && isSettled && (after === null || (dataset.currentVersionNumber ?? 0) > after)) {
      return dataset;
    }
    if (Date.now() + pause > deadline) throw new Error('Kaggle is still processing a version.');
    await sleep(pause);
  }
}

/** Kaggle answers 403 for what is not there, and for what is hidden. */
async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof KaggleError && (error.status === 403 || error.status === 404)) return null;
    throw error;
  }
}

function requirePrivacy(name: string, dataset: Dataset, isPrivate: boolean): void {
  if (!isPrivate || dataset.isPrivate) return;
  throw new PublicationRefused(
    `The dataset ${name} is public. Publish with "private": false, make it private at Kaggle, or name another one.`,
  );
}

/** @throws {Error} for a model: only rows are published to Kaggle */
function datasetOf({ marker }: ContentToPublish): string {
  if (!('dataset_id' in marker)) throw new Error('Models are not published to Kaggle.');
  return marker.dataset_id;
}

/** A dataset without our marker, or with that of another dataset, is not touched. */
async function readMarker(
  kaggle: KaggleSession,
  at: DatasetAddress,
  name: string,
  datasetId: string,
): Promise<Marker> {
  const text = await kaggle.download(at, MARKER_FILE, MARKER_BYTES_MAX);
  const marker = parseMarker(text);
  if (marker === null) {
    throw new PublicationRefused(
      `There is a dataset ${name} that was not published from here. Name another one.`,
    );
  }
  if (marker.dataset_id !== datasetId) {
    throw new PublicationRefused(`The dataset ${name} is for another dataset. Name another one.`);
  }
  return marker;
}

function parseMarker(text: string | null): Marker | null {
  try {
    return text === null ? null : Marker.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** What is uploaded: the files, the card, and the marker, which has the hash of the others. */
async function sourcesOf(
  content: ContentToPublish,
  marker: Marker | null,
): Promise<{ hash: string; all: UploadSource[] }> {
  const { files, card, license } = content;
  const contents = [
    ...(await Promise.all(files.map(({ path, localPath }) => fileSource(basename(path), localPath)))),
    textSource(CARD_FILE, withoutFrontMatter(card)),
  ];
  const hash = sha256(JSON.stringify(contents.map((each) => [each.name, each.sha256])));
  const made: Marker = {
    dataset_id: datasetOf(content),
    content: hash,
    license: license ?? marker?.license ?? null,
  };
  return { hash, all: [...contents, textSource(MARKER_FILE, `${JSON.stringify(made)}\n`)] };
}

async function fileSource(name: string, localPath: string): Promise<UploadSource> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of createReadStream(localPath)) {
    hash.update(piece);
    bytes += piece.length;
  }
  return {
    name,
    bytes,
    sha256: hash.digest('hex'),
    open: (start) => createReadStream(localPath, { start }),
  };
}

function textSource(name: string, text: string): UploadSource {
  const bytes = Buffer.from(text);
  const open = async function* (from: number) {
    yield bytes.subarray(from);
  };
  return { name, bytes: bytes.length, sha256: sha256(text), open };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Uploads what earlier attempts have not; returns what a version names each file by. */
async function uploadAll(
  kaggle: KaggleSession,
  sources: readonly UploadSource[],
  { uploads, keepUploads, onProgress }: ContentToPublish,
): Promise<{ token: string }[]> {
  let kept: readonly KeptUpload[] = uploads;
  const total = sources.reduce((sum, { bytes }) => sum + bytes, 0);
  const tokens: { token: string }[] = [];
  let before = 0;
  for (const source of sources) {
    const isOfSource = ({ name, sha256 }: KeptUpload) => name === source.name && sha256 === source.sha256;
    const keep = async (upload: KeptUpload | null): Promise<void> => {
      kept = [...kept.filter((each) => !isOfSource(each)), ...(upload === null ? [] : [upload])];
      await keepUploads(kept);
    };
    const token = await kaggle.upload(source, kept.find(isOfSource) ?? null, keep, (sent) =>
      onProgress((before + sent) / total),
    );
    before += source.bytes;
    tokens.push({ token });
  }
  return tokens;
}

async function makeVersion(
  kaggle: KaggleSession,
  at: DatasetAddress,
  content: ContentToPublish,
  files: readonly { token: string }[],
  found: Dataset | null,
): Promise<void> {
  const { card, commitMessage, isPrivate, license, title, token } = content;
  const description = withoutFrontMatter(card);
  if (found !== null) {
    // Uploads take minutes, and its owner may have made it public since.
    const name = `${at.ownerSlug}/${at.datasetSlug}`;
    requirePrivacy(name, await kaggle.call(`${API}/GetDataset`, at, Dataset), isPrivate);
  }
  const answer =
    found === null
      ? await kaggle.call(
          `${API}/CreateDataset`,
          {
            ownerSlug: at.ownerSlug,
            slug: at.datasetSlug,
            title: title ?? at.datasetSlug,
            licenseName: license ?? 'unknown',
            isPrivate,
            description,
            files,
          },
          Created,
        )
      : await kaggle.call(
          `${API}/CreateDatasetVersion`,
          { ...at, body: { versionNotes: commitMessage, description, files } },
          Created,
        );
  const error = answer.error ?? '';
  if (error !== '' || answer.status?.toLowerCase() === 'error') {
    throw new PublicationRefused(`Kaggle refuses the dataset: ${told(error, token)}`);
  }
}

/** What Kaggle says to its users, as one short line, without the credential. */
function told(text: string, credential: string): string {
  const secrets = [credential, credential.split(':')[1] ?? ''].filter((secret) => secret !== '');
  const line = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
  return (
    line
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, TOLD_CHARACTERS_MAX) || 'it does not say why'
  );
}

/** What the caller or the operator has to change; null for what may pass. */
function refusalOf(error: unknown): PublicationRefused | null {
  if (error instanceof AddressRefused) {
    return new PublicationRefused('Kaggle is at an address that this installation may not reach.');
  }
  // What its storage refuses, as an address whose time is over, another attempt may do.
  if (!(error instanceof KaggleError) || error.isOfStorage) return null;
  switch (error.status) {
    case 401:
      return new PublicationRefused(
        'Kaggle does not accept the credential of the connection. Ask your operator to store a new one.',
      );
    case 403:
      return new PublicationRefused(
        'The credential of the connection may not write to this dataset. Name another one, or use a credential that may.',
      );
    case 404:
      return new PublicationRefused('Kaggle knows no such owner or dataset. Check `repo_name`.');
    case 409:
      return new PublicationRefused(
        'The name or the title is that of another dataset, or of one that was deleted. Change `repo_name` or `title`.',
      );
    case 400:
    case 413:
    case 422:
      return new PublicationRefused(
        `Kaggle refuses the content (status ${error.status}). Check \`repo_name\`, \`title\` and \`license\`.`,
      );
    default:
      return null;
  }
}
