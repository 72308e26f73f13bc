import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { artifactOf, noArtifact } from '#shared/training/decide/artifact.ts';
import { digitsOf } from '#shared/training/decide/model-name.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { whyNotDeployable } from './decide/deployable.ts';
import { DEPLOYMENTS_MAX, type DeploymentRecord, type DeploymentRepository } from './decide/record.ts';
import type { DeploymentSettings } from './decide/view.ts';

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
  const { platform } = settings;
  const why = whyNotDeployable(settings, training);
  if (why !== null || platform === null)
    throw new ServiceError('model_not_deployable', why ?? 'No platform.');
  if ((await objects.head(key)) === null) {
    throw noArtifact('The model was removed together with the dataset that it was trained on.');
  }
  const found = await deployments.find(experiment_id);
  if (found !== null && found.status !== 'failed') return found;
  await requireRoom(deployments, team_id);
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
    failures: 0,
    reason: null,
    created_at: timestamp(now),
    ready_at: null,
    last_used_at: null,
  };
  if (!(await deployments.create(record))) return (await deployments.find(experiment_id)) ?? record;
  await start({ experiment_id });
  return record;
}

async function requireRoom(deployments: Pick<DeploymentRepository, 'list'>, teamId: string): Promise<void> {
  let own = 0;
  for await (const { team_id, status } of deployments.list()) {
    if (team_id === teamId && status !== 'failed') own += 1;
  }
  if (own < DEPLOYMENTS_MAX) return;
  throw new ServiceError(
    'deployments_limit_reached',
    `A team may have ${DEPLOYMENTS_MAX} deployed models. Delete the deployment of one that is not used.`,
  );
}
