import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

interface RepositoryFile {
  readonly bytes: Buffer;
  /** SHA-256 of a file of Git LFS; null for one that Git holds itself. */
  readonly lfs: string | null;
}

interface Repository {
  readonly isPrivate: boolean;
  files: Map<string, RepositoryFile>;
  readonly commits: { readonly oid: string; readonly title: string }[];
}

/** What happens to the next requests whose method and path contain a text. */
export interface HubRepositoryFault {
  readonly on: string;
  readonly times: number;
  /** Answers with this status; without one the connection breaks. */
  readonly status?: number;
  readonly retryAfter?: string;
  /** Answers as always, after somebody else has committed to the repository. */
  readonly commits?: true;
  /** Answers as always, after the owners of all repositories have made them public. */
  readonly opens?: true;
}

/** Repositories of a stand-in for a hub of Hugging Face. */
export interface HubRepositories {
  /** Answers a request if it is one of these: https://huggingface.co/docs/hub/api, and the Git LFS batch API. */
  handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<boolean>;
  /** Those of datasets by their names; those of models by `models/` and theirs. */
  readonly repositories: ReadonlyMap<string, Repository>;
  /** Method and path of each request, in order. */
  readonly asked: readonly string[];
  /** SHA-256 of each object that was uploaded, in order. */
  readonly uploaded: readonly string[];
  fail(...faults: HubRepositoryFault[]): void;
  /** Makes a repository with files of Git, as its owner would. */
  create(name: string, isPrivate: boolean, files?: Readonly<Record<string, string>>): void;
}

export const HUB_TOKEN = 'hf_stand_in';
export const HUB_OWNER = 'acme';

type Kind = 'dataset' | 'model';

const LFS_BATCH = '.git/info/lfs/objects/batch';

const keyOf = (kind: Kind, name: string): string => (kind === 'dataset' ? name : `models/${name}`);

/** The repository that a path is about, and what follows its name. */
function locate(path: string): { readonly kind: Kind; readonly name: string; readonly rest: string } {
  const [, api, page, name = '', rest = ''] =
    /^\/(?:api\/(datasets|models)\/|(datasets)\/|)([^/]+\/[^/]+?)(\.git\/info\/.*|\/.*)?$/.exec(path) ?? [];
  return { kind: (api ?? page) === 'datasets' ? 'dataset' : 'model', name, rest };
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const gitId = (bytes: Buffer): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

/** @param partBytes size of the parts of a multipart upload; smaller objects are put at once */
export function createHubRepositories(partBytes = 5 * 1024 * 1024): HubRepositories {
  const repositories = new Map<string, Repository>();
  const objects = new Map<string, Buffer>();
  const parts = new Map<string, Map<number, Buffer>>();
  const asked: string[] = [];
  const uploaded: string[] = [];
  const faults: (Omit<HubRepositoryFault, 'times'> & { left: number })[] = [];

  const entryOf = (path: string, { bytes, lfs }: RepositoryFile) => ({
    type: 'file',
    path,
    size: bytes.length,
    oid: lfs === null ? gitId(bytes) : gitId(Buffer.from(lfs)),
    ...(lfs === null ? {} : { lfs: { oid: lfs, size: bytes.length, pointerSize: 130 } }),
  });

  const infoOf = (name: string, repository: Repository) => ({
    _id: createHash('md5').update(name).digest('hex').slice(0, 24),
    id: name,
    author: name.split('/')[0],
    sha: repository.commits.at(-1)?.oid ?? null,
    private: repository.isPrivate,
    gated: false,
    disabled: false,
    downloads: 0,
    likes: 0,
    tags: [],
    lastModified: '2026-01-01T00:00:00.000Z',
    createdAt: '2026-01-01T00:00:00.000Z',
    siblings: [...repository.files.keys()].map((rfilename) => ({ rfilename })),
  });

  function commit(repository: Repository, lines: readonly string[]): string {
    const files = new Map(repository.files);
    let title = '';
    for (const line of lines) {
      const { key, value } = JSON.parse(line) as { key: string; value: Record<string, string> };
      const { path = '', oid = '', content = '', summary = '' } = value;
      if (key === 'header') title = summary;
      else if (key === 'file') files.set(path, { bytes: Buffer.from(content, 'base64'), lfs: null });
      else if (key === 'deletedFile') files.delete(path);
      else if (key === 'lfsFile') {
        const bytes = objects.get(oid);
        if (bytes === undefined) throw new Error(`The object ${oid} was never uploaded.`);
        files.set(path, { bytes, lfs: oid });
      } else throw new Error(`unknown operation ${key}`);
    }
    const oid = createHash('sha1').update(`${title} ${repository.commits.length}`).digest('hex');
    repository.files = files;
    repository.commits.push({ oid, title });
    return oid;
  }

  async function answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<boolean> {
    const path = decodeURIComponent(url.pathname);
    const method = request.method ?? 'GET';
    const send = (status: number, body: unknown, headers: Record<string, string> = {}): true => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(method === 'HEAD' ? undefined : JSON.stringify(body));
      return true;
    };
    const here = `http://${request.headers.host}`;

    // Objects go to a storage by signed addresses, without the token.
    const [, oid = '', part] = /^\/lfs\/([0-9a-f]{64})(?:\/(\d+))?$/.exec(path) ?? [];
    if (oid !== '') {
      const body = await buffer(request);
      if (method === 'PUT' && part === undefined) {
        if (sha256(body) !== oid) return send(400, { error: 'The content has another hash.' });
        objects.set(oid, body);
        uploaded.push(oid);
        return send(200, {});
      }
      if (method === 'PUT') {
        const kept = parts.get(oid) ?? new Map<number, Buffer>();
        parts.set(oid, kept.set(Number(part), body));
        return send(200, {}, { etag: `"${sha256(body).slice(0, 32)}"` });
      }
      const { parts: named } = JSON.parse(body.toString()) as {
        parts: { partNumber: number; etag: string }[];
      };
      const whole = Buffer.concat(
        named.map(({ partNumber }) => parts.get(oid)?.get(partNumber) ?? Buffer.alloc(0)),
      );
      if (sha256(whole) !== oid) return send(400, { error: 'The parts have another hash.' });
      objects.set(oid, whole);
      uploaded.push(oid);
      return send(200, {});
    }

    const { kind, name, rest } = locate(path);
    const repository = repositories.get(keyOf(kind, name));
    // Files that were put for imports are another part's.
    const isKnown =
      path.startsWith('/api/') ||
      rest === LFS_BATCH ||
      (rest.startsWith('/resolve/') && repository !== undefined);
    if (!isKnown) return false;
    if (request.headers.authorization !== `Bearer ${HUB_TOKEN}`) {
      return send(401, { error: 'Invalid credentials in Authorization header' });
    }

    if (path === '/api/whoami-v2') {
      return send(200, {
        type: 'user',
        id: 'u1',
        name: HUB_OWNER,
        fullname: 'Acme',
        orgs: [],
        auth: { type: 'access_token', accessToken: { displayName: 't', role: 'write' } },
      });
    }
    // What a client asks before it commits a card.
    if (path === '/api/validate-yaml') return send(200, { errors: [], warnings: [] });
    if (path === '/api/repos/create') {
      const body = JSON.parse((await buffer(request)).toString()) as Record<string, unknown>;
      const made = `${body.organization ?? HUB_OWNER}/${body.name}`;
      if (!made.startsWith(`${HUB_OWNER}/`)) return send(403, { error: 'You have no rights here.' });
      const of = body.type === 'dataset' ? 'dataset' : 'model';
      const there = { url: `${here}/${of === 'dataset' ? 'datasets/' : ''}${made}`, name: made, id: made };
      if (repositories.has(keyOf(of, made)))
        return send(409, { error: `You already created this ${of} repo`, ...there });
      const isPrivate = body.private === true || body.visibility === 'private';
      repositories.set(keyOf(of, made), {
        isPrivate,
        files: new Map(),
        commits: [{ oid: '0'.repeat(40), title: 'initial' }],
      });
      return send(200, there);
    }

    if (rest === LFS_BATCH) {
      const body = JSON.parse((await buffer(request)).toString()) as {
        objects: { oid: string; size: number }[];
        transfers: string[];
      };
      const answers = body.objects.map(({ oid, size }) => {
        if (objects.has(oid)) return { oid, size };
        if (size <= partBytes) return { oid, size, actions: { upload: { href: `${here}/lfs/${oid}` } } };
        const numbered = Array.from({ length: Math.ceil(size / partBytes) }, (_, n) => [
          String(n + 1).padStart(5, '0'),
          `${here}/lfs/${oid}/${n + 1}`,
        ]);
        const header = { chunk_size: String(partBytes), ...Object.fromEntries(numbered) };
        return { oid, size, actions: { upload: { href: `${here}/lfs/${oid}`, header } } };
      });
      return send(200, { transfer: 'basic', objects: answers });
    }

    if (repository === undefined)
      return send(404, { error: 'Repository not found' }, { 'x-error-code': 'RepoNotFound' });
    const [, operation = '', below = ''] = /^\/([a-z-]+)(?:\/(.*))?$/.exec(rest) ?? [];
    switch (operation) {
      case '':
      case 'revision':
        return send(200, infoOf(name, repository));
      case 'tree': {
        const folder = below.split('/').slice(1).join('/');
        const found = [...repository.files].filter(
          ([file]) => folder === '' || file.startsWith(`${folder}/`),
        );
        if (folder !== '' && found.length === 0) {
          return send(404, { error: 'Path not found' }, { 'x-error-code': 'EntryNotFound' });
        }
        const isRecursive = url.searchParams.get('recursive')?.toLowerCase() === 'true';
        const prefix = folder === '' ? '' : `${folder}/`;
        const direct = found.filter(([file]) => isRecursive || !file.slice(prefix.length).includes('/'));
        const folders = new Set(
          found.flatMap(([file]) => {
            const inner = file.slice(prefix.length).split('/');
            return inner.length > 1 ? [`${prefix}${inner[0]}`] : [];
          }),
        );
        return send(200, [
          ...[...folders].map((each) => ({
            type: 'directory',
            path: each,
            oid: gitId(Buffer.from(each)),
            size: 0,
          })),
          ...direct.map(([file, content]) => entryOf(file, content)),
        ]);
      }
      case 'paths-info': {
        const body = (await buffer(request)).toString();
        const paths = request.headers['content-type']?.includes('json')
          ? (JSON.parse(body) as { paths: string[] }).paths
          : new URLSearchParams(body).getAll('paths');
        return send(
          200,
          paths.flatMap((each): object[] => {
            const file = repository.files.get(each);
            if (file !== undefined) return [entryOf(each, file)];
            const isFolder = [...repository.files.keys()].some((one) => one.startsWith(`${each}/`));
            return isFolder
              ? [{ type: 'directory', path: each, oid: gitId(Buffer.from(each)), size: 0 }]
              : [];
          }),
        );
      }
      case 'preupload': {
        const body = JSON.parse((await buffer(request)).toString()) as {
          files: { path: string; size: number }[];
        };
        return send(200, {
          files: body.files.map((file) => ({
            path: file.path,
            uploadMode:
              /\.(?:parquet|safetensors)$/.test(file.path) || file.size > 10_000_000 ? 'lfs' : 'regular',
            shouldIgnore: false,
          })),
        });
      }
      case 'commit': {
        const lines = (await buffer(request))
          .toString()
          .split('\n')
          .filter((line) => line !== '');
        const { value } = JSON.parse(lines[0] ?? '{}') as { value: { parentCommit?: string } };
        if (value.parentCommit !== undefined && value.parentCommit !== repository.commits.at(-1)?.oid) {
          return send(412, { error: 'A commit has happened since.' });
        }
        const oid = commit(repository, lines);
        return send(200, {
          success: true,
          commitOid: oid,
          commitUrl: `${here}/${kind === 'dataset' ? 'datasets/' : ''}${name}/commit/${oid}`,
          hookOutput: '',
        });
      }
      case 'resolve': {
        const file = repository.files.get(below.split('/').slice(1).join('/'));
        if (file === undefined)
          return send(404, { error: 'Entry not found' }, { 'x-error-code': 'EntryNotFound' });
        const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
        const start = Number(from ?? 0);
        const end =
          to === undefined || to === '' ? file.bytes.length : Math.min(Number(to) + 1, file.bytes.length);
        const sent = file.bytes.subarray(start, end);
        response.writeHead(from === undefined ? 200 : 206, {
          etag: `"${file.lfs ?? gitId(file.bytes)}"`,
          'x-repo-commit': repository.commits.at(-1)?.oid ?? '',
          'content-length': String(sent.length),
          'accept-ranges': 'bytes',
          ...(from === undefined
            ? {}
            : { 'content-range': `bytes ${start}-${end - 1}/${file.bytes.length}` }),
        });
        response.end(method === 'HEAD' ? undefined : sent);
        return true;
      }
      default:
        return send(404, { error: `no operation ${operation}` });
    }
  }

  return {
    repositories,
    asked,
    uploaded,
    fail: (...added) => {
      faults.push(...added.map(({ times, ...fault }) => ({ ...fault, left: times })));
    },
    create: (name, isPrivate, files = {}) => {
      repositories.set(name, {
        isPrivate,
        files: new Map(
          Object.entries(files).map(([path, text]) => [path, { bytes: Buffer.from(text), lfs: null }]),
        ),
        commits: [{ oid: '0'.repeat(40), title: 'initial' }],
      });
    },
    async handle(request, response, url) {
      const line = `${request.method} ${decodeURIComponent(url.pathname)}`;
      asked.push(line);
      const fault = faults.find(({ on, left }) => left > 0 && line.includes(on));
      if (fault === undefined) return answer(request, response, url);
      fault.left -= 1;
      if (fault.opens === true) {
        for (const [key, repository] of repositories)
          repositories.set(key, { ...repository, isPrivate: false });
        return answer(request, response, url);
      }
      if (fault.commits === true) {
        for (const { commits } of repositories.values())
          commits.push({ oid: 'f'.repeat(40), title: 'theirs' });
        return answer(request, response, url);
      }
      if (fault.status === undefined) request.socket.destroy();
      else {
        await buffer(request);
        const later = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter };
        response.writeHead(fault.status, { 'content-type': 'application/json', ...later });
        response.end(JSON.stringify({ error: 'a secret of the hub' }));
      }
      return true;
    },
  };
}
