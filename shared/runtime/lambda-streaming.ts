import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';

/** Where the bytes of an answer go. */
export interface AnswerSink {
  begin(status: number, headers: Readonly<Record<string, string>>): void;
  /** Resolves once more can be taken; at once where nobody listens any longer. */
  write(text: string): Promise<void>;
  end(): void;
  /** Calls back where the one who asked goes before the answer has ended. */
  onGone(callback: () => void): void;
}

export type StreamedHandler = (
  event: APIGatewayProxyEvent,
  sink: AnswerSink,
  context: Context,
) => Promise<void>;

/** What Lambda's Node runtime offers to functions that stream; an emulator may lack it. */
interface StreamingRuntime {
  streamifyResponse(
    handler: (event: APIGatewayProxyEvent, stream: Writable, context: Context) => Promise<void>,
  ): unknown;
  readonly HttpResponseStream: {
    from(stream: Writable, metadata: { statusCode: number; headers: Record<string, string> }): Writable;
  };
}

/** The runtime's streaming, where it has any: libraries put things of their own under the same name. */
export function streamingRuntime(): StreamingRuntime | undefined {
  const { awslambda } = globalThis as { awslambda?: Partial<StreamingRuntime> };
  return awslambda?.streamifyResponse === undefined ? undefined : (awslambda as StreamingRuntime);
}

/** A sink into the stream of a Lambda invocation, whose status and headers go before the first byte. */
export function sinkOf(stream: Writable, runtime: StreamingRuntime): AnswerSink {
  let body: Writable | undefined;
  let hasEnded = false;
  let isGone = false;
  const gone = new AbortController();
  const leave = (): void => {
    if (hasEnded || isGone) return;
    isGone = true;
    gone.abort();
  };
  stream.on('close', leave);
  // Written to after its reader has gone, a stream says so by an error, which is the same news.
  stream.on('error', leave);
  return {
    begin(statusCode, headers) {
      body = runtime.HttpResponseStream.from(stream, { statusCode, headers: { ...headers } });
    },
    async write(text) {
      if (body === undefined) throw new Error('An answer begins with its status.');
      if (isGone || body.write(text)) return;
      await once(body, 'drain', { signal: gone.signal }).catch((error: unknown) => {
        if (!isGone) throw error;
      });
    },
    end() {
      hasEnded = true;
      body?.end();
    },
    onGone(callback) {
      if (isGone) callback();
      else gone.signal.addEventListener('abort', callback, { once: true });
    },
  };
}

/** The handler where nothing streams: what it would have sent bit by bit, in one piece. */
export function buffered(
  handler: StreamedHandler,
): (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult> {
  return async (event, context) => {
    let statusCode = 200;
    let headers: Record<string, string> = {};
    const parts: string[] = [];
    const sink: AnswerSink = {
      begin: (status, named) => {
        statusCode = status;
        headers = { ...named };
      },
      write: async (text) => {
        parts.push(text);
      },
      end: () => {},
      onGone: () => {},
    };
    await handler(event, sink, context);
    return { statusCode, headers, body: parts.join('') };
  };
}
