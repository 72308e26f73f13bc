import { defaultTokenPrice } from '#shared/access/decide/prices.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import type { Deployment, DeploymentPlatform } from '../schema/deployment.ts';
import { choosePlatform, type DeploymentTarget } from './deployable.ts';
import { type Hosting, hostingOf, PRICES_READ } from './hosting.ts';
import { type DeploymentRecord, idleUntil, isMissing, progressOf, WARM_MINUTES } from './record.ts';

export interface DeploymentSettings extends DeploymentTarget {
  /** Days without use after which a deployment is deleted; null if it stays. */
  readonly idleDays: number | null;
  /** Hours of a day for which the models of a team are kept ready, all together; null if they are not bounded. */
  readonly hoursPerDay: number | null;
}

const countingOn = (platform: DeploymentPlatform | null): string =>
  platform === 'amazon_sagemaker'
    ? `the start of an endpoint and each use count until ${WARM_MINUTES.amazon_sagemaker} minutes after them`
    : `each use counts for ${WARM_MINUTES.amazon_bedrock} minutes`;

/** What the platform bills the operator. */
function billOf(
  platform: DeploymentPlatform | null,
  hosting: Hosting | null,
  { idleDays, hoursPerDay }: DeploymentSettings,
): string[] {
  const end = [
    ...(hoursPerDay === null
      ? []
      : [
          `All models of a team together are kept ready for ${hoursPerDay} hours of a day (UTC) at most: ${countingOn(platform)}, and time of one model that overlaps counts once. Then they answer again the next day. A deletion gives no time back.`,
        ]),
    ...(idleDays === null ? [] : [`A deployment that nobody uses for ${idleDays} days is deleted.`]),
  ];
  if (platform === 'amazon_sagemaker' && hosting !== null) {
    const { instanceType, dollarsPerHour } = hosting;
    return [
      `An instance of the type ${instanceType} answers, at ${dollarsPerHour} US dollars an hour (us-east-1, ${PRICES_READ}). Merging takes a function for some minutes per 10 GB of weights.`,
      `It is billed from the start until ${WARM_MINUTES.amazon_sagemaker} minutes after the last answer, and until AWS has ended it. Then no instance runs, and none is billed; the next answer waits some minutes for one.`,
      'The merged files are billed as storage of the bucket.',
      ...end,
      'Prices by region: https://aws.amazon.com/sagemaker/ai/pricing/ (real-time inference).',
    ];
  }
  if (platform !== 'amazon_bedrock') return [];
  return [
    'Importing costs nothing; merging takes a function for some minutes per 10 GB of weights.',
    'A copy of the model that answers is billed by Custom Model Unit and minute, in windows of five minutes from its first answer. After some minutes without a request no copy runs, and none is billed.',
    'Each Custom Model Unit of the model is billed by the month while it is stored.',
    ...end,
    'Prices by region: https://aws.amazon.com/bedrock/pricing/ (Custom Model Import).',
  ];
}

/** What a deployment that goes on waits for, with what a caller can do about it; null if for nothing but its course. */
function whatIsAwaited(record: DeploymentRecord, hosting: Hosting | null, now: number): string | null {
  const instance = hosting?.instanceType ?? 'instance';
  if (record.status === 'ready' && isMissing(record, now)) {
    return `Amazon SageMaker has started no ${instance} for the model since ${record.unsettled_since}, and answers nothing meanwhile. It is asked as long as callers ask. If it goes on, ask your operator.`;
  }
  if (record.status !== 'importing') return null;
  switch (record.waits_for) {
    case 'capacity':
      return `AWS has no ${instance} to give at the moment. The merged model is kept, and the endpoint is made again every few minutes, for two days at most.`;
    case 'room':
      return record.platform === 'amazon_sagemaker'
        ? `The account of the installation has no room for another ${instance}, which is waited for, for two days at most. Delete the deployment of another training, or ask your operator to raise its quota.`
        : 'The account of the installation has no room for another imported model, which is waited for, for two days at most. Delete the deployment of another training, or ask your operator to raise its quota.';
    case 'hours':
      return 'The models of your team have used up the hours of this day (UTC). The endpoint is made on the next one.';
    case null:
      return null;
  }
}

/**
 * The deployment of a training as callers see it, also where there is none.
 * @param readyMinutes of the day for which the team's models were kept ready
 * @param now milliseconds since the epoch
 */
export function toDeployment(
  settings: DeploymentSettings,
  training: TrainingRecord,
  record: DeploymentRecord | null,
  readyMinutes: number,
  now: number,
): Deployment {
  const { idleDays, hoursPerDay } = settings;
  const chosen = choosePlatform(settings, training);
  const platform = record?.platform ?? chosen.platform;
  const hosting = platform === 'amazon_sagemaker' ? hostingOf(training.model) : null;
  const until = record === null ? null : idleUntil(record, idleDays);
  const isUsable = training.status === 'succeeded' && training.best !== null;
  return {
    experiment_id: training.experiment_id,
    status: record?.status ?? 'not_deployed',
    platform,
    can_be_deployed: isUsable && chosen.platform !== null,
    reason:
      record?.reason ??
      (record === null ? null : whatIsAwaited(record, hosting, now)) ??
      (isUsable ? chosen.why : 'The training has no model that could be deployed.'),
    progress_percent: record === null ? 0 : progressOf(record),
    created_at: record?.created_at ?? null,
    ready_at: record?.ready_at ?? null,
    last_used_at: record?.last_used_at ?? null,
    hours_left_today:
      hoursPerDay === null ? null : Math.max(0, Math.floor(10 * (hoursPerDay - readyMinutes / 60)) / 10),
    deleted_after: until === null ? null : timestamp(until),
    costs: {
      deployment_credits: 0,
      input_credits: defaultTokenPrice.input_millicredits / 1000,
      output_credits: defaultTokenPrice.output_millicredits / 1000,
      of_the_installation: billOf(platform, hosting, settings),
      units_per_copy: record?.units_per_copy ?? null,
      instance_type: hosting?.instanceType ?? null,
      dollars_per_hour: hosting?.dollarsPerHour ?? null,
    },
  };
}
