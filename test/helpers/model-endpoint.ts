import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers one request of a test. */
export type Reply = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>;

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
  /** Settles when the client has closed the connection before the answer was whole. */
  readonly left: Promise<void>;
}

/** A server that gives the replies of a test one after the other, the last again and again, and keeps what it was asked. */
export interface ModelEndpoint {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** How many connections there have been. */
  connections(): number;
  reply(...replies: readonly Reply[]): void;
  close(): Promise<void>;
}

export async function startModelEndpoint(): Promise<ModelEndpoint> {
  const requests: ReceivedRequest[] = [];
  let replies: readonly Reply[] = [];
  let answered = 0;
  const server = createServer((request, response) => {
    void receive(request, response).then(async (received) => {
      requests.push(received);
      const reply = replies[Math.min(answered, replies.length - 1)];
      answered += 1;
      if (reply === undefined) response.writeHead(500).end();
      else await reply(response, received);
    });
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    connections: () => connections,
    reply: (...next) => {
      replies = next;
      answered = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<ReceivedRequest> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    left: new Promise((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) resolve();
      });
    }),
  };
}

const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8' };

/** The bytes of an event stream, however they are cut. */
export const eventBytes = (events: readonly unknown[], done = true): string =>
  [...events.map((event) => JSON.stringify(event)), ...(done ? ['[DONE]'] : [])]
    .map((data) => `data: ${data}\n\n`)
    .join('');

/** Streams the objects as events. */
export const streaming =
  (events: readonly unknown[], done = true): Reply =>
  (response) => {
    response.writeHead(200, EVENT_STREAM).end(eventBytes(events, done));
  };

/** Begins a stream and leaves the rest to `go`. */
export const streamingBy =
  (go: Reply): Reply =>
  (response, request) => {
    response.writeHead(200, EVENT_STREAM);
    return go(response, request);
  };

/** Streams the objects as events, and ends the answer a moment later. */
export const streamingAndLingering = (
  events: readonly unknown[],
  done: boolean,
  milliseconds: number,
): Reply =>
  streamingBy((response) => {
    response.write(eventBytes(events, done));
    setTimeout(() => response.end(), milliseconds);
  });

export const answering =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
