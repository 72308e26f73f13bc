import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Config } from './config.ts';

/** How long logs are kept. */
export const logRetention = (config: Config): RetentionDays =>
  config.retain ? RetentionDays.THREE_MONTHS : RetentionDays.TWO_WEEKS;

/**
 * What becomes of stateful resources when their stack goes. What a failed first deployment made is always removed:
 * it holds nothing yet, and its name would be in the way of the second.
 */
export const removalPolicy = (config: Config): RemovalPolicy =>
  config.retain ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
