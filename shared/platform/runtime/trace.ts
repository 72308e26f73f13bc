import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { parseTraceContext, type TraceContext, type TraceHeaders, toTraceHeaders } from '../trace-context.ts';
import { env } from './env.ts';
import { describeError, logger } from './logger.ts';

/** An invocation as a span of the caller's trace. */
interface Span {
  readonly trace: TraceContext | null;
  /** 16 hexadecimal digits, the format of span ids in W3C Trace Context and X-Ray. */
  readonly id: string;
  /** Ids by which X-Ray can find it. */
  readonly annotations: Record<string, string>;
}

const spans = new AsyncLocalStorage<Span>();

/** Loads the sockets with the first trace that is sent: a cold start is two milliseconds shorter without them. */
const load = createRequire(import.meta.url);

/** The caller's trace; header names are case-insensitive. Several parents count as none. */
export function traceOf({
  headers,
  multiValueHeaders,
}: Pick<APIGatewayProxyEvent, 'headers' | 'multiValueHeaders'>): TraceContext | null {
  const valuesOf = (name: string): string[] => {
    const is = ([each]: [string, unknown]): boolean => each.toLowerCase() === name;
    const several = Object.entries(multiValueHeaders ?? {}).find(is)?.[1];
    return several ?? [Object.entries(headers ?? {}).find(is)?.[1] ?? ''];
  };
  const [traceparent, ...others] = valuesOf('traceparent');
  if (others.length > 0) return null;
  return parseTraceContext({ traceparent, tracestate: valuesOf('tracestate').join(',') });
}

/** Runs an invocation as part of a trace and sends its ids to X-Ray, without waiting; errors of X-Ray are ignored. */
export async function traced<T>(name: string, trace: TraceContext | null, run: () => Promise<T>): Promise<T> {
  const span: Span = {
    trace,
    id: randomBytes(8).toString('hex'),
    annotations: trace === null ? {} : { trace_id: trace.traceId },
  };
  const startedAt = Date.now();
  try {
    return await spans.run(span, run);
  } finally {
    sendToXray(name, span, startedAt);
  }
}

/** Keys of every log line: the caller's trace and span, if there are any, and the span of this invocation. */
export function traceKeys(trace: TraceContext | null): Readonly<Record<string, string>> {
  if (trace === null) return {};
  const id = spans.getStore()?.id;
  return {
    trace_id: trace.traceId,
    parent_id: trace.parentId,
    ...(id === undefined ? {} : { span_id: id }),
  };
}

/** Adds ids to the later log lines of this invocation, and to its trace. */
export function noteIds(ids: Readonly<Record<string, string>>): void {
  logger.appendKeys({ ...ids });
  Object.assign(spans.getStore()?.annotations ?? {}, ids);
}

/** The trace headers for outgoing requests; undefined without a trace. */
export function outgoingTrace(): TraceHeaders | undefined {
  const span = spans.getStore();
  return span === undefined || span.trace === null ? undefined : toTraceHeaders(span.trace, span.id);
}

/**
 * Sends a subsegment of the function's segment to the local X-Ray daemon (protocol: a line of JSON about the format,
 * then the document, in one datagram), without waiting.
 */
function sendToXray(name: string, { id, annotations }: Span, startedAt: number): void {
  const { daemon, trace } = env.xray();
  const [, host, port] = /^([\w.-]+):(\d{1,5})$/.exec(daemon) ?? [];
  const fields = new Map(trace.split(';').map((part) => part.split('=', 2) as [string, string]));
  const [root, parent] = [fields.get('Root'), fields.get('Parent')];
  const isRecorded = fields.get('Sampled') === '1' && root !== undefined && parent !== undefined;
  if (host === undefined || !isRecorded || Object.keys(annotations).length === 0) return;
  const subsegment = {
    type: 'subsegment',
    name,
    id,
    trace_id: root,
    parent_id: parent,
    start_time: startedAt / 1000,
    end_time: Date.now() / 1000,
    annotations,
  };
  try {
    const { createSocket } = load('node:dgram') as typeof import('node:dgram');
    const socket = createSocket('udp4').unref();
    let isOpen = true;
    const close = (): void => {
      if (isOpen) socket.close();
      isOpen = false;
    };
    socket.on('error', close);
    socket.send(`{"format":"json","version":1}\n${JSON.stringify(subsegment)}`, Number(port), host, close);
  } catch (error) {
    // A response does not fail because of its trace.
    logger.warn('trace not sent', describeError(error));
  }
}
