import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

type Streamed = (event: APIGatewayProxyEvent, stream: Writable, context: Context) => Promise<void>;

const TIMEOUT_MILLISECONDS = 900_000;

/** The stream of an invocation: status and headers come before the first byte, as with `HttpResponseStream`. */
class AnswerStream extends Writable {
  head: ((metadata: { statusCode: number; headers: Record<string, string> }) => void) | undefined;
}

/** Answers a request by a function, whose bytes are sent as it writes them. */
export type Invoke = (
  request: IncomingMessage,
  response: ServerResponse,
  invocation: { readonly path: string; readonly body: string | null; readonly authorizer: object },
) => void;

/**
 * Loads a function into this process as Lambda's streaming runtime does.
 * @param modulePath the function's module
 */
export async function loadStreamingFunction(modulePath: string): Promise<Invoke> {
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
  const { handler } = (await import(modulePath)) as { handler: Streamed };

  return (request, response, { path, body, authorizer }) => {
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
    const { pathname, searchParams } = new URL(path, 'http://front');
    const event = {
      httpMethod: request.method,
      path: pathname,
      headers: request.headers,
      multiValueQueryStringParameters: Object.fromEntries(
        [...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]),
      ),
      pathParameters: null,
      requestContext: { authorizer },
      body,
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
  };
}

/** The body of a request as text; null if it has none. */
export async function readText(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return parts.length === 0 ? null : Buffer.concat(parts).toString();
}
