import type { DeploymentRecord, ServedDeployments } from '#shared/deployments/decide/record.ts';
import type { ServedTrainings } from '#shared/models/decide/answering-models.ts';

/** The trained models that answer by a deployment. */
export interface DeployedTrainings {
  /** The deployment of a training in any state; null without one. */
  find(experimentId: string): Promise<DeploymentRecord | null>;
  /** Notes an answer, so that the deployment is not deleted for lack of use. */
  noteUse(deployment: DeploymentRecord): Promise<void>;
}

export function createDeployedTrainings(
  deployments: Pick<ServedDeployments, 'find' | 'noteUse'>,
  now: () => number,
): DeployedTrainings {
  return {
    find: (experimentId) => deployments.find(experimentId),
    noteUse: (deployment) => deployments.noteUse(deployment, now()),
  };
}

/** The trained models of an endpoint, and those that are deployed on AWS. */
export function withDeployments(
  served: Pick<ServedTrainings, 'list' | 'find'>,
  deployments: Pick<ServedDeployments, 'list'>,
): Pick<ServedTrainings, 'list' | 'find'> {
  return {
    find: (...asked) => served.find(...asked),
    async list(signal) {
      const ids = new Set(await served.list(signal));
      for await (const { experiment_id, status, model_arn } of deployments.list()) {
        if (status === 'ready' && model_arn !== null) ids.add(experiment_id);
      }
      return [...ids];
    },
  };
}
