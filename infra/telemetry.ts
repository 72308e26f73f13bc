import { ArnFormat, NestedStack, type Stack } from 'aws-cdk-lib';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { CfnSubscriptionFilter, FilterPattern } from 'aws-cdk-lib/aws-logs';
import type { IDependable } from 'constructs';
import { METRIC_NAMESPACE } from '#shared/platform/contracts/metrics.ts';
import { forwardTelemetry } from '#shared/telemetry/background.ts';
import { SPAN_MESSAGES } from '#shared/telemetry/schema/log-batch.ts';
import type { Config } from './config.ts';
import { ServiceFunction } from './constructs/service-function.ts';
import { functionArn } from './grants.ts';
import { constructIdOf, functionName } from './names.ts';

/** The lines that become spans or points; CloudWatch Logs hands over no others. */
const LINES = FilterPattern.any(
  ...SPAN_MESSAGES.map((message) => FilterPattern.stringValue('$.message', '=', message)),
  FilterPattern.stringValue('$._aws.CloudWatchMetrics[0].Namespace', '=', METRIC_NAMESPACE),
).logPatternString;

const groupName = (stage: string, functionId: string): string =>
  `/aws/lambda/${functionName(stage, functionId)}`;

/** Lets the logs of the stage's functions invoke the one that sends telemetry. */
export function permitForwarding(stack: Stack, { stage }: Pick<Config, 'stage'>): CfnPermission {
  return new CfnPermission(stack, 'ForwardLogs', {
    action: 'lambda:InvokeFunction',
    functionName: functionName(stage, forwardTelemetry.id),
    principal: 'logs.amazonaws.com',
    sourceAccount: stack.account,
    sourceArn: stack.formatArn({
      service: 'logs',
      resource: 'log-group',
      resourceName: `${groupName(stage, '*')}:*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  });
}

const FILTERS_AT_ONCE = 4;

/**
 * Sends the logs of the functions of a stack to the one that sends telemetry. Not its own, which it would send for ever, and not
 * those of functions in which code of strangers runs: it could write lines like these. The subscriptions are a stack below this one,
 * which has no room for them.
 *
 * A few are made at a time: CloudWatch Logs refuses many at once, and the stack with them (https://github.com/aws/aws-cdk/issues/34679).
 * @param after what is created before the subscriptions
 */
export function forwardLogs(stack: Stack, config: Config, after: readonly IDependable[]): void {
  const { stage, emulated } = config;
  const subscriptions = new NestedStack(stack, 'Telemetry', {
    description: `Tunesmith (${stage}): subscriptions of logs, for telemetry`,
  });
  subscriptions.node.addDependency(...after);
  const filters: CfnSubscriptionFilter[] = [];
  for (const each of stack.node.findAll()) {
    if (!(each instanceof ServiceFunction) || each.isSealed || each.functionId === forwardTelemetry.id)
      continue;
    subscriptions.node.addDependency(each.logGroup);
    const filter = new CfnSubscriptionFilter(subscriptions, constructIdOf(each.functionId), {
      logGroupName: groupName(stage, each.functionId),
      destinationArn: functionArn(subscriptions, stage, forwardTelemetry.id),
      // An emulator looks for every word of a pattern in each line. The function takes what it knows, in any case.
      filterPattern: emulated ? '' : LINES,
    });
    const before = filters.at(-FILTERS_AT_ONCE);
    if (before !== undefined) filter.addDependency(before);
    filters.push(filter);
  }
}
