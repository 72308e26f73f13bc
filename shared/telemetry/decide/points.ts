import * as z from 'zod';
import { own } from '#shared/platform/own.ts';
import type { LogBatch } from '../schema/log-batch.ts';
import type { MetricKind } from '../schema/metric-kind.ts';
import { linesOf } from './log-line.ts';

/** A metric's values of one process, since it last wrote some. */
export interface Point {
  /** `tunesmith.model_calls`: the metric of CloudWatch, in the form of OpenTelemetry's names. */
  readonly name: string;
  readonly description: string;
  /** A unit of UCUM. */
  readonly unit: string;
  /** A sum of what happened since, values since, or the state at a time. */
  readonly kind: 'sum' | 'histogram' | 'gauge';
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly values: readonly number[];
}

/** The part of the embedded metric format that the service writes. */
const EmbeddedMetrics = z.object({
  _aws: z.object({
    Timestamp: z.number(),
    CloudWatchMetrics: z.array(
      z.object({
        Namespace: z.string(),
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string() })),
      }),
    ),
  }),
});
const Values = z.union([z.number(), z.array(z.number())]);

/** Is the resource's, not an attribute. */
const SERVICE = 'service';

/**
 * The points of the metrics in a batch. CloudWatch has a metric for each set of dimensions; a receiver adds points up over any
 * attribute, so each value leaves once, with all dimensions.
 * @param known the metrics of the service by name: what others log does not leave
 * @param descriptions what each of them is
 */
export function pointsOf(
  batch: LogBatch,
  namespace: string,
  known: Readonly<Record<string, MetricKind>>,
  descriptions: Readonly<Record<string, string>>,
): Point[] {
  return linesOf(batch).flatMap(({ fields }) => {
    const line = EmbeddedMetrics.safeParse(fields).data;
    if (line === undefined) return [];
    const { Timestamp: time, CloudWatchMetrics: blocks } = line._aws;
    return blocks
      .filter(({ Namespace }) => Namespace === namespace)
      .flatMap(({ Dimensions, Metrics }) => {
        const names = new Set(Dimensions.flat().filter((name) => name !== SERVICE));
        const attributes = Object.fromEntries(
          [...names].flatMap((name) => {
            const value = own(fields, name);
            return typeof value === 'string' ? [[`tunesmith.${name}`, value]] : [];
          }),
        );
        return Metrics.flatMap(({ Name }): Point[] => {
          const metric = own(known, Name);
          const values = Values.safeParse(own(fields, Name)).data;
          if (metric === undefined || values === undefined) return [];
          const description = own(descriptions, Name) ?? '';
          return [{ ...described(Name, metric), description, time, attributes, values: [values].flat() }];
        });
      });
  });
}

const UNITS: Readonly<Record<MetricKind['unit'], string>> = {
  Count: '1',
  Seconds: 's',
  Milliseconds: 'ms',
  'Count/Second': '1/s',
};

const described = (name: string, { unit, kind }: MetricKind) =>
  ({
    name: `tunesmith.${name.replaceAll(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()}`,
    unit: UNITS[unit],
    // Numbers whose values are kept are what a sweep found: the next one finds them again.
    kind: kind === 'sum' ? 'sum' : unit === 'Count' ? 'gauge' : 'histogram',
  }) as const;
