import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
  type CommitOperation,
  commitIter,
  createRepo,
  datasetInfo,
  HubApiError,
  type ListFileEntry,
  listFiles,
  pathsInfo,
  whoAmI,
} from '@huggingface/hub';
import { fetch as guardableFetch } from 'undici';
import { createGuardedAgent, type GuardOptions } from '#shared/platform/adapters/egress/guarded-agent.ts';
import { AddressRefused } from '#shared/platform/adapters/egress/target-rules.ts';
import { DATA_FOLDER } from '../decide/card.ts';
import { type FileToPublish, PublicationRefused, type PublishContent } from '../decide/ports.ts';

const CARD = 'README.md';

/** Says which dataset a repository is for. */
const MARKER = 'tunesmith.json';

/** What a repository may have that was made by hand, and is taken over. */
const UNTOUCHED: readonly string[] = ['.gitattributes', CARD];

/** A part of a file is on its way for as long as this. */
const IDLE_MILLISECONDS = 300_000;

interface HashedFile extends FileToPublish {
  readonly bytes: number;
  /** SHA-256 in hexadecimal, which is the id of the object in Git LFS. */
  readonly oid: string;
}

/**
 * Publishes datasets to a hub of Hugging Face, by its own client. Files go to Git LFS, each once: the hub names those that it has,
 * so that an attempt goes on where the one before was killed. One commit then adds all of them, and deletes what is stale.
 */
export function createHuggingFace(options: GuardOptions & { readonly hubUrl: string }): PublishContent {
  const { hubUrl } = options;
  const { agent, requireScheme } = createGuardedAgent({ idleTimeoutMs: IDLE_MILLISECONDS, ...options });
  const fetch = (async (input: string | URL, init?: RequestInit) => {
    requireScheme(new URL(input));
    return guardableFetch(input, { ...(init as object), dispatcher: agent });
  }) as unknown as typeof globalThis.fetch;

  return async ({ token, repository, isPrivate, datasetId, files, card, commitMessage, onProgress }) => {
    try {
      const access = { accessToken: token, hubUrl, fetch };
      const owner = repository.includes('/') ? null : (await whoAmI(access)).name;
      const name = owner === null ? repository : `${owner}/${repository}`;
      const at = { ...access, repo: { type: 'dataset' as const, name } };
      const parentCommit = await ensureRepository(at, isPrivate);

      const hashed = await Promise.all(files.map(hashFile));
      const texts = [
        { path: CARD, text: card },
        { path: MARKER, text: `${JSON.stringify({ dataset_id: datasetId })}\n` },
      ];
      const found = await pathsInfo({ ...at, paths: texts.map(({ path }) => path) });
      const isThere = ({ path, text }: (typeof texts)[number]) =>
        found.some((each) => each.path === path && each.oid === gitIdOf(text));
      if (!texts.some((each) => each.path === MARKER && isThere(each))) {
        await requireOurs(
          at,
          found.some(({ path }) => path === MARKER),
        );
      }
      const there = await filesOf(at);
      const changed = hashed.filter(({ path, oid }) => there.get(path)?.lfs?.oid !== oid);
      const stale = [...there.keys()].filter((path) => !hashed.some((file) => file.path === path));
      const operations: CommitOperation[] = [
        ...(await Promise.all(
          changed.map(async ({ path, localPath }) => ({
            operation: 'addOrUpdate' as const,
            path,
            content: await openAsBlob(localPath),
          })),
        )),
        ...stale.map((path) => ({ operation: 'delete' as const, path })),
        ...texts
          .filter((each) => !isThere(each))
          .map(({ path, text }) => ({ operation: 'addOrUpdate' as const, path, content: new Blob([text]) })),
      ];
      const url = `${hubUrl}/datasets/${name}`;
      if (operations.length === 0) return { repository: name, url, commit: null };

      const steps = commitIter({ ...at, title: commitMessage, operations, parentCommit, useXet: false });
      const progress = trackProgress(changed, onProgress);
      for (;;) {
        const { done, value } = await steps.next();
        if (done === true) return { repository: name, url, commit: value?.commit.oid ?? null };
        if (value.event === 'fileProgress' && value.state === 'uploading') {
          await progress(value.path, value.progress);
        }
      }
    } catch (error) {
      throw refusalOf(error, hubUrl) ?? withoutAddress(error);
    }
  };
}

interface Access {
  readonly accessToken: string;
  readonly hubUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly repo: { readonly type: 'dataset'; readonly name: string };
}

/**
 * Makes the repository, and returns its latest commit: ours fails if somebody is faster. One that is there stays as it is, and takes no
 * private rows if it is public.
 */
async function ensureRepository(access: Access, isPrivate: boolean): Promise<string> {
  try {
    await createRepo({ ...access, visibility: isPrivate ? 'private' : 'public' });
  } catch (error) {
    if (!(error instanceof HubApiError) || error.statusCode !== 409) throw error;
  }
  // Looked at in any case: an owner's settings can make new repositories public.
  const { name } = access.repo;
  const info = await datasetInfo({ ...access, name, additionalFields: ['sha'] });
  if (isPrivate && !info.private) {
    throw new PublicationRefused(
      `The repository ${name} is public. Publish with "private": false, make it private, or name another one.`,
    );
  }
  return info.sha;
}

/** A repository without our marker is taken over if nobody has put anything there; one with that of another dataset is not. */
async function requireOurs(access: Access, isMarked: boolean): Promise<void> {
  for await (const { path } of listFiles(access)) {
    if (!isMarked && UNTOUCHED.includes(path)) continue;
    throw new PublicationRefused(
      isMarked
        ? `The repository ${access.repo.name} is for another dataset. Name another one.`
        : `The repository ${access.repo.name} has files of others. Name a new one, or an empty one.`,
    );
  }
}

/** The files of the data folder, by path. */
async function filesOf(access: Access): Promise<Map<string, ListFileEntry>> {
  const found = new Map<string, ListFileEntry>();
  try {
    for await (const entry of listFiles({ ...access, path: DATA_FOLDER, recursive: true })) {
      if (entry.type === 'file') found.set(entry.path, entry);
    }
  } catch (error) {
    // There is no such folder yet.
    if (!(error instanceof HubApiError) || error.statusCode !== 404) throw error;
  }
  return found;
}

async function hashFile(file: FileToPublish): Promise<HashedFile> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file.localPath)) hash.update(piece);
  return { ...file, oid: hash.digest('hex'), bytes: (await stat(file.localPath)).size };
}

/** The id that Git gives a text. */
function gitIdOf(text: string): string {
  const bytes = Buffer.from(text);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function trackProgress(files: readonly HashedFile[], onProgress: (share: number) => Promise<void>) {
  const shares = new Map<string, number>();
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return (path: string, share: number): Promise<void> => {
    shares.set(path, share);
    const done = files.reduce((sum, file) => sum + file.bytes * (shares.get(file.path) ?? 0), 0);
    return onProgress(total === 0 ? 1 : done / total);
  };
}

/** Its message has the address of the request, which can be a signed one. */
const withoutAddress = (error: unknown): unknown =>
  error instanceof HubApiError ? new Error(`The hub, or its storage, answered ${error.statusCode}.`) : error;

/** What the caller or the operator has to change; null for what may pass. Never repeats what the hub says. */
function refusalOf(error: unknown, hubUrl: string): PublicationRefused | null {
  if (isCausedByRefusal(error)) {
    return new PublicationRefused('The hub is at an address that this installation may not reach.');
  }
  // What its storage refuses, as an address whose time is over, another attempt may do.
  if (!(error instanceof HubApiError) || !isOfHub(error, hubUrl)) return null;
  switch (error.statusCode) {
    case 401:
      return new PublicationRefused(
        'The platform does not accept the token of the connection. Ask your operator to store a new one.',
      );
    case 403:
      return new PublicationRefused(
        'The token of the connection may not write to this repository. Name another one, or use a token that may.',
      );
    case 404:
      return new PublicationRefused('The platform knows no such namespace or repository. Check `repo_name`.');
    case 400:
    case 413:
    case 422:
      return new PublicationRefused(
        `The platform refuses the content (status ${error.statusCode}). Check \`repo_name\` and \`license\`.`,
      );
    default:
      return null;
  }
}

const isOfHub = ({ url }: HubApiError, hubUrl: string): boolean =>
  url.startsWith(`${hubUrl}/`) && /\/api\/|\.git\/info\/lfs\/objects\/batch/.test(url);

function isCausedByRefusal(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AddressRefused) return true;
  }
  return false;
}
