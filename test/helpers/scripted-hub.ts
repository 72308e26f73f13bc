import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createHubRepositories, type HubRepositories } from './hub-repositories.ts';
import { PNG } from './images.ts';
import { createKaggleDatasets, type KaggleDatasets } from './kaggle-datasets.ts';

/** A file of a provider, and how it is answered. */
export interface HubFile {
  readonly body: Buffer | string;
  /** `Authorization` without which the provider gives nothing out. */
  readonly authorization?: string;
  /** What happens to the first requests for its bytes, one after the other. */
  readonly faults?: readonly HubFault[];
  /** Null answers without an `ETag`. */
  readonly etag?: string | null;
  readonly contentType?: string;
  readonly contentEncoding?: string;
  /** Answers the whole file whatever range is asked for. */
  readonly ignoresRanges?: boolean;
}

export type HubFault =
  | { readonly status: number; readonly retryAfter?: string }
  /** Breaks the connection off after so many bytes. */
  | { readonly cutAfter: number };

export interface HubRequest {
  readonly server: 'huggingface' | 'kaggle' | 'google_sheets' | 'store';
  readonly path: string;
  readonly authorization: string | null;
  readonly range: string | null;
}

/**
 * Servers that speak what Hugging Face, Kaggle, Google Sheets and a public object store speak, as far as imports ask
 * them. Like the real ones, the first three answer a redirect to a store on another host.
 */
export interface ScriptedHub {
  readonly huggingFaceUrl: string;
  readonly kaggleUrl: string;
  readonly googleSheetsUrl: string;
  readonly storeUrl: string;
  /** `host:port` of all of them. */
  readonly allowed: readonly string[];
  /**
   * Keeps a file: `hf:owner/name@revision/path`, `kaggle:owner/name/path`, `sheet:id/tab title` or `store:path`.
   * A spreadsheet's tabs are numbered in the order in which they are put.
   */
  put(key: string, file: HubFile): void;
  readonly requests: readonly HubRequest[];
  /** The repositories that the service publishes to. */
  readonly repositories: HubRepositories;
  /** The datasets that the service publishes to Kaggle. */
  readonly kaggleDatasets: KaggleDatasets;
  close(): Promise<void>;
}

const listen = async (
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> => {
  const server = createServer(handle);
  // A connection that it closes while the next file comes over it fails the test that sends the file.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

export async function startScriptedHub(): Promise<ScriptedHub> {
  const repositories = createHubRepositories();
  const kaggleDatasets = createKaggleDatasets(2, () => originOf(store));
  const files = new Map<string, HubFile>();
  const faults = new Map<string, HubFault[]>();
  const requests: HubRequest[] = [];
  const put = (key: string, file: HubFile): void => {
    files.set(key, file);
    faults.set(key, [...(file.faults ?? [])]);
  };

  const answer = (
    response: ServerResponse,
    status: number,
    body = '',
    headers: Record<string, string> = {},
  ) => response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body);
  const redirect = (response: ServerResponse, to: string, status = 302) =>
    answer(response, status, 'Found. Redirecting.', { location: to });
  const toStore = (request: IncomingMessage, response: ServerResponse, key: string): void => {
    const file = files.get(key);
    if (file === undefined) return void answer(response, 404, 'Entry not found');
    if (file.authorization !== undefined && request.headers.authorization !== file.authorization) {
      return void answer(response, 401, 'Access to this dataset is restricted.');
    }
    redirect(response, `${originOf(store)}/blob/${encodeURIComponent(key)}?X-Signature=abc`);
  };

  const serveBytes = (request: IncomingMessage, response: ServerResponse, key: string): void => {
    const file = files.get(key);
    if (file === undefined) return void answer(response, 404, 'NoSuchKey');
    const fault = faults.get(key)?.shift();
    if (fault !== undefined && 'status' in fault) {
      const { status, retryAfter } = fault;
      return void answer(response, status, '', retryAfter === undefined ? {} : { 'retry-after': retryAfter });
    }
    const body = Buffer.from(file.body);
    const etag = file.etag === undefined ? `"${key.length}-${body.length}"` : file.etag;
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const condition = request.headers['if-range'];
    const isRange =
      from > 0 && file.ignoresRanges !== true && (condition === undefined || condition === etag);
    const sent = isRange ? body.subarray(from) : body;
    response.writeHead(isRange ? 206 : 200, {
      'content-type': file.contentType ?? 'application/octet-stream',
      'content-length': String(sent.length),
      ...(etag === null ? {} : { etag }),
      ...(file.contentEncoding === undefined ? {} : { 'content-encoding': file.contentEncoding }),
      ...(isRange ? { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` } : {}),
    });
    if (fault === undefined) return void response.end(sent);
    response.write(sent.subarray(0, fault.cutAfter), () => setTimeout(() => response.destroy(), 20));
  };

  const handlers: Record<
    HubRequest['server'],
    (url: URL, request: IncomingMessage, response: ServerResponse) => void
  > = {
    huggingface: (url, request, response) => {
      const path = decodeURIComponent(url.pathname);
      const moved = /^\/datasets\/moved\/(.*)$/.exec(path);
      if (moved !== null) return void redirect(response, `/datasets/${moved[1]}`, 307);
      const [, repository, revision, file] =
        /^\/datasets\/([^/]+\/[^/]+)\/resolve\/([^/]+|refs\/.+?)\/([^/].*)$/.exec(path) ?? [];
      toStore(request, response, `hf:${repository}@${revision}/${file}`);
    },
    kaggle: (url, request, response) => {
      const [, dataset] = /^\/api\/v1\/datasets\/download\/([^/]+\/[^/]+)$/.exec(url.pathname) ?? [];
      toStore(request, response, `kaggle:${dataset}/${url.searchParams.get('file_name')}`);
    },
    google_sheets: (url, request, response) => {
      const [, id, page] = /^\/spreadsheets\/d\/([^/]+)\/(htmlview|export)$/.exec(url.pathname) ?? [];
      const tabs = [...files.keys()].filter((key) => key.startsWith(`sheet:${id}/`));
      // What Google does for a spreadsheet that is not shared by link.
      if (tabs.length === 0) return void redirect(response, `${originOf(store)}/signin`);
      if (page === 'export') {
        const gid = url.searchParams.get('gid');
        return toStore(request, response, tabs[gid === null ? 0 : Number(gid) / 7] ?? '');
      }
      const menu = tabs.map((key, index) => {
        const title = JSON.stringify(key.slice(`sheet:${id}/`.length))
          .replaceAll('/', '\\/')
          .replaceAll('<', '\\x3c');
        return `items.push({name: ${title}, pageUrl: "https:\\/\\/docs\\/", gid: "${index * 7}",initialSheet: ${index === 0}});`;
      });
      answer(
        response,
        200,
        `<!DOCTYPE html><html><script>${tabs.length > 1 ? menu.join('') : ''}</script><div id="sheets-viewport"></div></html>`,
        { 'content-type': 'text/html; charset=utf-8' },
      );
    },
    store: (url, request, response) => {
      const path = decodeURIComponent(url.pathname.slice(1));
      if (path === 'signin') {
        return void answer(response, 200, '<!doctype html><title>Sign in</title>', {
          'content-type': 'text/html',
        });
      }
      if (path.startsWith('images/')) {
        response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from(PNG, 'base64'));
        return;
      }
      if (path.startsWith('jump/')) return void redirect(response, path.slice(5));
      serveBytes(request, response, path.startsWith('blob/') ? path.slice(5) : `store:${path}`);
    },
  };
  const start = (server: HubRequest['server']): Promise<Server> =>
    listen(async (request, response) => {
      const url = new URL(request.url ?? '/', 'http://hub');
      if (server === 'huggingface' && (await repositories.handle(request, response, url))) return;
      const isOfKaggle = server === 'kaggle' || (server === 'store' && url.pathname.startsWith('/storage/'));
      if (isOfKaggle && (await kaggleDatasets.handle(request, response, url))) return;
      // Tests in other processes keep files by this.
      if (request.method === 'POST' && url.pathname === '/_scripted/put') {
        const { key, file } = JSON.parse(await text(request)) as {
          key: string;
          file: HubFile & { body: string };
        };
        put(key, { ...file, body: Buffer.from(file.body, 'base64') });
        return void answer(response, 200);
      }
      const { authorization = null, range = null } = request.headers;
      requests.push({ server, path: url.pathname + url.search, authorization, range });
      handlers[server](url, request, response);
    });

  const store = await start('store');
  const huggingFace = await start('huggingface');
  const kaggle = await start('kaggle');
  const sheets = await start('google_sheets');
  const servers = [store, huggingFace, kaggle, sheets];
  return {
    huggingFaceUrl: originOf(huggingFace),
    kaggleUrl: originOf(kaggle),
    googleSheetsUrl: originOf(sheets),
    storeUrl: originOf(store),
    allowed: servers.map((server) => new URL(originOf(server)).host),
    put,
    requests,
    repositories,
    kaggleDatasets,
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

/** Keeps a file at a hub of another process. */
export async function putAtHub(storeUrl: string, key: string, file: HubFile): Promise<void> {
  const body = Buffer.from(file.body).toString('base64');
  await fetch(`${storeUrl}/_scripted/put`, {
    method: 'POST',
    body: JSON.stringify({ key, file: { ...file, body } }),
  });
}
