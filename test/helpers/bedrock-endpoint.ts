import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';

export interface ConverseRequest {
  readonly path: string;
  readonly body: Record<string, unknown>;
  /** Settles when the client has left before the answer was whole. */
  readonly left: Promise<void>;
}

export type ConverseReply = (stream: ServerHttp2Stream, request: ConverseRequest) => void | Promise<void>;

/** A server that speaks as Amazon Bedrock does (HTTP/2, binary event streams), and gives the reply of a test. */
export interface BedrockEndpoint {
  readonly url: string;
  readonly requests: readonly ConverseRequest[];
  reply(reply: ConverseReply): void;
  close(): Promise<void>;
}

export async function startBedrockEndpoint(): Promise<BedrockEndpoint> {
  const requests: ConverseRequest[] = [];
  const sessions = new Set<ServerHttp2Session>();
  let reply: ConverseReply = (stream) => stream.respond({ ':status': 500 }, { endStream: true });
  const server = createServer();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => {
    const left = new Promise<void>((resolve) => stream.once('aborted', () => resolve()));
    // A client that leaves resets its stream.
    stream.on('error', () => {});
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.once('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
      const request = { path: headers[':path'] ?? '', body, left };
      requests.push(request);
      void reply(stream, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    reply: (next) => {
      reply = next;
    },
    close: () =>
      new Promise((resolve) => {
        for (const session of sessions) session.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Begins an answer. */
export function beginEvents(stream: ServerHttp2Stream): void {
  stream.respond({ ':status': 200, 'content-type': 'application/vnd.amazon.eventstream' });
}

/** One event, as `application/vnd.amazon.eventstream` frames it. */
export const event = (type: string, payload: object): Buffer =>
  frame({ ':message-type': 'event', ':event-type': type, ':content-type': 'application/json' }, payload);

/** An error inside a stream. */
export const exception = (type: string, message: string): Buffer =>
  frame(
    { ':message-type': 'exception', ':exception-type': type, ':content-type': 'application/json' },
    { message },
  );

function frame(headers: Readonly<Record<string, string>>, payload: object): Buffer {
  const header = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const size = Buffer.alloc(2);
      size.writeUInt16BE(Buffer.byteLength(value));
      // 7 is the type of strings.
      return Buffer.concat([
        Buffer.of(name.length),
        Buffer.from(name),
        Buffer.of(7),
        size,
        Buffer.from(value),
      ]);
    }),
  );
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(8 + 4 + header.length + body.length + 4, 0);
  prelude.writeUInt32BE(header.length, 4);
  const checked = Buffer.concat([prelude, checksum(prelude), header, body]);
  return Buffer.concat([checked, checksum(checked)]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}

/** Streams the events. */
export const streamingEvents =
  (...events: readonly Buffer[]): ConverseReply =>
  (stream) => {
    beginEvents(stream);
    stream.end(Buffer.concat(events));
  };
