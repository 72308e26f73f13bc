import { readFileSync } from 'node:fs';
import { StateTransitionMetric } from 'aws-cdk-lib/aws-stepfunctions';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { API_THROTTLES } from '#infra/metrics.ts';
import { BUCKET_METRICS_FILTER, functionIds, functionName } from '#infra/names.ts';
import { METRIC_NAMESPACE, serviceOf } from '#shared/platform/contracts/metrics.ts';
import { pipelines } from '#shared/service/pipelines/index.ts';
import { emitMetrics } from '#test/helpers/emit-metrics.ts';
import {
  EMULATED,
  EVERYTHING,
  flatten,
  propertiesOfFirst,
  resourcesOf,
  synthesize,
  type Template,
} from './synthesize.ts';

// With all that can be watched; what costs most of it is off by default.
const { operations, data } = synthesize('dev', EVERYTHING);
const operationsOf = (environment: Record<string, string>, stage = 'dev'): Template =>
  synthesize(stage, environment).operations;

interface Watched {
  readonly by: string;
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

interface AlarmProperties {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly AlarmActions: unknown[];
  readonly OKActions: unknown[];
  readonly Namespace?: string;
  readonly MetricName?: string;
  readonly Dimensions?: { Name: string; Value: unknown }[];
  readonly Metrics?: {
    Id: string;
    Expression?: string;
    MetricStat?: {
      Metric: { Namespace: string; MetricName: string; Dimensions?: { Name: string; Value: unknown }[] };
    };
  }[];
}

const alarms = resourcesOf(operations, 'AWS::CloudWatch::Alarm').map(
  ([, { Properties }]) => Properties as unknown as AlarmProperties,
);

const dimensionsOf = (list: { Name: string; Value: unknown }[] = []): Record<string, string> =>
  Object.fromEntries(list.map(({ Name, Value }) => [Name, flatten(Value)]));

const watchedByAlarms: Watched[] = alarms.flatMap((alarm) => {
  const by = alarm.AlarmName;
  if (alarm.MetricName !== undefined) {
    const { Namespace: namespace = '', MetricName: name } = alarm;
    return [{ by, namespace, name, dimensions: dimensionsOf(alarm.Dimensions) }];
  }
  return (alarm.Metrics ?? []).flatMap(({ MetricStat }) =>
    MetricStat === undefined
      ? []
      : [
          {
            by,
            namespace: MetricStat.Metric.Namespace,
            name: MetricStat.Metric.MetricName,
            dimensions: dimensionsOf(MetricStat.Metric.Dimensions),
          },
        ],
  );
});

interface Widget {
  readonly type: string;
  readonly properties: {
    readonly title?: string;
    readonly markdown?: string;
    readonly metrics?: unknown[][];
  };
}

const { widgets } = JSON.parse(
  flatten(propertiesOfFirst(operations, 'AWS::CloudWatch::Dashboard').DashboardBody),
) as { widgets: Widget[] };

const watchedByWidgets: Watched[] = widgets.flatMap(({ properties: { title = '', metrics = [] } }) =>
  metrics
    .map((parts) => parts.filter((part) => typeof part === 'string'))
    .filter((parts) => parts.length >= 2)
    .map(([namespace = '', name = '', ...rest]) => ({
      by: title,
      namespace,
      name,
      dimensions: Object.fromEntries(
        Array.from({ length: rest.length / 2 }, (_, n) => [rest[2 * n] ?? '', rest[2 * n + 1] ?? '']),
      ),
    })),
);

/** Metrics that the services publish by themselves, with the sets of dimensions that they publish them under. */
const published: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'AWS/ApiGateway': Object.fromEntries(
    ['Count', '4XXError', '5XXError', 'Latency', 'IntegrationLatency'].map((name) => [
      name,
      ['ApiName,Stage'],
    ]),
  ),
  'AWS/Lambda': Object.fromEntries(
    ['Errors', 'Throttles', 'Duration', 'ConcurrentExecutions', 'AsyncEventAge', 'AsyncEventsDropped'].map(
      (name) => [name, name.startsWith('AsyncEvent') ? ['FunctionName'] : ['FunctionName', '']],
    ),
  ),
  'AWS/States': {
    ...Object.fromEntries(
      ['ExecutionsStarted', 'ExecutionsFailed', 'ExecutionsTimedOut', 'ExecutionThrottled'].map((name) => [
        name,
        ['StateMachineArn'],
      ]),
    ),
    ThrottledEvents: ['ServiceMetric'],
  },
  'AWS/SQS': {
    ApproximateNumberOfMessagesVisible: ['QueueName'],
    ApproximateAgeOfOldestMessage: ['QueueName'],
  },
  'AWS/DynamoDB': Object.fromEntries(
    [
      'ReadThrottleEvents',
      'WriteThrottleEvents',
      'ConsumedReadCapacityUnits',
      'ConsumedWriteCapacityUnits',
    ].map((name) => [name, ['TableName', 'GlobalSecondaryIndexName,TableName']]),
  ),
  // Only where the bucket has a filter for its request metrics.
  'AWS/S3': Object.fromEntries(
    ['AllRequests', '4xxErrors', '5xxErrors'].map((name) => [name, ['BucketName,FilterId']]),
  ),
};

/** What the values of dimensions may be: names of what the stacks make. */
const named: Readonly<Record<string, (value: string) => boolean>> = {
  FunctionName: (value) => functionIds.some((id) => functionName('dev', id) === value),
  StateMachineArn: (value) => pipelines.some(({ id }) => value.endsWith(`:stateMachine:tunesmith-dev-${id}`)),
  ServiceMetric: (value) => value === 'StateTransition',
  ApiName: (value) => value === 'tunesmith-dev',
  Stage: (value) => value === 'dev',
  TableName: (value) => value === 'TABLE',
  BucketName: (value) => value === 'BUCKET',
  FilterId: (value) => value === BUCKET_METRICS_FILTER,
  GlobalSecondaryIndexName: (value) => /^by_(created|updated|name)$/.test(value),
  QueueName: (value) => /DeadLetters|UnreadableJobs/.test(value),
};

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('what alarms and the dashboard watch is found: the rules below would hold of nothing', () => {
  expect(alarms.length).toBeGreaterThan(15);
  expect(watchedByAlarms.length).toBeGreaterThan(20);
  expect(watchedByWidgets.length).toBeGreaterThan(60);
});

test('what alarms and the dashboard watch of the service is something that its code was seen to write, with these dimensions', async () => {
  const emitted = new Set(
    (await emitMetrics()).map(({ name, dimensions, of }) =>
      [name, ...dimensions.filter((each) => each !== 'service').map((each) => `${each}=${of[each]}`)].join(
        ' ',
      ),
    ),
  );
  const filter = propertiesOfFirst(operations, 'AWS::Logs::MetricFilter') as {
    MetricTransformations: { MetricName: string; MetricNamespace: string; Dimensions: { Key: string }[] }[];
  };
  expect(filter.MetricTransformations).toMatchObject([
    { MetricName: API_THROTTLES, MetricNamespace: METRIC_NAMESPACE, Dimensions: [{ Key: 'service' }] },
  ]);
  emitted.add(API_THROTTLES);

  const own = [...watchedByAlarms, ...watchedByWidgets].filter(
    ({ namespace }) => namespace === METRIC_NAMESPACE,
  );
  const unknown = own.filter(({ name, dimensions }) => {
    const { service, ...others } = dimensions;
    const key = [
      name,
      ...Object.keys(others)
        .sort()
        .map((each) => `${each}=${others[each]}`),
    ].join(' ');
    return service !== serviceOf('dev') || !emitted.has(key);
  });

  expect(own.length).toBeGreaterThan(40);
  expect(unknown).toEqual([]);
});

test('what alarms and the dashboard watch of AWS is a metric that the service publishes, of something that the stacks make', () => {
  const others = [...watchedByAlarms, ...watchedByWidgets].filter(
    ({ namespace }) => namespace !== METRIC_NAMESPACE,
  );
  const unknown = others.filter(
    ({ namespace, name, dimensions }) =>
      !published[namespace]?.[name]?.includes(Object.keys(dimensions).sort().join(',')) ||
      !Object.entries(dimensions).every(([dimension, value]) => named[dimension]?.(value)),
  );

  expect(unknown).toEqual([]);
});

test('what alarms and the dashboard watch of throttled transitions is the one that CDK knows', () => {
  const { namespace, metricName: name, dimensions } = StateTransitionMetric.metricThrottledEvents();
  const by = 'tunesmith-dev-machines-throttled';

  expect(watchedByAlarms.filter((watched) => watched.by === by)).toEqual([
    { by, namespace, name, dimensions },
  ]);
});

test('what alarms and the dashboard watch of the bucket is measured, because the bucket is told to', () => {
  const bucket = resourcesOf(data, 'AWS::S3::Bucket').find(([id]) => id.startsWith('Bucket'));

  expect(bucket?.[1].Properties.MetricsConfigurations).toEqual([{ Id: BUCKET_METRICS_FILTER }]);
});

test('what alarms and the dashboard watch in one alarm is no more than an expression may hold', () => {
  for (const { AlarmName, Metrics = [] } of alarms) {
    expect(
      Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length,
      AlarmName,
    ).toBeLessThanOrEqual(10);
  }
});

describe('an alarm', () => {
  const document = readFileSync(new URL('../../docs/operations/repair.md', import.meta.url), 'utf8');
  const [, part = ''] = /\n## Alarms\n(.*?)\n## /s.exec(document) ?? [];
  const sections = [...part.matchAll(/^### (.+)$/gm)].map(([, title = '']) => title);

  test('an alarm names the section that says what to do, and every section is named', () => {
    const pointed = alarms.map(({ AlarmDescription }) => {
      const [, anchor] = / What to do: docs\/operations\/repair\.md#([a-z-]+)$/.exec(AlarmDescription) ?? [];
      return anchor;
    });

    expect(sections.length).toBeGreaterThan(10);
    expect([...new Set(pointed)].sort()).toEqual([...sections].sort());
  });

  test('an alarm is allowed to tell the topic, by this account alone', () => {
    const { PolicyDocument } = propertiesOfFirst(operations, 'AWS::SNS::TopicPolicy') as {
      PolicyDocument: { Statement: Record<string, unknown>[] };
    };
    const [topic] = resourcesOf(operations, 'AWS::SNS::Topic').map(([id]) => id);

    expect(PolicyDocument.Statement.filter(({ Effect }) => Effect === 'Allow')).toEqual([
      expect.objectContaining({
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Resource: { Ref: topic },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    ]);
  });

  test('an alarm and its end are told to the topic, to which an address of the configuration is subscribed', () => {
    const [topic] = resourcesOf(operations, 'AWS::SNS::Topic').map(([id]) => id);
    for (const { AlarmActions, OKActions } of alarms) {
      expect([...AlarmActions, ...OKActions].map(flatten)).toEqual([`<${topic}>`, `<${topic}>`]);
    }
    expect(resourcesOf(operationsOf({}), 'AWS::SNS::Subscription')).toEqual([]);

    const told = propertiesOfFirst(operations, 'AWS::SNS::Subscription');
    expect(told).toMatchObject({ Protocol: 'email', Endpoint: EVERYTHING.ALARM_EMAIL });
  }, 120_000);

  test('an alarm of refused starts does not count webhooks that wait at the bound which the operator set', () => {
    const watchedOf = (template: Template) =>
      JSON.stringify(
        resourcesOf(template, 'AWS::CloudWatch::Alarm').find(
          ([, { Properties }]) => Properties.AlarmName === 'tunesmith-dev-functions-throttled',
        )?.[1].Properties,
      );
    const deliverer = functionName('dev', 'consumers/deliver-webhook');

    expect(watchedOf(operations)).not.toContain(deliverer);
    expect(watchedOf(operationsOf({ WEBHOOKS_CONCURRENCY: '5' }))).toContain(deliverer);
  }, 120_000);

  test('an alarm of what must happen goes off when nothing is heard of it', () => {
    const silent = alarms.filter(
      (alarm) => 'TreatMissingData' in alarm && alarm.TreatMissingData === 'breaching',
    );

    expect(silent.map(({ AlarmName }) => AlarmName)).toEqual([
      'tunesmith-dev-sweeper-silent',
      'tunesmith-dev-probe-failed',
      'tunesmith-dev-deployments-unswept',
    ]);
    expect(silent[0]).toMatchObject({ ComparisonOperator: 'LessThanThreshold', EvaluationPeriods: 3 });
    // Two probes in a row, of which there is one an hour.
    expect(silent[1]).toMatchObject({
      ComparisonOperator: 'LessThanThreshold',
      EvaluationPeriods: 2,
      Period: 3600,
      Dimensions: expect.arrayContaining([{ Name: 'outcome', Value: 'succeeded' }]),
    });
  });
});

test('the alarm of throttled calls goes off for a worker that is refused all but its first calls', () => {
  const { Metrics = [] } =
    alarms.find(({ AlarmName }) => AlarmName === 'tunesmith-dev-model-throttled') ?? {};
  const idOf = (name: string) => Metrics.find(({ MetricStat }) => MetricStat?.Metric.MetricName === name)?.Id;
  const [throttles = '', calls = ''] = [idOf('ModelThrottles'), idOf('ModelCalls')];
  const expression = Metrics.find(({ Expression }) => Expression !== undefined)?.Expression;
  const share = new Function('IF', 'FILL', throttles, calls, `return ${expression}`);
  const shareOf = (refused: number, called: number): number =>
    share(
      (holds: boolean, one: number, other: number) => (holds ? one : other),
      (value: number) => value,
      refused,
      called,
    );

  // Three times five minutes of a worker that pauses for a minute after each refusal.
  for (const [refused, called] of [
    [60, 107],
    [6, 6],
    [7, 7],
  ] as const) {
    expect(shareOf(refused, called)).toBeGreaterThanOrEqual(33);
  }
  expect(shareOf(2, 2)).toBe(0);
});

test('the dashboard has its sections in the order in which requests pass', () => {
  expect(widgets.flatMap(({ properties }) => properties.markdown ?? [])).toEqual([
    '### API',
    '### Runs',
    '### Model',
    '### Answers',
    '### Queues and dead letters',
    '### Ledger, table and bucket',
  ]);
});

test('an emulator gets what it can deploy: no alarm over an expression', () => {
  const local = operationsOf(EMULATED, 'local');
  const kept = resourcesOf(local, 'AWS::CloudWatch::Alarm');

  expect(kept.length).toBeGreaterThan(5);
  expect(kept.filter(([, { Properties }]) => 'Metrics' in Properties)).toEqual([]);
  expect(resourcesOf(local, 'AWS::CloudWatch::Dashboard')).toHaveLength(1);
}, 120_000);
