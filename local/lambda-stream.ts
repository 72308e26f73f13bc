import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

/**
 * Runs a function under a streaming runtime like Lambda's, in a separate process: what it writes to the response stream
 * is sent over HTTP at once. Run it as a program with the path of the function's module; it prints its address as a
 * line of JSON, and ends with its stdin. AUTHORIZER_CONTEXT is the context of the authorizer.
 */
type Streamed = (event: APIGatewayProxyEvent, stream: Writable, context: Context) => Promise<void>;

const PATH = process.argv[2] ?? '';
const AUTHORIZER = JSON.parse(process.env.AUTHORIZER_CONTEXT ?? '{}') as Record<string, string>;
const TIMEOUT_MILLISECONDS = 900_000;

/** The stream of an invocation: status and headers come before the first byte, as with `HttpResponseStream`. */
class AnswerStream extends Writable {
  head: ((metadata: { statusCode: number; headers: Record<string, string> }) => void) | undefined;
}

Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: Streamed) => handler,
    HttpResponseStream: {
      from(stream: AnswerStream, metadata: { statusCode: number; headers: Record<string, string> }) {
        stream.head?.(metadata);
        return stream;
      },
    },
  },
});

const { handler } = (await import(PATH)) as { handler: Streamed };

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const stream = new AnswerStream({
      write(chunk: Buffer, _encoding, done) {
        if (response.destroyed) done(new Error('The reader has gone.'));
        else if (response.write(chunk)) done();
        else response.once('drain', () => done());
      },
      final(done) {
        response.end(() => done());
      },
    });
    stream.head = ({ statusCode, headers }) => response.writeHead(statusCode, headers);
    response.on('close', () => stream.destroy());
    const end = Date.now() + TIMEOUT_MILLISECONDS;
    const event = {
      httpMethod: request.method,
      path: request.url,
      headers: request.headers,
      multiValueQueryStringParameters: null,
      pathParameters: null,
      requestContext: { authorizer: AUTHORIZER },
      body: parts.length === 0 ? null : Buffer.concat(parts).toString(),
      isBase64Encoded: false,
    } as unknown as APIGatewayProxyEvent;
    const context = {
      awsRequestId: randomUUID(),
      getRemainingTimeInMillis: () => end - Date.now(),
    } as Context;
    handler(event, stream, context).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      response.destroy();
    });
  });
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
process.stdin.on('end', () => process.exit(0)).resume();
