import { defaultTokenPrice } from '#shared/access/decide/prices.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import type { Deployment, DeploymentPlatform } from '../schema/deployment.ts';
import { type DeploymentTarget, whyNotDeployable } from './deployable.ts';
import { type DeploymentRecord, idleUntil, progressOf } from './record.ts';

export interface DeploymentSettings extends DeploymentTarget {
  /** Days without use after which a deployment is deleted; null if it stays. */
  readonly idleDays: number | null;
}

/** What the platform bills the operator. */
function billOf(platform: DeploymentPlatform | null, idleDays: number | null): string[] {
  if (platform !== 'amazon_bedrock') return [];
  return [
    'Importing costs nothing; merging takes a function for some minutes per 10 GB of weights.',
    'A copy of the model that answers is billed by Custom Model Unit and minute, in windows of five minutes from its first answer. After some minutes without a request no copy runs, and none is billed.',
    'Each Custom Model Unit of the model is billed by the month while it is stored.',
    ...(idleDays === null ? [] : [`A deployment that nobody uses for ${idleDays} days is deleted.`]),
    'Prices by region: https://aws.amazon.com/bedrock/pricing/ (Custom Model Import).',
  ];
}

/** The deployment of a training as callers see it, also where there is none. */
export function toDeployment(
  settings: DeploymentSettings,
  training: TrainingRecord,
  record: DeploymentRecord | null,
): Deployment {
  const { platform, idleDays } = settings;
  const why = whyNotDeployable(settings, training);
  const until = record === null ? null : idleUntil(record, idleDays);
  const isUsable = training.status === 'succeeded' && training.best !== null;
  return {
    experiment_id: training.experiment_id,
    status: record?.status ?? 'not_deployed',
    platform: record?.platform ?? platform,
    can_be_deployed: isUsable && why === null,
    reason: record?.reason ?? (isUsable ? why : 'The training has no model that could be deployed.'),
    progress_percent: record === null ? 0 : progressOf(record),
    created_at: record?.created_at ?? null,
    ready_at: record?.ready_at ?? null,
    last_used_at: record?.last_used_at ?? null,
    deleted_after: until === null ? null : timestamp(until),
    costs: {
      deployment_credits: 0,
      input_credits: defaultTokenPrice.input_millicredits / 1000,
      output_credits: defaultTokenPrice.output_millicredits / 1000,
      of_the_installation: billOf(record?.platform ?? platform, idleDays),
      units_per_copy: record?.units_per_copy ?? null,
    },
  };
}
