import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { LOOPBACK_HOST } from './loopback-host.ts';
import { type Invoke, readText } from './streaming-runtime.ts';

/**
 * What stands before the emulator's API, since the emulator differs from API Gateway in two ways: it hands a streamed
 * answer over when it has ended, and it serves the API and the bucket on one origin. This front has an origin of its
 * own, the bucket keeps the emulator's, and `POST /api/v1/responses`, `POST /api/v1/chat/completions`, `POST /mcp` and streams of `GET /api/v1/events` are answered by
 * the deployed functions themselves, under a runtime that streams.
 */
export interface FrontOptions {
  /** Port to listen on; 0 takes a free one. */
  readonly port: number;
  /** Base URL of the emulator's API, with its stage. */
  readonly apiUrl: string;
  /** Path before all routes, as on API Gateway: `/local`. */
  readonly stagePath: string;
  /** The functions that answer: responses, and chat completions. */
  readonly respond: Invoke;
  readonly chat: Invoke;
  /** The function that speaks the Model Context Protocol. */
  readonly mcp: Invoke;
  /** The function that tells events. */
  readonly follow: Invoke;
  /** The authorizer's context for an `Authorization` header; null if it is refused. */
  readonly authorize: (header: string) => Promise<object | null>;
}

export interface Front {
  /** Base URL of the API, with its stage. */
  readonly url: string;
  close(): Promise<void>;
}

/** Headers of one connection, which a proxy never passes on. */
const OF_A_CONNECTION = new Set(['connection', 'host', 'keep-alive', 'transfer-encoding', 'upgrade']);

const RESPONSES = '/api/v1/responses';
const CHAT = '/api/v1/chat/completions';
const EVENTS = '/api/v1/events';
const MCP = '/mcp';

/** Seconds for which an answer of the authorizer is kept, as API Gateway keeps it. */
const AUTHORIZED_SECONDS = 60;

/** Files of several builds of the console. */
const KEPT_FILES_MAX = 256;

interface KeptFile {
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Starts the front. */
export async function startFront(options: FrontOptions): Promise<Front> {
  const { stagePath } = options;
  const authorize = remembering(options.authorize);
  /** Files that say of themselves that they never change, as a browser or a content network keeps them. */
  const kept = new Map<string, KeptFile>();

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      process.stderr.write(`${request.method} failed: ${error instanceof Error ? error.message : error}\n`);
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain' });
      response.end('The emulator does not answer. npm run local starts it.\n');
    });
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!LOOPBACK_HOST.test(request.headers.host ?? '')) {
      response.writeHead(421, { 'content-type': 'text/plain' }).end('Ask for 127.0.0.1 or localhost.\n');
      return;
    }
    // Dots are resolved before the path is compared, so that nothing but the API is reached.
    const { pathname, search } = new URL(request.url ?? '/', 'http://front');
    const url = `${pathname}${search}`;
    if (url === '/' || url === stagePath || url === `${stagePath}/`) {
      response.writeHead(302, { location: `${stagePath}/console` }).end();
      return;
    }
    const path = url.startsWith(`${stagePath}/`) ? url.slice(stagePath.length) : null;
    if (path === null) {
      // API Gateway answers `{"message":"Forbidden"}`, and lets nobody say more.
      const message = `There is no stage at ${pathname}: the base URL is http://${request.headers.host}${stagePath}.`;
      response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
      return;
    }
    const key = request.headers.authorization;
    const streaming = streamingFor(request, path);
    if (streaming !== null && key !== undefined) {
      const authorizer = await authorize(key);
      if (authorizer !== null) {
        streaming(request, response, { path, body: await readText(request), authorizer });
        return;
      }
    }
    const file = request.method === 'GET' ? kept.get(pathname) : undefined;
    if (file !== undefined) {
      response.writeHead(200, file.headers).end(file.body);
      return;
    }
    const isKept = request.method === 'GET' && kept.size < KEPT_FILES_MAX;
    await pass(
      new URL(`${options.apiUrl}${path}`),
      request,
      response,
      isKept ? (passed) => kept.set(pathname, passed) : null,
    );
  };

  const streamingFor = ({ method, headers }: IncomingMessage, path: string): Invoke | null => {
    if (method === 'POST' && path === RESPONSES) return options.respond;
    if (method === 'POST' && path === CHAT) return options.chat;
    if (method === 'POST' && path === MCP) return options.mcp;
    const [route] = path.split('?');
    const asksForEvents = headers.accept?.includes('text/event-stream') === true;
    return method === 'GET' && route === EVENTS && asksForEvents ? options.follow : null;
  };

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${stagePath}`, close: () => closed(server) };
}

/** Passes a request on, and its answer back. `keep` gets an answer that says of itself that it never changes. */
function pass(
  target: URL,
  request: IncomingMessage,
  response: ServerResponse,
  keep: ((file: KeptFile) => void) | null,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const passed = send(
      target,
      { method: request.method, headers: endToEnd(request.headers) },
      (received) => {
        const status = received.statusCode ?? 502;
        const headers = endToEnd(received.headers);
        response.writeHead(status, headers);
        const isKept = status === 200 && String(received.headers['cache-control']).includes('immutable');
        const parts: Buffer[] = [];
        if (isKept && keep !== null) received.on('data', (part: Buffer) => parts.push(part));
        received.on('end', () => {
          if (isKept) keep?.({ headers, body: Buffer.concat(parts) });
          resolve();
        });
        received.on('error', reject);
        received.pipe(response);
      },
    );
    passed.on('error', reject);
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
}

function endToEnd(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_A_CONNECTION.has(name)));
}

function remembering(authorize: FrontOptions['authorize']): FrontOptions['authorize'] {
  const answers = new Map<string, { readonly context: object; readonly until: number }>();
  return async (header) => {
    const earlier = answers.get(header);
    if (earlier !== undefined && earlier.until > Date.now()) return earlier.context;
    const context = await authorize(header);
    if (context !== null) answers.set(header, { context, until: Date.now() + AUTHORIZED_SECONDS * 1000 });
    return context;
  };
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
