import {
  type DeploymentRecord,
  isUsedUp,
  type ServedDeployments,
} from '#shared/deployments/decide/record.ts';
import type { ServedTrainings } from '#shared/models/decide/answering-models.ts';

/** The trained models that answer by a deployment. */
export interface DeployedTrainings {
  /** The deployment of a training in any state; null without one. */
  find(experimentId: string): Promise<DeploymentRecord | null>;
  /** Why a deployment that is ready does not answer now; null if it does. */
  whyNot(deployment: DeploymentRecord): string | null;
  /** Notes an answer, so that the deployment is not deleted for lack of use. */
  noteUse(deployment: DeploymentRecord): Promise<void>;
}

export function createDeployedTrainings(
  deployments: Pick<ServedDeployments, 'find' | 'noteUse'>,
  now: () => number,
  hoursPerDay: number | null,
): DeployedTrainings {
  return {
    find: (experimentId) => deployments.find(experimentId),
    whyNot: (deployment) =>
      isUsedUp(deployment, hoursPerDay, now())
        ? `it has been kept ready for ${hoursPerDay} hours today, which is the most that this installation pays for in a day. It answers again from midnight (UTC).`
        : null,
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
      const { ids: listed, failure } = await served.list(signal);
      const ids = new Set(listed);
      for await (const { experiment_id, status, model_arn } of deployments.list()) {
        if (status === 'ready' && model_arn !== null) ids.add(experiment_id);
      }
      return { ids: [...ids], failure };
    },
  };
}
