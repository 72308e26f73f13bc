import { Stack, type StackProps, Validations } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { METRIC_NAMESPACE } from '#shared/platform/contracts/metrics.ts';
import { alarmsOf, type Watched } from './alarms.ts';
import type { Config } from './config.ts';
import { addDashboard } from './dashboard.ts';
import type { DataResources } from './grants.ts';
import { keyFor } from './key.ts';
import { API_THROTTLES, type StageMetrics, stageMetrics } from './metrics.ts';
import { apiAccessLogName, constructIdOf } from './names.ts';
import { BURN_RATES, burnRate, objectivesOf } from './objectives.ts';

/** Monitoring of the other stacks: a dashboard, alarms, and their topic. */
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

    // The gateway throttles requests before any function runs, and has no metric for it.
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

    const masterKey = keyFor(this, 'Alarms', config);
    const topic = new Topic(this, 'Alarms', {
      ...(masterKey === null ? {} : { masterKey }),
      displayName: `Tunesmith (${stage})`,
      // An emulator uses plain HTTP, which this denies.
      enforceSSL: !emulated,
    });
    // A custom topic policy replaces the default one that lets the account's services publish to it.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'PublishAlarms',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
    if (config.alarmEmail !== null) topic.addSubscription(new EmailSubscription(config.alarmEmail));
    Validations.of(topic).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'A mail that cannot be delivered is of no use later: the alarm itself stays in CloudWatch.',
    });

    for (const contract of alarmsOf(metrics, watched)) {
      // An emulator evaluates no alarms, and rejects the template of one with an expression.
      if (emulated && contract.metric instanceof MathExpression) continue;
      const alarm = new Alarm(this, constructIdOf(contract.id), {
        alarmName: `tunesmith-${stage}-${contract.id}`,
        alarmDescription: `${contract.says} What to do: docs/operations/repair.md#${contract.id}`,
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
    if (config.objectives && !emulated) this.addObjectives(stage, metrics, topic);
    addDashboard(this, `tunesmith-${stage}`, metrics, watched);
  }

  /** Alarms on how fast the budgets of objectives are used up. */
  private addObjectives(stage: string, metrics: StageMetrics, topic: Topic): void {
    for (const objective of objectivesOf(metrics)) {
      const { id } = objective;
      for (const { name, factor, says, long, short } of BURN_RATES) {
        const windows = Object.entries({ long, short }).map(
          ([window, period]) =>
            new Alarm(this, constructIdOf(`${id}-${name}-${window}`), {
              alarmName: `tunesmith-${stage}-${id}-${name}-${window}`,
              alarmDescription: `A window of ${id}-${name}. What to do: docs/operations/repair.md#${id}`,
              metric: burnRate(objective, period, window === 'long'),
              threshold: factor,
              evaluationPeriods: 1,
              comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
              treatMissingData: TreatMissingData.NOT_BREACHING,
            }),
        );
        const alarm = new CompositeAlarm(this, constructIdOf(`${id}-${name}`), {
          compositeAlarmName: `tunesmith-${stage}-${id}-${name}`,
          alarmDescription: `${objective.says} At this rate its errors of 30 days are used up ${says}. What to do: docs/operations/repair.md#${id}`,
          alarmRule: AlarmRule.allOf(...windows.map((each) => AlarmRule.fromAlarm(each, AlarmState.ALARM))),
        });
        alarm.addAlarmAction(new SnsAction(topic));
        alarm.addOkAction(new SnsAction(topic));
      }
    }
  }
}
