import type { DeploymentRecord, DeploymentRepository } from './decide/record.ts';

export interface RetireDeploymentPorts {
  readonly deployments: Pick<DeploymentRepository, 'find' | 'update'>;
  readonly start: (input: { readonly experiment_id: string }) => Promise<void>;
}

/** Has a deployment deleted, if there is one: its model stops answering at once, and the platform's copy goes in the background. */
export async function retireDeployment(
  { deployments, start }: RetireDeploymentPorts,
  experimentId: string,
): Promise<DeploymentRecord | null> {
  const found = await deployments.find(experimentId);
  if (found === null) return null;
  // Also one that is being deleted because it failed: nothing is to be left of it.
  const states = ['queued', 'preparing', 'importing', 'ready', 'failed', 'deleting'] as const;
  await deployments.update(found, { status: 'deleting', reason: null }, states);
  await start({ experiment_id: experimentId });
  return deployments.find(experimentId);
}
