import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { artifactOf, noArtifact } from '#shared/training/decide/artifact.ts';
import { digitsOf } from '#shared/training/decide/model-name.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { choosePlatform } from './decide/deployable.ts';
import type { DeploymentRecord, DeploymentRepository, TeamDeployments } from './decide/record.ts';
import type { DeploymentSettings } from './decide/view.ts';
import { DEPLOYMENTS_MAX } from './schema/deployment.ts';

export interface DeployModelPorts {
  readonly deployments: DeploymentRepository;
  readonly objects: Pick<ObjectStore, 'head'>;
  readonly settings: DeploymentSettings & { readonly stage: string };
  readonly newId: () => string;
  readonly start: (input: { readonly experiment_id: string }) => Promise<void>;
}

/**
 * Deploys the best model of a training. One that is deployed, or about to be, is answered as it is.
 * @throws {ServiceError} `no_artifact`, `model_not_deployable`, `deployments_limit_reached`
 */
export async function deployModel(
  { deployments, objects, settings, newId, start }: DeployModelPorts,
  { team_id }: Pick<Caller, 'team_id'>,
  training: TrainingRecord,
  now: number,
): Promise<DeploymentRecord> {
  const { experiment_id, dataset_id, model } = training;
  const { key } = artifactOf(training);
  const { platform, why } = choosePlatform(settings, training);
  if (platform === null) throw new ServiceError('model_not_deployable', why);
  if ((await objects.head(key)) === null) {
    throw noArtifact('The model was removed together with the dataset that it was trained on.');
  }
  const found = await deployments.find(experiment_id);
  if (found !== null && found.status !== 'failed') return found;
  const record: DeploymentRecord = {
    experiment_id,
    dataset_id,
    team_id,
    model,
    platform,
    status: 'queued',
    name: `tunesmith-${settings.stage}-${digitsOf(experiment_id)}-${digitsOf(newId()).slice(0, 6)}`,
    base: null,
    job_arn: null,
    model_arn: null,
    units_per_copy: null,
    copies: null,
    copies_seen_at: null,
    unsettled_since: null,
    waits_for: null,
    waits_since: null,
    retry_at: null,
    warm_until: null,
    failures: 0,
    reason: null,
    created_at: timestamp(now),
    ready_at: null,
    last_used_at: null,
  };
  if (!(await store(deployments, record))) return (await deployments.find(experiment_id)) ?? record;
  await start({ experiment_id });
  return record;
}

/** Of requests at the same time one is stored each time, so that the last of as many as there is room for comes after so many. */
const TRIES_MAX = DEPLOYMENTS_MAX + 7;

/**
 * Stores a deployment if the team has room for it, however many are requested at once.
 * @returns false if there is another of this training
 */
async function store(deployments: DeploymentRepository, record: DeploymentRecord): Promise<boolean> {
  const { experiment_id, team_id } = record;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const { experiment_ids, version } = await readTeam(deployments, team_id);
    const others = experiment_ids.filter((id) => id !== experiment_id);
    if (others.length >= DEPLOYMENTS_MAX) {
      throw new ServiceError(
        'deployments_limit_reached',
        `A team may have ${DEPLOYMENTS_MAX} deployed models. Delete the deployment of one that is not used.`,
      );
    }
    const outcome = await deployments.create(record, {
      experiment_ids: [...others, experiment_id],
      version,
    });
    if (outcome !== 'changed') return outcome === 'created';
  }
  throw new ServiceError(
    'service_unavailable',
    'Your team requests many deployments at once. Request this one again in a moment.',
    { retryAfterSeconds: 5 },
  );
}

/** The deployments of a team that are there: those that have ended or failed since they were stored are left out. */
async function readTeam(deployments: DeploymentRepository, teamId: string): Promise<TeamDeployments> {
  const stored = await deployments.findOfTeam(teamId);
  const experiment_ids: string[] = [];
  if (stored === null) {
    for await (const { experiment_id, team_id, status } of deployments.list()) {
      if (team_id === teamId && status !== 'failed') experiment_ids.push(experiment_id);
    }
    return { experiment_ids, version: 0 };
  }
  const found = await Promise.all(stored.experiment_ids.map((id) => deployments.find(id)));
  for (const record of found) {
    if (record !== null && record.status !== 'failed') experiment_ids.push(record.experiment_id);
  }
  return { experiment_ids, version: stored.version };
}
