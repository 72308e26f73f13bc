import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import {
  parseTraceContext,
  type TraceContext,
  type TraceHeaders,
  toTraceHeaders,
} from '../domain/trace-context.ts';
import { env } from './env.ts';
import { describeError, logger } from './logger.ts';

/** An invocation, within the trace of who asked for it. */
interface Span {
  readonly trace: TraceContext | null;
  /** 16 hexadecimal digits, which W3C and X-Ray call a span by. */
  readonly id: string;
  /** Ids by which X-Ray finds it. */
  readonly annotations: Record<string, string>;
}

const spans = new AsyncLocalStorage<Span>();

/** The caller's trace, whatever the case of the headers' names. Several parents are none. */
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

/** Runs an invocation as part of a trace; its ids are sent to X-Ray, which it neither waits for nor fails with. */
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

/** Keys of every line of the log: the caller's trace, if there is one. */
export function traceKeys(trace: TraceContext | null): { readonly trace_id?: string } {
  return trace === null ? {} : { trace_id: trace.traceId };
}

/** Adds ids by which the rest of the log of this invocation, and its trace, are found. */
export function noteIds(ids: Readonly<Record<string, string>>): void {
  logger.appendKeys({ ...ids });
  Object.assign(spans.getStore()?.annotations ?? {}, ids);
}

/** What a service that is asked now goes on with the caller's trace by; undefined where there is none. */
export function outgoingTrace(): TraceHeaders | undefined {
  const span = spans.getStore();
  return span === undefined || span.trace === null ? undefined : toTraceHeaders(span.trace, span.id);
}

/**
 * Hands a subsegment of the function's segment to the X-Ray daemon that Lambda runs beside functions (the daemon's
 * protocol: a line of JSON about the format, then the document, in one datagram). Nobody waits for it.
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
    const socket = createSocket('udp4').unref();
    let isOpen = true;
    const close = (): void => {
      if (isOpen) socket.close();
      isOpen = false;
    };
    socket.on('error', close);
    socket.send(`{"format":"json","version":1}\n${JSON.stringify(subsegment)}`, Number(port), host, close);
  } catch (error) {
    // An answer does not fail for want of its trace.
    logger.warn('trace not sent', describeError(error));
  }
}
