import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { zip } from './zip.ts';

interface KaggleVersion {
  readonly number: number;
  readonly notes: string;
  readonly files: ReadonlyMap<string, Buffer>;
  /** How often its state is asked for until it is processed. */
  left: number;
}

interface KaggleDataset {
  readonly title: string;
  readonly license: string;
  isPrivate: boolean;
  description: string;
  readonly versions: KaggleVersion[];
}

interface Blob {
  readonly name: string;
  readonly bytes: number;
  content: Buffer;
}

/** What happens to the next requests whose method and path contain a text. */
export interface KaggleFault {
  readonly on: string;
  readonly times: number;
  /** Answers with this status; without one the connection breaks. */
  readonly status?: number;
  /** Does what is asked for, and then breaks the connection. */
  readonly afterwards?: true;
  /** Keeps so many bytes of an upload, and then breaks the connection. */
  readonly cutAfter?: number;
  /** Answers with this body. */
  readonly body?: object;
  readonly location?: string;
  /** Answers as always, after this has happened. */
  readonly first?: () => void;
}

/** Datasets of a stand-in for Kaggle. */
export interface KaggleDatasets {
  /**
   * Answers a request if it is one of these: the services that Kaggle's client `kagglesdk` calls, uploads to its storage
   * (https://cloud.google.com/storage/docs/resumable-uploads), and downloads of datasets that are here.
   */
  handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<boolean>;
  readonly datasets: ReadonlyMap<string, KaggleDataset>;
  /** Method and path of each request, in order. */
  readonly asked: readonly string[];
  /** Name and number of bytes of each upload that sent some, in order. */
  readonly uploaded: readonly (readonly [name: string, bytes: number])[];
  fail(...faults: KaggleFault[]): void;
  /** Files of so many bytes are sent as archives of one member, as Kaggle does with large ones. */
  compressFrom(bytes: number): void;
  /** Forgets uploads that are not finished. */
  expireUploads(): void;
  /** Makes a dataset with files, as its owner would. */
  create(name: string, isPrivate: boolean, files?: Readonly<Record<string, string>>): void;
}

export const KAGGLE_OWNER = 'acme';
export const KAGGLE_KEY = 'kaggle_stand_in_key';
export const KAGGLE_TOKEN = 'KGAT_stand_in';

const AUTHORIZATIONS: readonly string[] = [
  `Basic ${Buffer.from(`${KAGGLE_OWNER}:${KAGGLE_KEY}`).toString('base64')}`,
  `Bearer ${KAGGLE_TOKEN}`,
];

/**
 * @param processing how often the state of a version is asked for until it is processed
 * @param storageOrigin of the server that has the bytes, as Kaggle's are on another host; by default this one
 */
export function createKaggleDatasets(processing = 1, storageOrigin?: () => string): KaggleDatasets {
  const datasets = new Map<string, KaggleDataset>();
  const blobs = new Map<string, Blob>();
  const asked: string[] = [];
  const uploaded: [string, number][] = [];
  const faults: (Omit<KaggleFault, 'times'> & { left: number })[] = [];

  let compressedFrom = Number.POSITIVE_INFINITY;

  const currentOf = ({ versions }: KaggleDataset): KaggleVersion | undefined =>
    versions.filter(({ left }) => left === 0).at(-1);

  const addVersion = (
    dataset: KaggleDataset,
    files: KaggleVersion['files'],
    notes: string,
    left: number,
  ): void => {
    dataset.versions.push({ number: dataset.versions.length + 1, notes, files, left });
  };

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    fault: Omit<KaggleFault, 'times'> | undefined,
  ): Promise<boolean> {
    const path = decodeURIComponent(url.pathname);
    const { method = 'GET' } = request;
    const { authorization, host } = request.headers;
    const storage = `${storageOrigin?.() ?? `http://${host}`}/storage`;
    const reply = (status: number, body: object | Buffer, headers: Record<string, string> = {}): true => {
      if (fault?.afterwards === true) request.socket.destroy();
      else {
        const isFile = Buffer.isBuffer(body);
        const type = isFile ? 'application/octet-stream' : 'application/json; charset=utf-8';
        response.writeHead(status, { 'content-type': type, ...headers });
        response.end(isFile ? body : JSON.stringify(body));
      }
      return true;
    };
    const refuse = (code: number, message: string): true => reply(code, { code, message });

    // The storage takes signed addresses, and refuses what has another credential too.
    if (path.startsWith('/storage/')) {
      if (authorization !== undefined) return refuse(400, 'The storage takes no credential.');
      return path.startsWith('/storage/upload/') ? takeBytes() : giveBytes();
    }
    const [, legacy] = /^\/api\/v1\/datasets\/download\/([^/]+\/[^/]+)$/.exec(path) ?? [];
    const [, call] = /^\/api\/v1\/([a-zA-Z]+\.[a-zA-Z]+\/[a-zA-Z]+)$/.exec(path) ?? [];
    // Files that were put for imports are another part's.
    if (legacy === undefined ? call === undefined : !datasets.has(legacy)) return false;
    const body = (method === 'POST' ? JSON.parse((await buffer(request)).toString()) : {}) as Record<
      string,
      unknown
    >;
    // Introspection is open to whoever holds the token.
    if (call === 'security.OAuthService/IntrospectToken') {
      const isKnown = body.token === KAGGLE_TOKEN;
      return reply(200, isKnown ? { active: true, username: KAGGLE_OWNER, scope: '' } : { active: false });
    }
    if (!AUTHORIZATIONS.includes(authorization ?? '')) return refuse(401, 'Unauthenticated');
    if (legacy !== undefined) return redirect(legacy, url.searchParams.get('file_name') ?? '');

    const text = (name: string): string => String(body[name] ?? '');
    const name = `${text('ownerSlug')}/${text('datasetSlug') || text('slug')}`;
    const dataset = datasets.get(name);
    switch (call) {
      case 'blobs.BlobApiService/StartBlobUpload': {
        if (text('type') !== 'DATASET') return refuse(400, 'There are only datasets here.');
        const token = createHash('sha256').update(`${blobs.size}`).digest('hex');
        blobs.set(token, {
          name: text('name'),
          bytes: Number(body.contentLength),
          content: Buffer.alloc(0),
        });
        return reply(200, { token, createUrl: `${storage}/upload/${token}?upload_id=signed` });
      }
      case 'datasets.DatasetApiService/CreateDataset': {
        if (text('ownerSlug') !== KAGGLE_OWNER) return refuse(403, 'Forbidden');
        if (dataset !== undefined) return refuse(409, 'The slug is in use.');
        const title = text('title');
        if ([...datasets.values()].some((each) => each.title === title)) {
          const error = `The requested title "${title}" is already in use by a dataset. Please choose another title.`;
          return reply(200, { status: 'error', error });
        }
        const files = filesOf(body.files);
        if (files === null || title.length < 6 || title.length > 50) return refuse(400, 'Bad Request');
        const made: KaggleDataset = {
          title,
          license: text('licenseName'),
          // What is left out is false.
          isPrivate: body.isPrivate === true,
          description: text('description'),
          versions: [],
        };
        datasets.set(name, made);
        addVersion(made, files, 'Initial release', processing);
        return reply(200, { ref: `/${name}`, url: `http://${host}/datasets/${name}`, status: 'Ok' });
      }
      case 'datasets.DatasetApiService/CreateDatasetVersion': {
        const version = body.body as Record<string, unknown>;
        const files = filesOf(version.files);
        // Until the first version is processed too: https://github.com/Kaggle/kagglehub/pull/182
        if (dataset === undefined || !name.startsWith(`${KAGGLE_OWNER}/`) || currentOf(dataset) === undefined)
          return refuse(403, "Permission 'datasets.update' was denied");
        if (files === null) return refuse(400, 'Bad Request');
        dataset.description = String(version.description ?? dataset.description);
        addVersion(dataset, files, String(version.versionNotes ?? ''), processing);
        return reply(200, { ref: `/${name}`, url: `http://${host}/datasets/${name}`, status: 'Ok' });
      }
    }
    if (dataset === undefined || (dataset.isPrivate && !name.startsWith(`${KAGGLE_OWNER}/`))) {
      return refuse(403, "Permission 'datasets.get' was denied");
    }
    const current = currentOf(dataset);
    const entries = [...(current?.files ?? [])].map(([file, bytes]) => ({
      ref: file,
      name: file,
      creationDate: '2026-01-01T00:00:00.000Z',
      totalBytes: bytes.length,
    }));
    switch (call) {
      case 'datasets.DatasetApiService/GetDatasetStatus': {
        const newest = dataset.versions.at(-1);
        // A value that is the first of its kind is left out.
        if (newest === undefined) return reply(200, {});
        if (newest.left > 0) newest.left -= 1;
        return reply(200, { status: newest.left > 0 ? 'BLOBS_RECEIVED' : 'READY' });
      }
      case 'datasets.DatasetApiService/GetDataset':
        return reply(200, {
          id: 1,
          ref: name,
          title: dataset.title,
          description: dataset.description,
          ownerRef: name.split('/')[0],
          ...(dataset.isPrivate ? { isPrivate: true } : {}),
          licenseName: dataset.license,
          ...(current === undefined ? {} : { currentVersionNumber: current.number }),
          files: entries,
        });
      case 'datasets.DatasetApiService/GetDatasetMetadata':
        return reply(200, {
          info: {
            datasetId: 1,
            datasetSlug: name.split('/')[1],
            ownerUser: name.split('/')[0],
            title: dataset.title,
            description: dataset.description,
            ...(dataset.isPrivate ? { isPrivate: true } : {}),
            licenses: [{ name: dataset.license }],
          },
        });
      case 'datasets.DatasetApiService/ListDatasetFiles':
        return reply(200, { datasetFiles: entries });
      case 'datasets.DatasetApiService/DownloadDataset':
        return redirect(name, text('fileName'));
      default:
        return refuse(404, `no call ${call}`);
    }

    function redirect(of: string, file: string): true {
      const found = datasets.get(of);
      const files = found === undefined ? undefined : currentOf(found)?.files;
      if (files === undefined || (file !== '' && !files.has(file))) return refuse(404, 'File not found');
      const isCompressed = (files.get(file)?.length ?? 0) >= compressedFrom;
      const named = file === '' ? 'archive.zip' : `${encodeURIComponent(file)}${isCompressed ? '.zip' : ''}`;
      const location = `${storage}/${file === '' ? 'all' : 'file'}/${of}/${named}?X-Goog-Signature=signed`;
      return reply(302, Buffer.from('Found.'), { location });
    }

    function giveBytes(): true {
      const [, kind, of = '', file = ''] = /^\/storage\/(file|all)\/([^/]+\/[^/]+)\/(.+)$/.exec(path) ?? [];
      const found = datasets.get(of);
      const files = found === undefined ? undefined : currentOf(found)?.files;
      const whole = file.replace(/\.zip$/, '');
      const member = files?.get(whole);
      const bytes =
        kind === 'all' && files !== undefined
          ? zip([...files].map(([name, body]) => ({ name, body })))
          : whole !== file && member !== undefined
            ? zip([{ name: whole, body: member }])
            : files?.get(file);
      if (bytes === undefined) return refuse(404, 'NoSuchKey');
      return reply(200, bytes, {
        'content-length': String(bytes.length),
        'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
        'accept-ranges': 'bytes',
        etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
      });
    }

    async function takeBytes(): Promise<true> {
      const blob = blobs.get(path.slice('/storage/upload/'.length));
      if (blob === undefined) return refuse(404, 'The upload is over.');
      const range = request.headers['content-range'] ?? `bytes 0-${blob.bytes - 1}/${blob.bytes}`;
      const isWhole = () => blob.content.length === blob.bytes;
      const state = (): true => {
        const there: Record<string, string> =
          blob.content.length === 0 ? {} : { range: `bytes=0-${blob.content.length - 1}` };
        return reply(isWhole() ? 200 : 308, {}, isWhole() ? {} : there);
      };
      if (range === `bytes */${blob.bytes}`) return state();
      const [, from, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(range) ?? [];
      // Bytes that are there already are passed over, and none may be left out.
      let over = blob.content.length - Number(from);
      if (!(over >= 0) || Number(total) !== blob.bytes) return refuse(400, 'There are bytes missing.');
      const { socket } = request;
      let taken = 0;
      for await (const piece of request as AsyncIterable<Buffer>) {
        const kept = piece.subarray(0, (fault?.cutAfter ?? Number.POSITIVE_INFINITY) - taken);
        taken += kept.length;
        blob.content = Buffer.concat([blob.content, kept.subarray(over)]);
        over = Math.max(0, over - kept.length);
        if (taken === fault?.cutAfter) break;
      }
      uploaded.push([blob.name, taken]);
      if (fault?.cutAfter !== undefined) {
        socket.destroy();
        return true;
      }
      return state();
    }
  }

  /** The files of uploads that are finished; null if one of them is not. */
  function filesOf(named: unknown): Map<string, Buffer> | null {
    const files = new Map<string, Buffer>();
    for (const { token } of named as { token: string }[]) {
      const blob = blobs.get(token);
      if (blob === undefined || blob.content.length !== blob.bytes) return null;
      files.set(blob.name, blob.content);
    }
    return files.size === 0 ? null : files;
  }

  return {
    datasets,
    asked,
    uploaded,
    fail: (...added) => {
      faults.push(...added.map(({ times, ...fault }) => ({ ...fault, left: times })));
    },
    compressFrom: (bytes) => {
      compressedFrom = bytes;
    },
    expireUploads: () => {
      for (const [token, { content, bytes }] of blobs) if (content.length < bytes) blobs.delete(token);
    },
    create: (name, isPrivate, files = {}) => {
      const dataset: KaggleDataset = {
        title: name,
        license: 'unknown',
        isPrivate,
        description: '',
        versions: [],
      };
      const bytes = Object.entries(files).map(([path, text]) => [path, Buffer.from(text)] as const);
      addVersion(dataset, new Map(bytes), 'Initial release', 0);
      datasets.set(name, dataset);
    },
    async handle(request, response, url) {
      const line = `${request.method} ${decodeURIComponent(url.pathname)}`;
      asked.push(line);
      const fault = faults.find(({ on, left }) => left > 0 && line.includes(on));
      if (fault === undefined) return answer(request, response, url, undefined);
      fault.left -= 1;
      fault.first?.();
      if (fault.first !== undefined || fault.afterwards === true || fault.cutAfter !== undefined) {
        return answer(request, response, url, fault);
      }
      if (fault.status === undefined && fault.body === undefined) request.socket.destroy();
      else {
        await buffer(request);
        const code = fault.status ?? 200;
        const located = fault.location === undefined ? {} : { location: fault.location };
        response.writeHead(code, { 'content-type': 'application/json', ...located });
        response.end(JSON.stringify(fault.body ?? { code, message: 'a secret of Kaggle' }));
      }
      return true;
    },
  };
}
