import { Stack, type StackProps } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { METRIC_NAMESPACE } from '#shared/contracts/metrics.ts';
import { alarmsOf, type Watched } from './alarms.ts';
import type { Config } from './config.ts';
import { addDashboard } from './dashboard.ts';
import type { DataResources } from './grants.ts';
import { API_THROTTLES, stageMetrics } from './metrics.ts';
import { apiAccessLogName, constructIdOf } from './names.ts';

/** How the others are doing: a dashboard, alarms, and the topic that tells of them. */
export class OperationsStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    config: Config,
    watched: Watched & { readonly data: DataResources },
    props?: StackProps,
  ) {
    super(scope, id, props);
    const { stage, emulated } = config;
    const metrics = stageMetrics(this, stage, watched.data);

    // The gateway refuses requests before any function runs, and has no metric of that.
    new MetricFilter(this, 'ApiThrottles', {
      logGroup: LogGroup.fromLogGroupName(this, 'AccessLogs', apiAccessLogName(stage)),
      filterPattern: FilterPattern.any(
        FilterPattern.stringValue('$.error_type', '=', 'THROTTLED'),
        FilterPattern.stringValue('$.error_type', '=', 'QUOTA_EXCEEDED'),
      ),
      metricNamespace: METRIC_NAMESPACE,
      metricName: API_THROTTLES,
      metricValue: '1',
      dimensions: { service: '$.service' },
    });

    const topic = new Topic(this, 'Alarms', {
      displayName: `Tunesmith (${stage})`,
      // An emulator is reached over plain http, which this refuses.
      enforceSSL: !emulated,
    });
    if (config.alarmEmail !== null) topic.addSubscription(new EmailSubscription(config.alarmEmail));

    for (const contract of alarmsOf(metrics, watched)) {
      // An emulator evaluates no alarm, and refuses the template of one over an expression.
      if (emulated && contract.metric instanceof MathExpression) continue;
      const alarm = new Alarm(this, constructIdOf(contract.id), {
        alarmName: `tunesmith-${stage}-${contract.id}`,
        alarmDescription: `${contract.says} What to do: docs/operations.md#${contract.section}`,
        metric: contract.metric,
        threshold: contract.threshold,
        evaluationPeriods: contract.periods ?? 1,
        comparisonOperator:
          contract.isAlive === true
            ? ComparisonOperator.LESS_THAN_THRESHOLD
            : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData:
          contract.isAlive === true ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      });
      alarm.addAlarmAction(new SnsAction(topic));
      alarm.addOkAction(new SnsAction(topic));
    }
    addDashboard(this, `tunesmith-${stage}`, metrics, watched);
  }
}
