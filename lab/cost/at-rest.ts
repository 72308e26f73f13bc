import { plain } from './prices.ts';

/** The billed parts of a CloudFormation template. */
export interface BilledTemplate {
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> }>
  >;
}

/** Monthly list prices in US dollars; prices in `prices.ts` are reused. */
const PRICE = {
  alarmMetric: 0.1,
  dashboard: 3,
  secret: 0.4,
  customMetric: 0.3,
  invocation: 0.2 / 1e6,
  gbSecond: 0.0000166667,
  trace: 5 / 1e6,
  queueRequest: 0.4 / 1e6,
} as const;

/** Metrics that an idle service itself writes: completed sweeps. */
export const METRICS_AT_REST = 1;

/** Values that no template contains are assumed, and the document says so. */
const ASSUMED = {
  /** Duration of a scheduled function without work. */
  seconds: 0.2,
  /** Lambda polls a queue with five pollers, each of which waits for 20 seconds. */
  queueRequestsPerMinute: 5 * 3,
} as const;

const MINUTES_A_MONTH = 30 * 24 * 60;

interface Line {
  readonly name: string;
  readonly count: number;
  readonly usd: number;
}

const resourcesOf = (templates: readonly BilledTemplate[], type: string) =>
  templates.flatMap(({ Resources }) =>
    Object.values(Resources).flatMap(({ Type, Properties = {} }) => (Type === type ? [Properties] : [])),
  );

/** Metrics that an alarm reads: an expression is billed by its metrics. */
const metricsOf = ({ MetricName, Metrics = [] }: Readonly<Record<string, unknown>>): number =>
  MetricName === undefined
    ? (Metrics as { MetricStat?: unknown }[]).filter(({ MetricStat }) => MetricStat).length
    : 1;

/** Monthly invocations by schedules, each with the gigabytes of its function. */
function scheduledIn({
  Resources,
}: BilledTemplate): { readonly times: number; readonly gigabytes: number }[] {
  return Object.values(Resources).flatMap(({ Type, Properties = {} }) => {
    const [, every] = /^rate\((\d+) minutes?\)$/.exec(String(Properties.ScheduleExpression)) ?? [];
    if (Type !== 'AWS::Events::Rule' || every === undefined) return [];
    return (Properties.Targets as { Arn: { 'Fn::GetAtt': [string, string] } }[]).map(({ Arn }) => ({
      times: MINUTES_A_MONTH / Number(every),
      gigabytes: Number(Resources[Arn['Fn::GetAtt'][0]]?.Properties?.MemorySize) / 1024,
    }));
  });
}

/** The monthly cost of an idle stage, from its templates. */
export function atRest(templates: readonly BilledTemplate[]): readonly Line[] {
  const alarms = resourcesOf(templates, 'AWS::CloudWatch::Alarm');
  const scheduled = templates.flatMap(scheduledIn);
  const invocations = scheduled.reduce((sum, { times }) => sum + times, 0);
  return [
    {
      name: `CloudWatch: metrics in ${alarms.length} alarms`,
      count: alarms.reduce((sum, alarm) => sum + metricsOf(alarm), 0),
      usd: PRICE.alarmMetric,
    },
    {
      name: 'CloudWatch: dashboards',
      count: resourcesOf(templates, 'AWS::CloudWatch::Dashboard').length,
      usd: PRICE.dashboard,
    },
    { name: 'CloudWatch: metrics of the service itself', count: METRICS_AT_REST, usd: PRICE.customMetric },
    {
      name: 'Secrets Manager: secrets',
      count: resourcesOf(templates, 'AWS::SecretsManager::Secret').length,
      usd: PRICE.secret,
    },
    { name: 'Lambda: scheduled invocations', count: invocations, usd: PRICE.invocation },
    {
      name: 'Lambda: GB-seconds of them',
      count: scheduled.reduce((sum, { times, gigabytes }) => sum + times * gigabytes * ASSUMED.seconds, 0),
      usd: PRICE.gbSecond,
    },
    { name: 'X-Ray: traces of them', count: invocations, usd: PRICE.trace },
    {
      name: 'SQS: requests of functions that wait for messages',
      count:
        // Reading the stream of a table is free.
        resourcesOf(templates, 'AWS::Lambda::EventSourceMapping').filter(
          ({ StartingPosition }) => StartingPosition === undefined,
        ).length *
        ASSUMED.queueRequestsPerMinute *
        MINUTES_A_MONTH,
      usd: PRICE.queueRequest,
    },
  ];
}

/** The monthly cost as the table of docs/operations/pay.md. */
export function toMonthTable(lines: readonly Line[]): string {
  const total = lines.reduce((sum, { count, usd }) => sum + count * usd, 0);
  return [
    '| What is billed by the month | Counted | $ |',
    '| --- | ---: | ---: |',
    ...lines.map(({ name, count, usd }) => `| ${name} | ${plain(count, 6)} | ${(count * usd).toFixed(2)} |`),
    `| **Together** | | **${total.toFixed(2)}** |`,
  ].join('\n');
}
