import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { StageMetrics } from './metrics.ts';

/** What a stage is to keep up over 30 days. */
export interface Objective {
  /** Also names its section in docs/operations/repair.md. */
  readonly id: string;
  readonly says: string;
  /** Share that is good, in percent. */
  readonly target: number;
  /** Share that was bad in a window, in percent, as an expression over metrics. */
  readonly metrics: Readonly<Record<string, IMetric>>;
  /** Fewer bad ones in the long window are chance where there are few in all. */
  readonly badMin: number;
}

/**
 * How fast the budget of errors is used up, by two windows that both have to burn: a long one, so that a moment is no alarm, and
 * a short one, so that an alarm ends with its cause (https://sre.google/workbook/alerting-on-slos/, table 5-8). The short one of
 * the fast rate has 15 minutes there and not five, since sweeps measure every five minutes.
 */
export const BURN_RATES = [
  { name: 'fast', factor: 14.4, says: 'in two days', long: Duration.hours(1), short: Duration.minutes(15) },
  { name: 'slow', factor: 6, says: 'in five days', long: Duration.hours(6), short: Duration.minutes(30) },
] as const;

const BAD_MIN = 5;

export function objectivesOf(metrics: StageMetrics): Objective[] {
  return [
    {
      id: 'objective-api',
      says: '99.9 % of requests are answered without a 5xx.',
      target: 99.9,
      metrics: { bad: metrics.api('5XXError'), all: metrics.api('Count') },
      badMin: BAD_MIN,
    },
    {
      id: 'objective-runs',
      says: '99.5 % of runs begin, and keep their execution to their end.',
      target: 99.5,
      metrics: { bad: metrics.own('RunsSwept'), all: metrics.own('RunsStarted') },
      badMin: BAD_MIN,
    },
    {
      id: 'objective-events',
      says: 'In 99 % of sweeps no event or delivery of a webhook is older than half an hour.',
      target: 99,
      // Only sweeps that find late ones write how many.
      metrics: {
        bad: metrics.own('EventsLate', {}, Stats.SAMPLE_COUNT),
        all: metrics.own('SweepsDone'),
      },
      badMin: 1,
    },
  ];
}

/**
 * How many times as fast as it may an objective uses its budget up in a window. What is bad while nothing is counted in all is all bad:
 * runs of before that lose their execution in a night without new ones.
 */
export function burnRate(
  { id, target, metrics, badMin }: Objective,
  period: Duration,
  isLong: boolean,
): MathExpression {
  // Rounded, since floats leave a rest.
  const budget = Math.round((100 - target) * 1000) / 1000;
  const badPercent = `IF(FILL(bad, 0) >= ${isLong ? badMin : 1}, 100 * FILL(bad, 0) / MAX([FILL(all, 0), FILL(bad, 0)]), 0)`;
  return new MathExpression({
    label: `${id}: burn rate over ${period.toMinutes()} minutes`,
    expression: `${badPercent} / ${budget}`,
    usingMetrics: { ...metrics },
    period,
  });
}
