import { handler as deploy } from '#functions/api/autoscientist/deploy.ts';
import { handler as remove } from '#functions/api/autoscientist/deployment/delete.ts';
import { handler as get } from '#functions/api/autoscientist/deployment/get.ts';
import type { DeploymentRecord } from '#shared/deployments/decide/record.ts';
import { createDeploymentRepository } from '#shared/deployments/store/deployments.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { seedTeam } from './records.ts';
import { bestOf, endTrainingNow, launchTraining, seedTrainable } from './training.ts';
import { createWorld } from './world.ts';

export const LLAMA = 'meta-llama/Llama-3.2-3B-Instruct';
export const ADVANCE = 'tasks/deployments/advance-deployment';

/** An installation that imports models. */
export const IMPORTING = {
  platforms: ['amazon_bedrock'],
  region: 'eu-central-1',
  idleDays: 14,
  hoursPerDay: 8,
  stage: 'dev',
};

/** A deployment that answers, as it is stored. */
export const makeDeployment = (changes: Partial<DeploymentRecord> = {}): DeploymentRecord => ({
  experiment_id: '8c9f1c9e-53d5-4a3b-9d0e-0d6c6f0c2b11',
  dataset_id: '8c9f1c9e-53d5-4a3b-9d0e-0d6c6f0c2b12',
  team_id: 'team',
  model: LLAMA,
  platform: 'amazon_sagemaker',
  status: 'ready',
  name: 'tunesmith-dev-1',
  base: null,
  job_arn: null,
  model_arn: 'arn',
  units_per_copy: null,
  copies: 1,
  copies_seen_at: null,
  unsettled_since: null,
  waits_for: null,
  waits_since: null,
  retry_at: null,
  warm_until: null,
  failures: 0,
  reason: null,
  created_at: '2026-11-01T12:00:00.000Z',
  ready_at: '2026-11-01T12:20:00.000Z',
  last_used_at: null,
  ...changes,
});

/** A team with a trained model that can be deployed, and the endpoints of its deployment. */
export async function startDeploying() {
  const world = createWorld();
  const owner = await seedTeam(world.store, 0);
  const store = createDeploymentRepository(world.table);

  async function seedModel(model = LLAMA): Promise<TrainingRecord> {
    const dataset = await seedTrainable(world, owner);
    const launched = await launchTraining(world, dataset, { model });
    const best = bestOf(launched.experiment_id);
    await endTrainingNow(world, launched, { best });
    await world.objects.write(best.artifact_key, 'model', 'application/gzip');
    world.invoked.length = 0;
    return launched;
  }

  const training = await seedModel();
  const asked = (experiment_id: string, as: Caller) => ({ as, params: { experiment_id } });
  return {
    world,
    owner,
    store,
    training,
    seedModel,
    deploy: (of = training.experiment_id, as = owner, settings: object = IMPORTING) =>
      world.call(deploy, asked(of, as), { settings }),
    read: (of = training.experiment_id, as = owner, settings: object = IMPORTING) =>
      world.call(get, asked(of, as), { settings }),
    end: (of = training.experiment_id, as = owner) =>
      world.call(remove, asked(of, as), { settings: IMPORTING }),
    async change(changes: Partial<DeploymentRecord>, of = training.experiment_id): Promise<DeploymentRecord> {
      const record = await store.find(of);
      if (record === null) throw new Error('There is no deployment.');
      await store.update(record, changes, ['queued', 'preparing', 'importing', 'ready', 'failed']);
      return record;
    },
  };
}
