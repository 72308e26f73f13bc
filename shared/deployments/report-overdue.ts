import { logger } from '#shared/platform/runtime/logger.ts';
import { recordMetric } from '#shared/platform/runtime/metrics.ts';
import type { DeploymentRecord } from './decide/record.ts';

/** Tells the operator, by a warning and a metric with an alarm, of a deployment that is not what its platform was told. */
export function reportOverdue({
  experiment_id,
  name,
  status,
  copies,
  unsettled_since,
}: DeploymentRecord): void {
  logger.warn('deployment overdue', { experiment_id, name, status, copies, since: unsettled_since });
  recordMetric('DeploymentsOverdue', {});
}
