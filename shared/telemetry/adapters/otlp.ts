import {
  type Attributes,
  type HrTime,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  ValueType,
} from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { Point } from '../decide/points.ts';
import type { Origin, Receiver } from '../decide/ports.ts';
import type { Span } from '../decide/spans.ts';

export interface OtlpOptions {
  /** Base URL of the receiver; `/v1/traces` and `/v1/metrics` are appended to its path. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly stage: string;
  readonly region: string;
  readonly release: string;
  /** Time for one export with its repetitions, in milliseconds. */
  readonly timeoutMilliseconds?: number;
}

/** Long enough for one repetition of what a receiver refuses for now. */
const TIMEOUT_MILLISECONDS = 5_000;

const SCOPE = { name: 'tunesmith' };

/** Trace flag of W3C Trace Context. */
const SAMPLED = 1;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  internal: SpanKind.INTERNAL,
} as const;

/** Buckets of 1, 2 and 5 in every decade, for seconds, milliseconds and rates alike. */
const BOUNDARIES = [-1, 0, 1, 2, 3, 4, 5].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));

/** A receiver of OTLP over HTTP, in protobuf: https://opentelemetry.io/docs/specs/otlp/#otlphttp */
export function connectOtlp({
  endpoint,
  headers,
  stage,
  region,
  release,
  timeoutMilliseconds = TIMEOUT_MILLISECONDS,
}: OtlpOptions): Receiver {
  const base = endpoint.replace(/(?<!\/)\/+$/, '');
  const optionsOf = (signal: string) => ({
    url: `${base}/v1/${signal}`,
    headers: { ...headers },
    timeoutMillis: timeoutMilliseconds,
    compression: CompressionAlgorithm.GZIP,
  });
  const traces = new OTLPTraceExporter(optionsOf('traces'));
  const metrics = new OTLPMetricExporter({
    ...optionsOf('metrics'),
    temporalityPreference: AggregationTemporality.DELTA,
  });
  const resourceOf = ({ functionName, process }: Origin): Resource =>
    resourceFromAttributes({
      'service.name': 'tunesmith',
      'service.version': release,
      'deployment.environment.name': stage,
      'cloud.provider': 'aws',
      'cloud.platform': 'aws_lambda',
      'cloud.region': region,
      'faas.name': functionName,
      'faas.instance': process,
    });
  return {
    sendSpans: (spans, origin) => {
      const resource = resourceOf(origin);
      return exported((done) =>
        traces.export(
          spans.map((span) => readable(span, resource)),
          done,
        ),
      );
    },
    sendPoints: (points, origin) =>
      exported((done) =>
        metrics.export(
          {
            resource: resourceOf(origin),
            scopeMetrics: [{ scope: SCOPE, metrics: points.map(metricData) }],
          },
          done,
        ),
      ),
  };
}

function exported(start: (done: (result: ExportResult) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start(({ code, error }) => {
      if (code === ExportResultCode.SUCCESS) resolve();
      else reject(error ?? new Error('The receiver of telemetry did not take an export.'));
    });
  });
}

/** Seconds and nanoseconds. */
const timeOf = (milliseconds: number): HrTime => [
  Math.floor(milliseconds / 1000),
  Math.round((milliseconds % 1000) * 1e6),
];

const contextOf = ({ traceId, spanId }: { traceId: string; spanId: string }): SpanContext => ({
  traceId,
  spanId,
  traceFlags: SAMPLED,
});

function readable(span: Span, resource: Resource): ReadableSpan {
  return {
    name: span.name,
    kind: KINDS[span.kind],
    spanContext: () => contextOf(span),
    ...(span.parentId === null
      ? {}
      : { parentSpanContext: contextOf({ traceId: span.traceId, spanId: span.parentId }) }),
    startTime: timeOf(span.start),
    endTime: timeOf(span.end),
    duration: timeOf(span.end - span.start),
    status: { code: span.hasFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: span.attributes as Attributes,
    links: span.links.map((link) => ({ context: contextOf(link) })),
    events: [],
    ended: true,
    resource,
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Values since a process last wrote some: a function keeps no state from which it could add up. */
function metricData({ name, description, unit, kind, time, attributes, values }: Point): MetricData {
  const at = {
    // When the process began to count is not in its log.
    startTime: timeOf(0),
    endTime: timeOf(time),
    attributes,
  };
  const common = {
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.DELTA,
  };
  if (kind === 'sum') {
    return {
      ...common,
      dataPointType: DataPointType.SUM,
      isMonotonic: true,
      dataPoints: [{ ...at, value: sumOf(values) }],
    };
  }
  if (kind === 'gauge') {
    return {
      ...common,
      dataPointType: DataPointType.GAUGE,
      dataPoints: [{ ...at, value: values.at(-1) ?? 0 }],
    };
  }
  const counts = [...BOUNDARIES, Number.POSITIVE_INFINITY].map(
    (upper, index) =>
      values.filter((value) => value <= upper && value > (BOUNDARIES[index - 1] ?? Number.NEGATIVE_INFINITY))
        .length,
  );
  return {
    ...common,
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints: [
      {
        ...at,
        value: {
          buckets: { boundaries: BOUNDARIES, counts },
          sum: sumOf(values),
          count: values.length,
          min: Math.min(...values),
          max: Math.max(...values),
        },
      },
    ],
  };
}
