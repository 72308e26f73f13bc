import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
  type CommitOperation,
  commitIter,
  createRepo,
  datasetInfo,
  HubApiError,
  listFiles,
  modelInfo,
  type PathInfo,
  pathsInfo,
  whoAmI,
} from '@huggingface/hub';
import { fetch as guardableFetch } from 'undici';
import { createGuardedAgent, type GuardOptions } from '#shared/platform/adapters/egress/guarded-agent.ts';
import { AddressRefused } from '#shared/platform/adapters/egress/target-rules.ts';
import { DATA_FOLDER } from '../decide/card.ts';
import {
  CARD_FILE,
  type ContentKind,
  type FileToPublish,
  MARKER_FILE,
  PublicationRefused,
  type PublishContent,
} from '../decide/ports.ts';

/** What a repository may have that was made by hand, and is taken over. */
const UNTOUCHED: readonly string[] = ['.gitattributes', CARD_FILE];

/** A part of a file is on its way for as long as this. */
const IDLE_MILLISECONDS = 300_000;

/** Where a platform keeps a kind of content, and the folder that has nothing else than it; null for the whole repository. */
const LAYOUTS = {
  dataset: { address: 'datasets/', folder: DATA_FOLDER },
  model: { address: '', folder: null },
} as const satisfies Readonly<Record<ContentKind, unknown>>;

/** A file that the repository is to have. */
interface Wanted {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 in hexadecimal, which is the id of the object in Git LFS. */
  readonly sha256: string;
  /** The id that Git gives it. */
  readonly gitId: string;
  readonly open: () => Promise<Blob>;
}

/**
 * Publishes datasets and models to a hub of Hugging Face, by its own client. Large files go to Git LFS, each once: the hub names
 * those that it has, so that an attempt goes on where the one before was killed. One commit then adds all files, and deletes what is stale.
 */
export function createHuggingFace(options: GuardOptions & { readonly hubUrl: string }): PublishContent {
  const { hubUrl } = options;
  const { agent, requireScheme } = createGuardedAgent({ idleTimeoutMs: IDLE_MILLISECONDS, ...options });
  const fetch = (async (input: string | URL, init?: RequestInit) => {
    requireScheme(new URL(input));
    return guardableFetch(input, { ...(init as object), dispatcher: agent });
  }) as unknown as typeof globalThis.fetch;

  return async ({ token, repository, isPrivate, kind, marker, files, card, commitMessage, onProgress }) => {
    try {
      const access = { accessToken: token, hubUrl, fetch };
      const owner = repository.includes('/') ? null : (await whoAmI(access)).name;
      const name = owner === null ? repository : `${owner}/${repository}`;
      const at = { ...access, repo: { type: kind, name } };
      const parentCommit = await ensureRepository(at, isPrivate);

      const large = await Promise.all(files.map(hashFile));
      const mark = hashText(MARKER_FILE, `${JSON.stringify(marker)}\n`);
      const wanted = [...large, hashText(CARD_FILE, card), mark];
      const there = await filesOf(
        at,
        wanted.map(({ path }) => path),
      );
      if (!isThere(there, mark)) await requireOurs(at, there.has(MARKER_FILE));
      const changed = wanted.filter((file) => !isThere(there, file));
      const stale = [...there.keys()].filter((path) => !wanted.some((file) => file.path === path));
      const operations: CommitOperation[] = [
        ...(await Promise.all(
          changed.map(async ({ path, open }) => ({
            operation: 'addOrUpdate' as const,
            path,
            content: await open(),
          })),
        )),
        ...stale.map((path) => ({ operation: 'delete' as const, path })),
      ];
      const url = `${hubUrl}/${LAYOUTS[kind].address}${name}`;
      if (operations.length === 0) return { repository: name, url, commit: null };

      const steps = commitIter({ ...at, title: commitMessage, operations, parentCommit, useXet: false });
      const progress = trackProgress(
        large.filter((file) => changed.includes(file)),
        onProgress,
      );
      for (;;) {
        const { done, value } = await steps.next();
        if (done === true) return { repository: name, url, commit: value?.commit.oid ?? null };
        // The upload has taken minutes, in which the owner may have made it public.
        if (value.event === 'phase' && value.phase === 'committing') await findRepository(at, isPrivate);
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
  readonly repo: { readonly type: ContentKind; readonly name: string };
}

/**
 * Makes the repository, and returns its latest commit: ours fails if somebody is faster. One that is there stays as it is, and takes no
 * private content if it is public.
 */
async function ensureRepository(access: Access, isPrivate: boolean): Promise<string> {
  // A token of some repositories alone may write to one that is there, and make none.
  const notMade = await createRepo({ ...access, visibility: isPrivate ? 'private' : 'public' }).then(
    () => null,
    (error: unknown) => {
      if (error instanceof HubApiError && [401, 403, 409].includes(error.statusCode)) return error;
      throw error;
    },
  );
  // Looked at in any case: an owner's settings can make new repositories public.
  return findRepository(access, isPrivate).catch((error: unknown) => {
    throw error instanceof HubApiError ? (notMade ?? error) : error;
  });
}

/** @throws {PublicationRefused} if it is public, and the content is private */
async function findRepository(access: Access, isPrivate: boolean): Promise<string> {
  const { type, name } = access.repo;
  const asked = { ...access, name, additionalFields: ['sha' as const] };
  const info = type === 'dataset' ? await datasetInfo(asked) : await modelInfo(asked);
  if (isPrivate && !info.private) {
    throw new PublicationRefused(
      `The repository ${name} is public. Publish with "private": false, make it private, or name another one.`,
    );
  }
  return info.sha;
}

/** A repository without our marker is taken over if nobody has put anything there; one with that of other content is not. */
async function requireOurs(access: Access, isMarked: boolean): Promise<void> {
  const { type, name } = access.repo;
  for await (const { path } of listFiles(access)) {
    if (!isMarked && UNTOUCHED.includes(path)) continue;
    throw new PublicationRefused(
      isMarked
        ? `The repository ${name} is for another ${type}. Name another one.`
        : `The repository ${name} has files of others. Name a new one, or an empty one.`,
    );
  }
}

/** The files at these paths, and those of the folder that has nothing else than the content, by path. */
async function filesOf(access: Access, paths: readonly string[]): Promise<Map<string, FoundFile>> {
  const { folder } = LAYOUTS[access.repo.type];
  const outside = paths.filter((path) => folder === null || !path.startsWith(`${folder}/`));
  const found = await pathsInfo({ ...access, paths: outside });
  const files = new Map<string, FoundFile>(found.map((entry) => [entry.path, entry]));
  if (folder === null) return files;
  try {
    for await (const entry of listFiles({ ...access, path: folder, recursive: true })) {
      if (entry.type === 'file') files.set(entry.path, entry);
    }
  } catch (error) {
    // There is no such folder yet.
    if (!(error instanceof HubApiError) || error.statusCode !== 404) throw error;
  }
  return files;
}

type FoundFile = Pick<PathInfo, 'oid' | 'lfs'>;

function isThere(there: ReadonlyMap<string, FoundFile>, { path, sha256, gitId }: Wanted): boolean {
  const file = there.get(path);
  return file?.lfs === undefined ? file?.oid === gitId : file.lfs.oid === sha256;
}

async function hashFile({ path, localPath }: FileToPublish): Promise<Wanted> {
  const { size: bytes } = await stat(localPath);
  const hashes = hashesOf(bytes);
  for await (const piece of createReadStream(localPath)) hashes.add(piece);
  return { path, bytes, ...hashes.digests(), open: () => openAsBlob(localPath) };
}

function hashText(path: string, text: string): Wanted {
  const content = Buffer.from(text);
  const hashes = hashesOf(content.length);
  hashes.add(content);
  return { path, bytes: content.length, ...hashes.digests(), open: async () => new Blob([content]) };
}

function hashesOf(bytes: number) {
  const sha256 = createHash('sha256');
  const git = createHash('sha1').update(`blob ${bytes}\0`);
  return {
    add(piece: Buffer): void {
      sha256.update(piece);
      git.update(piece);
    },
    digests: () => ({ sha256: sha256.digest('hex'), gitId: git.digest('hex') }),
  };
}

function trackProgress(files: readonly Wanted[], onProgress: (share: number) => Promise<void>) {
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
