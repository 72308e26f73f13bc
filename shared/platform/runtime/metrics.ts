import { Metrics } from '@aws-lambda-powertools/metrics';
import {
  METRIC_NAMESPACE,
  type MetricDimensions,
  type MetricName,
  metrics as metricContracts,
  serviceOf,
} from '../contracts/metrics.ts';
import { own } from '../own.ts';
import { env } from './env.ts';

/** Metrics are written at the end of an invocation, and at this interval. */
const HELD_MILLISECONDS_MAX = 60_000;

/** The embedded metric format allows 100 values a metric; the library writes a line by itself at that number. */
const VALUES_MAX = 99;

interface MetricSamples {
  values: number[];
  /** The number of values, of which `values` is a uniform sample. */
  count: number;
}

interface Group {
  readonly sets: readonly (readonly string[])[];
  readonly dimensions: Readonly<Record<string, string>>;
  readonly measured: Map<MetricName, MetricSamples>;
}

const pending = new Map<string, Group>();
let heldSince: number | null = null;

/**
 * Records a value of a metric. Calls are cheap: thousands become one log line, from which CloudWatch extracts the
 * metric (embedded metric format).
 */
export function recordMetric<Name extends MetricName>(
  name: Name,
  dimensions: MetricDimensions<Name>,
  value = 1,
): void {
  const { kind, dimensions: sets } = metricContracts[name];
  const key = JSON.stringify([sets, dimensions]);
  const group = pending.get(key) ?? { sets, dimensions, measured: new Map<MetricName, MetricSamples>() };
  pending.set(key, group);
  const measured = group.measured.get(name) ?? { values: [], count: 0 };
  group.measured.set(name, measured);
  measured.count += 1;
  if (kind === 'sum') {
    measured.values = [(measured.values[0] ?? 0) + value];
  } else if (measured.values.length < VALUES_MAX) {
    measured.values.push(value);
  } else {
    // Vitter's algorithm R: every value is kept with the same probability.
    const place = Math.floor(Math.random() * measured.count);
    if (place < VALUES_MAX) measured.values[place] = value;
  }
  heldSince ??= Date.now();
  if (Date.now() - heldSince >= HELD_MILLISECONDS_MAX) writeMetrics();
}

/** Writes the recorded metrics, one line for each combination of dimensions. */
export function writeMetrics(): void {
  if (pending.size === 0) return;
  const groups = [...pending.values()];
  pending.clear();
  heldSince = null;
  const serviceName = serviceOf(env.stage());
  for (const { sets, dimensions, measured } of groups) {
    const lines = new Metrics({ namespace: METRIC_NAMESPACE, serviceName });
    for (const set of sets) {
      lines.addDimensions(Object.fromEntries(set.map((name) => [name, own(dimensions, name) ?? ''])));
    }
    for (const [name, { values }] of measured) {
      for (const value of values) lines.addMetric(name, metricContracts[name].unit, value);
    }
    lines.publishStoredMetrics();
  }
}
