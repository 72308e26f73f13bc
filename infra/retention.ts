import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Config } from './config.ts';

/** How long logs are kept. */
export const logRetention = (config: Config): RetentionDays =>
  config.retain ? RetentionDays.THREE_MONTHS : RetentionDays.TWO_WEEKS;
