import { vi } from 'vitest';
import { writeMetrics } from '#shared/platform/runtime/metrics.ts';

export interface WrittenMetric {
  readonly namespace: string;
  readonly name: string;
  readonly unit: string;
  /** Names of one set of dimensions, sorted. */
  readonly dimensions: readonly string[];
  /** Values of those dimensions. */
  readonly of: Readonly<Record<string, string>>;
  readonly values: readonly number[];
}

interface EmbeddedMetrics {
  readonly _aws: {
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
    }[];
  };
  readonly [field: string]: unknown;
}

/** Collects what is written in the embedded metric format while a test runs, as CloudWatch reads it. */
export function collectMetrics(stage = 'test'): () => WrittenMetric[] {
  vi.stubEnv('STAGE', stage);
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  // What needs recorded outside of an invocation, in earlier tests of this process.
  writeMetrics();
  log.mockClear();
  return () => log.mock.calls.flatMap(([line]) => readEmbedded(String(line)));
}

export function readEmbedded(line: string): WrittenMetric[] {
  if (!line.startsWith('{"_aws"')) return [];
  const fields = JSON.parse(line) as EmbeddedMetrics;
  return fields._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((set) =>
      Metrics.map(({ Name, Unit }) => ({
        namespace: Namespace,
        name: Name,
        unit: Unit,
        dimensions: [...set].sort(),
        of: Object.fromEntries(set.map((dimension) => [dimension, String(fields[dimension])])),
        values: [fields[Name]].flat() as number[],
      })),
    ),
  );
}
