import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';

/** The output of a response. */
export interface ReplySink {
  begin(status: number, headers: Readonly<Record<string, string>>): void;
  /**
   * Resolves when more can be written; at once if the reader has disconnected, or once `until` is aborted: a reader that
   * stalls must not keep a response from being billed.
   */
  write(text: string, until: AbortSignal): Promise<void>;
  end(): void;
  /** Calls back if the reader disconnects before the end of the response. */
  onGone(callback: () => void): void;
}

export type StreamedHandler = (
  event: APIGatewayProxyEvent,
  sink: ReplySink,
  context: Context,
) => Promise<void>;

/** The streaming API of Lambda's Node runtime; an emulator may lack it. */
interface StreamingRuntime {
  streamifyResponse(
    handler: (event: APIGatewayProxyEvent, stream: Writable, context: Context) => Promise<void>,
  ): unknown;
  readonly HttpResponseStream: {
    from(stream: Writable, metadata: { statusCode: number; headers: Record<string, string> }): Writable;
  };
}

/** The runtime's streaming API, if any: libraries define other values under the same name. */
export function streamingRuntime(): StreamingRuntime | undefined {
  const { awslambda } = globalThis as { awslambda?: Partial<StreamingRuntime> };
  return awslambda?.streamifyResponse === undefined ? undefined : (awslambda as StreamingRuntime);
}

/** A sink into the stream of a Lambda invocation; status and headers are sent before the first byte. */
export function sinkOf(stream: Writable, runtime: StreamingRuntime): ReplySink {
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
  // A write after the reader has disconnected is a stream error, which means the same.
  stream.on('error', leave);
  return {
    begin(statusCode, headers) {
      body = runtime.HttpResponseStream.from(stream, { statusCode, headers: { ...headers } });
    },
    async write(text, until) {
      if (body === undefined) throw new Error('An answer begins with its status.');
      if (isGone || body.write(text)) return;
      await once(body, 'drain', { signal: AbortSignal.any([gone.signal, until]) }).catch((error: unknown) => {
        if (!isGone && !until.aborted) throw error;
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

/** The handler for a runtime without streaming: sends the collected output in one piece. */
export function buffered(
  handler: StreamedHandler,
): (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult> {
  return async (event, context) => {
    let statusCode = 200;
    let headers: Record<string, string> = {};
    const parts: string[] = [];
    const sink: ReplySink = {
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
