import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import {
  METRIC_NAMESPACE,
  type MetricDimensions,
  type MetricName,
  serviceOf,
} from '#shared/platform/contracts/metrics.ts';
import { type DataResources, stateMachineArn, TABLE_INDEXES } from './grants.ts';
import { apiName, BUCKET_METRICS_FILTER, functionName } from './names.ts';

/** Every metric is read in steps of five minutes. */
const PERIOD = Duration.minutes(5);

/** The number of requests in the access log that the gateway throttled. */
export const API_THROTTLES = 'ApiThrottles';

const metric = (
  namespace: string,
  metricName: string,
  statistic: string,
  dimensionsMap: Record<string, string>,
): Metric => new Metric({ namespace, metricName, statistic, dimensionsMap, period: PERIOD });

/** One expression over several metrics; sums in alarms allow ten. */
export function combine(
  label: string,
  metrics: readonly IMetric[],
  expression: (ids: readonly string[]) => string,
): MathExpression {
  const ids = metrics.map((_, index) => `m${index}`);
  return new MathExpression({
    label,
    expression: expression(ids),
    usingMetrics: Object.fromEntries(metrics.map((each, index) => [`m${index}`, each])),
    period: PERIOD,
  });
}

/** The sum of metrics; one without data counts as 0. */
export const sumOf = (label: string, metrics: readonly IMetric[]): MathExpression =>
  combine(label, metrics, (ids) => ids.map((id) => `FILL(${id}, 0)`).join(' + '));

/** The metrics of one stage: the service's own and those of AWS services. */
export function stageMetrics(scope: Construct, stage: string, { table, bucket }: DataResources) {
  const service = serviceOf(stage);
  return {
    own: <Name extends MetricName>(
      name: Name,
      dimensions: Partial<MetricDimensions<Name>> = {},
      statistic = 'Sum',
    ): Metric =>
      metric(METRIC_NAMESPACE, name, statistic, { service, ...dimensions } as Record<string, string>),

    apiThrottles: () => metric(METRIC_NAMESPACE, API_THROTTLES, 'Sum', { service }),
    api: (name: 'Count' | '4XXError' | '5XXError' | 'Latency' | 'IntegrationLatency', statistic = 'Sum') =>
      metric('AWS/ApiGateway', name, statistic, { ApiName: apiName(stage), Stage: stage }),

    lambda: (
      functionId: string,
      name:
        | 'Errors'
        | 'Throttles'
        | 'AsyncEventAge'
        | 'AsyncEventsDropped'
        | 'Duration'
        | 'ConcurrentExecutions',
      statistic = 'Sum',
    ) => metric('AWS/Lambda', name, statistic, { FunctionName: functionName(stage, functionId) }),
    /** For all functions of the account in this region. */
    allLambda: (name: 'Throttles' | 'ConcurrentExecutions', statistic = 'Sum') =>
      metric('AWS/Lambda', name, statistic, {}),

    machine: (
      pipelineId: string,
      name: 'ExecutionsStarted' | 'ExecutionsFailed' | 'ExecutionsTimedOut' | 'ExecutionThrottled',
    ) => metric('AWS/States', name, 'Sum', { StateMachineArn: stateMachineArn(scope, stage, pipelineId) }),

    /**
     * Of all machines of the account in this region, which share one quota of transitions. Metric and dimension are those
     * of https://docs.aws.amazon.com/cdk/api/v2/docs/aws-cdk-lib.aws_stepfunctions.StateTransitionMetric.html.
     */
    allMachines: (name: 'ThrottledEvents') =>
      metric('AWS/States', name, 'Sum', { ServiceMetric: 'StateTransition' }),

    queue: (
      queueName: string,
      name: 'ApproximateNumberOfMessagesVisible' | 'ApproximateAgeOfOldestMessage',
    ) => metric('AWS/SQS', name, 'Maximum', { QueueName: queueName }),

    table: (name: 'ConsumedReadCapacityUnits' | 'ConsumedWriteCapacityUnits') =>
      metric('AWS/DynamoDB', name, 'Sum', { TableName: table.tableName }),
    /** Those of the table and of its indexes, which are throttled separately. */
    tableThrottles: (name: 'ReadThrottleEvents' | 'WriteThrottleEvents') => [
      metric('AWS/DynamoDB', name, 'Sum', { TableName: table.tableName }),
      ...TABLE_INDEXES.map((index) =>
        metric('AWS/DynamoDB', name, 'Sum', { TableName: table.tableName, GlobalSecondaryIndexName: index }),
      ),
    ],

    bucket: (name: 'AllRequests' | '4xxErrors' | '5xxErrors') =>
      metric('AWS/S3', name, 'Sum', { BucketName: bucket.bucketName, FilterId: BUCKET_METRICS_FILTER }),
  };
}

export type StageMetrics = ReturnType<typeof stageMetrics>;
