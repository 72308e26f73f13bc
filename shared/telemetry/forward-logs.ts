import { gunzipSync } from 'node:zlib';
import { type Point, pointsOf } from './decide/points.ts';
import type { Origin, Receiver } from './decide/ports.ts';
import { type ModelPlace, type Span, spansOf } from './decide/spans.ts';
import { LogBatch, type LogDelivery } from './schema/log-batch.ts';
import type { MetricKind } from './schema/metric-kind.ts';

/** Most bytes of the lines of a delivery: CloudWatch Logs compresses 1 MB of them, and a few more. */
const BATCH_BYTES_MAX = 16_777_216;

/** Time for which a process gives up what it gets at once, after a receiver did not take something. */
const PAUSE_MILLISECONDS = 30_000;

const GROUP = '/aws/lambda/';

export interface ForwardPorts {
  /** Connects with the headers that are stored now. */
  readonly connect: () => Promise<Receiver>;
  readonly clock: { now(): number };
  readonly models: ModelPlace;
  readonly stage: string;
  readonly namespace: string;
  readonly metrics: Readonly<Record<string, MetricKind>>;
  readonly metricDescriptions: Readonly<Record<string, string>>;
  readonly onFailure: (error: unknown) => void;
}

export interface Forwarded {
  readonly spans: number;
  readonly points: number;
  /** Spans and points that the receiver did not take. */
  readonly lost: number;
}

/**
 * Sends the spans and points of log lines to the receiver. What it does not take is given up: nobody waits for telemetry, and
 * functions that wait for a receiver would take executions from callers. So after a failure a process does not try again for
 * half a minute; then it reads the headers anew.
 */
export function createForwardLogs(ports: ForwardPorts): (delivery: LogDelivery) => Promise<Forwarded> {
  let receiver: Receiver | null = null;
  let pausedUntil = 0;

  /** Null while the receiver is left alone. */
  const connected = async (): Promise<Receiver | null> => {
    if (ports.clock.now() < pausedUntil) return null;
    receiver ??= await ports.connect();
    return receiver;
  };

  const send = async (
    spans: readonly Span[],
    points: readonly Point[],
    origin: Origin,
  ): Promise<Forwarded> => {
    const lost: Forwarded = { spans: 0, points: 0, lost: spans.length + points.length };
    try {
      const to = await connected();
      if (to === null) return lost;
      if (spans.length > 0) await to.sendSpans(spans, origin);
      if (points.length > 0) await to.sendPoints(points, origin);
      return { spans: spans.length, points: points.length, lost: 0 };
    } catch (error) {
      receiver = null;
      pausedUntil = ports.clock.now() + PAUSE_MILLISECONDS;
      ports.onFailure(error);
      return lost;
    }
  };

  return async ({ awslogs: { data } }) => {
    const bytes = gunzipSync(Buffer.from(data, 'base64'), { maxOutputLength: BATCH_BYTES_MAX });
    const batch = LogBatch.parse(JSON.parse(bytes.toString()));
    const none = { spans: 0, points: 0, lost: 0 };
    if (batch.messageType !== 'DATA_MESSAGE' || !batch.logGroup.startsWith(GROUP)) return none;
    const spans = spansOf(batch, `tunesmith-${ports.stage}-`, ports.models);
    const points = pointsOf(batch, ports.namespace, ports.metrics, ports.metricDescriptions);
    if (spans.length + points.length === 0) return none;
    return send(spans, points, {
      functionName: batch.logGroup.slice(GROUP.length),
      process: batch.logStream,
    });
  };
}
