import {
  type DeploymentRecord,
  minutesOf,
  type ServedDeployments,
} from '#shared/deployments/decide/record.ts';
import type { ServedTrainings } from '#shared/models/decide/answering-models.ts';

/** The trained models that answer by a deployment. */
export interface DeployedTrainings {
  /** The deployment of a training in any state; null without one. */
  find(experimentId: string): Promise<DeploymentRecord | null>;
  /** Why a deployment that is ready does not answer now; null if it does. */
  whyNot(deployment: DeploymentRecord): Promise<string | null>;
  /** Notes that the model is asked, which keeps it ready and from being deleted. @returns why it may not be asked; null if it may */
  noteUse(deployment: DeploymentRecord): Promise<string | null>;
}

export function createDeployedTrainings(
  deployments: Pick<ServedDeployments, 'find' | 'noteUse' | 'readyMinutes'>,
  now: () => number,
  hoursPerDay: number | null,
): DeployedTrainings {
  const minutesMax = minutesOf(hoursPerDay);
  const usedUp = `the models of your team have been kept ready for ${hoursPerDay} hours today, which is the most that this installation pays for in a day. They answer again from midnight (UTC).`;
  /** What has been counted for it is paid: it answers until then. */
  const isReady = ({ warm_until }: DeploymentRecord): boolean =>
    warm_until !== null && Date.parse(warm_until) > now();
  return {
    find: (experimentId) => deployments.find(experimentId),
    whyNot: async (deployment) =>
      minutesMax !== null &&
      !isReady(deployment) &&
      (await deployments.readyMinutes(deployment.team_id, now())) >= minutesMax
        ? usedUp
        : null,
    noteUse: async (deployment) =>
      (await deployments.noteUse(deployment, now(), minutesMax)) || isReady(deployment) ? null : usedUp,
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
