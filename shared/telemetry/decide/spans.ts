import { createHash } from 'node:crypto';
import { type LogBatch, SPAN_MESSAGES } from '../schema/log-batch.ts';
import { type LogLine, linesOf, number, text } from './log-line.ts';

/** Ids of a span: 32 and 16 hexadecimal digits. */
interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
}

export type AttributeValue = string | number | readonly string[];

/** A span of OpenTelemetry. */
export interface Span extends SpanIds {
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'internal';
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly hasFailed: boolean;
  /** Spans of other traces that it caused. */
  readonly links: readonly SpanIds[];
}

/** Where the functions of a batch ask models: the values of the conventions for generative AI. */
export interface ModelPlace {
  /** `aws.bedrock`, or `openai` for any server with its API. */
  readonly provider: string;
  readonly host: string | null;
}

const TRACE_ID = /^[0-9a-f]{32}$/;
const SPAN_ID = /^[0-9a-f]{16}$/;

const digest = (name: string, digits: number): string =>
  createHash('sha256').update(name).digest('hex').slice(0, digits);

const idOf = (fields: LogLine['fields'], name: string, form: RegExp): string | undefined => {
  const value = text(fields, name);
  return value !== undefined && form.test(value) ? value : undefined;
};

/** The span of a run, which tasks of many functions have as their parent. */
export const runSpan = (runId: string): SpanIds => ({
  traceId: digest(`trace of run ${runId}`, 32),
  spanId: digest(`run ${runId}`, 16),
});

/**
 * The span of the invocation that wrote a line: in the trace of its caller, else in that of its run, else in one of its own.
 * Null for a line of no invocation.
 */
function invocationOf(fields: LogLine['fields']): (SpanIds & { readonly parentId: string | null }) | null {
  const requestId = text(fields, 'request_id');
  if (requestId === undefined) return null;
  const runId = text(fields, 'run_id');
  const callersTrace = idOf(fields, 'trace_id', TRACE_ID);
  const spanId = idOf(fields, 'span_id', SPAN_ID) ?? digest(`invocation ${requestId}`, 16);
  if (callersTrace !== undefined) {
    return { traceId: callersTrace, spanId, parentId: idOf(fields, 'parent_id', SPAN_ID) ?? null };
  }
  if (runId !== undefined)
    return { traceId: runSpan(runId).traceId, spanId, parentId: runSpan(runId).spanId };
  return { traceId: digest(`trace of invocation ${requestId}`, 32), spanId, parentId: null };
}

type Attributes = Record<string, AttributeValue>;

/** Attributes by the fields of a line that they are read from; what a line does not have is left out. */
function pick(fields: LogLine['fields'], names: Readonly<Record<string, string>>): Attributes {
  return Object.fromEntries(
    Object.entries(names).flatMap(([field, attribute]): [string, AttributeValue][] => {
      const value = text(fields, field) ?? number(fields, field);
      return value === undefined ? [] : [[attribute, value]];
    }),
  );
}

/** What every line may say of itself. */
const COMMON = {
  request_id: 'faas.invocation_id',
  run_id: 'tunesmith.run_id',
  dataset_id: 'tunesmith.dataset_id',
  team_id: 'tunesmith.team_id',
  response_id: 'tunesmith.response_id',
  xray_trace_id: 'aws.xray.trace_id',
} as const;

/** A span that ended when its line was written. */
function ended(
  { time, fields }: LogLine,
  span: Pick<Span, 'traceId' | 'spanId' | 'parentId' | 'name' | 'kind' | 'hasFailed'>,
  attributes: Attributes,
  milliseconds = number(fields, 'duration_ms') ?? 0,
): Span {
  return {
    ...span,
    start: time - milliseconds,
    end: time,
    attributes: { ...pick(fields, COMMON), ...attributes },
    links: [],
  };
}

function requestSpan(line: LogLine): Span | null {
  const { fields } = line;
  const ids = invocationOf(fields);
  const route = text(fields, 'route');
  const method = text(fields, 'method');
  const status = number(fields, 'status');
  if (ids === null || route === undefined || method === undefined || status === undefined) return null;
  const hasFailed = status >= 500;
  return ended(
    line,
    { ...ids, name: `${method.toUpperCase()} ${route}`, kind: 'server', hasFailed },
    {
      'http.request.method': method.toUpperCase(),
      'http.response.status_code': status,
      'tunesmith.endpoint': route,
      ...(hasFailed ? { 'error.type': text(fields, 'code') ?? String(status) } : {}),
      ...pick(fields, { code: 'tunesmith.code' }),
    },
  );
}

/** @param functionsOf beginning of the names of the stage's functions */
function taskSpan(line: LogLine, functionsOf: string): Span | null {
  const { fields } = line;
  const ids = invocationOf(fields);
  const task = text(fields, 'task');
  if (ids === null || task === undefined) return null;
  const hasFailed = text(fields, 'message') === 'task failed';
  return ended(
    line,
    {
      ...ids,
      name: task.startsWith(functionsOf) ? task.slice(functionsOf.length) : task,
      kind: 'internal',
      hasFailed,
    },
    {
      ...pick(fields, { n: 'tunesmith.batch' }),
      ...(hasFailed ? { 'error.type': text(fields, 'code') ?? text(fields, 'error_name') ?? '_OTHER' } : {}),
    },
  );
}

/** The end of a run says all of it. */
function runSpanOf(line: LogLine): Span | null {
  const { fields } = line;
  const runId = text(fields, 'run_id');
  const pipeline = text(fields, 'pipeline');
  const status = text(fields, 'status');
  if (runId === undefined || pipeline === undefined || status === undefined) return null;
  const hasFailed = status !== 'succeeded';
  return ended(
    line,
    { ...runSpan(runId), parentId: null, name: `run ${pipeline}`, kind: 'internal', hasFailed },
    {
      'tunesmith.pipeline': pipeline,
      'tunesmith.status': status,
      ...pick(fields, { settled_credits: 'tunesmith.settled_credits' }),
      ...(hasFailed ? { 'error.type': text(fields, 'code') ?? '_OTHER' } : {}),
    },
    1000 * (number(fields, 'seconds') ?? 0),
  );
}

/**
 * The launch of a run, in the trace of the request that launched it. A run outlives its request by hours, so it has a trace of
 * its own, which the launch links to.
 */
function launchSpan(line: LogLine): Span | null {
  const { fields } = line;
  const runId = text(fields, 'run_id');
  const pipeline = text(fields, 'pipeline');
  const { run_id: _run, ...ofRequest } = fields;
  const request = invocationOf(ofRequest);
  if (runId === undefined || pipeline === undefined || request === null) return null;
  return {
    ...ended(
      line,
      {
        traceId: request.traceId,
        spanId: digest(`launch ${runId}`, 16),
        parentId: request.spanId,
        name: `launch ${pipeline}`,
        kind: 'producer',
        hasFailed: false,
      },
      { 'tunesmith.pipeline': pipeline },
      0,
    ),
    links: [runSpan(runId)],
  };
}

/** https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-spans.md */
function modelSpan(line: LogLine, { provider, host }: ModelPlace): Span | null {
  const { fields } = line;
  const invocation = invocationOf(fields);
  const model = text(fields, 'model');
  const operation = text(fields, 'operation');
  if (invocation === null || model === undefined || operation === undefined) return null;
  const kind = text(fields, 'kind');
  const finishReason = text(fields, 'finish_reason');
  return ended(
    line,
    {
      traceId: invocation.traceId,
      spanId: digest(`call ${line.eventId}`, 16),
      parentId: invocation.spanId,
      name: `${operation} ${model}`,
      kind: 'client',
      hasFailed: kind !== undefined,
    },
    {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
      ...pick(fields, {
        input_tokens: 'gen_ai.usage.input_tokens',
        output_tokens: 'gen_ai.usage.output_tokens',
        role: 'tunesmith.model_role',
      }),
      ...(finishReason === undefined ? {} : { 'gen_ai.response.finish_reasons': [finishReason] }),
      ...(host === null ? {} : { 'server.address': host }),
      ...(kind === undefined ? {} : { 'error.type': kind }),
    },
  );
}

/** The spans that the lines of a batch tell of. */
export function spansOf(batch: LogBatch, functionsOf: string, models: ModelPlace): Span[] {
  const tell: Readonly<Record<(typeof SPAN_MESSAGES)[number], (line: LogLine) => Span | null>> = {
    request: requestSpan,
    task: (line) => taskSpan(line, functionsOf),
    'task failed': (line) => taskSpan(line, functionsOf),
    'run started': launchSpan,
    'run ended': runSpanOf,
    'model call': (line) => modelSpan(line, models),
  };
  return linesOf(batch).flatMap((line) => {
    const message = text(line.fields, 'message');
    const known = SPAN_MESSAGES.find((each) => each === message);
    return known === undefined ? [] : (tell[known](line) ?? []);
  });
}
