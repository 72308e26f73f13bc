import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Config } from './config.ts';
import { keyFor } from './key.ts';

/**
 * The removal policy of resources with data that cannot be recreated. A retained resource must not have an explicit
 * name, which would block the next deployment. Resources of a failed first deployment are empty and always deleted.
 */
export const removalPolicy = (config: Config): RemovalPolicy =>
  config.retain ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/**
 * A log group with a retention period that is deleted with its stack, so that its name is free for the next deployment.
 */
export function addLogGroup(scope: Construct, id: string, logGroupName: string, config: Config): LogGroup {
  const key = keyFor(scope, id, config);
  return new LogGroup(scope, id, {
    logGroupName,
    ...(key === null ? {} : { encryptionKey: key }),
    retention: config.retain ? RetentionDays.THREE_MONTHS : RetentionDays.TWO_WEEKS,
    removalPolicy: RemovalPolicy.DESTROY,
  });
}
