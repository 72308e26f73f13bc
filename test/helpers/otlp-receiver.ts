import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { repositoryRoot } from '#local/paths.ts';
import { bytecodeEnvironment, ensurePython } from '#local/python.ts';

type Value = { readonly stringValue?: string; readonly intValue?: string; readonly doubleValue?: number } & {
  readonly arrayValue?: { readonly values: readonly Value[] };
};
type Attributes = readonly { readonly key: string; readonly value: Value }[];

/** A span as a receiver reads it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  /** The number of the kind in OTLP: 1 internal, 2 server, 3 client, 4 producer. */
  readonly kind: number;
  readonly milliseconds: number;
  /** 2 is an error. */
  readonly status: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly string[];
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A metric with its points as a receiver reads it. */
export interface ReceivedMetric {
  readonly name: string;
  readonly unit: string;
  readonly form: 'sum' | 'gauge' | 'histogram';
  /** 1 is delta. */
  readonly temporality: number | undefined;
  readonly points: readonly Readonly<Record<string, unknown>>[];
}

export interface OtlpReceiver {
  readonly url: string;
  /** Values of the header `authorization`. */
  readonly authorizations: readonly (string | null)[];
  /** Everything that has come, as text. */
  readonly text: () => string;
  readonly spans: () => ReceivedSpan[];
  readonly metrics: () => ReceivedMetric[];
  stop(): void;
}

const plain = ({ stringValue, intValue, doubleValue, arrayValue }: Value): unknown =>
  stringValue ?? (intValue === undefined ? doubleValue : Number(intValue)) ?? arrayValue?.values.map(plain);

const attributesOf = (list: Attributes = []): Record<string, unknown> =>
  Object.fromEntries(list.map(({ key, value }) => [key, plain(value)]));

const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

// biome-ignore lint/suspicious/noExplicitAny: what Python printed of OpenTelemetry's definitions
type Message = any;

/** Starts a receiver of OTLP that reads what it gets by OpenTelemetry's own definitions, in the tests' Python. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const python = await ensurePython(['emulator', 'test']);
  const script = join(repositoryRoot, 'test', 'helpers', 'otlp_receiver.py');
  const child = spawn(python, [script], {
    env: { ...process.env, ...bytecodeEnvironment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const received: Message[] = [];
  const port = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    child.once('exit', (code) => reject(new Error(`The receiver ended (${code}).`)));
  });
  lines.on('line', (line) => received.push(JSON.parse(line)));
  const bodies = (path: string): Message[] =>
    received.filter((each) => each.path === path).map(({ body }) => body);
  return {
    url: `http://127.0.0.1:${port}`,
    get authorizations() {
      return received.map(({ authorization }) => authorization);
    },
    text: () => JSON.stringify(received),
    spans: () =>
      bodies('/v1/traces').flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ resource, scopeSpans }: Message) =>
          scopeSpans.flatMap(({ spans }: Message) =>
            spans.map((span: Message) => ({
              traceId: hex(span.traceId),
              spanId: hex(span.spanId),
              parentSpanId: span.parentSpanId === undefined ? null : hex(span.parentSpanId),
              name: span.name,
              kind: span.kind,
              milliseconds: Number(
                (BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1_000_000n,
              ),
              status: span.status?.code ?? 0,
              attributes: attributesOf(span.attributes),
              links: (span.links ?? []).map((link: Message) => hex(link.spanId)),
              resource: attributesOf(resource.attributes),
            })),
          ),
        ),
      ),
    metrics: () =>
      bodies('/v1/metrics').flatMap(({ resourceMetrics }) =>
        resourceMetrics.flatMap(({ scopeMetrics }: Message) =>
          scopeMetrics.flatMap(({ metrics }: Message) =>
            metrics.map((metric: Message) => {
              const form = (['sum', 'gauge', 'histogram'] as const).find(
                (each) => metric[each] !== undefined,
              );
              const { aggregationTemporality, dataPoints } = metric[form ?? 'sum'];
              return {
                name: metric.name,
                unit: metric.unit,
                form,
                temporality: aggregationTemporality,
                points: dataPoints.map((point: Message) => ({
                  ...point,
                  attributes: attributesOf(point.attributes),
                })),
              };
            }),
          ),
        ),
      ),
    stop: () => void child.kill(),
  };
}
