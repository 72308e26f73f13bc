import type { TrainingRecord } from '#shared/training/decide/record.ts';
import type { DeploymentRecord, DeploymentRepository } from './decide/record.ts';
import { type DeploymentSettings, toDeployment } from './decide/view.ts';
import type { Deployment } from './schema/deployment.ts';

export interface ShowDeploymentPorts {
  readonly deployments: Pick<DeploymentRepository, 'readyMinutes'>;
  readonly settings: DeploymentSettings;
}

/** The deployment of a training as callers see it, with what is left of their team's hours. */
export async function showDeployment(
  { deployments, settings }: ShowDeploymentPorts,
  training: TrainingRecord,
  record: DeploymentRecord | null,
  now: number,
): Promise<Deployment> {
  const readyMinutes =
    settings.hoursPerDay === null ? 0 : await deployments.readyMinutes(training.team_id, now);
  return toDeployment(settings, training, record, readyMinutes, now);
}
