import { sweepDeployments } from '#shared/deployments/sweep-deployments.ts';
import { deploymentSettings, deployments, startDeploying } from '#shared/deployments/wire.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { recordMetric } from '#shared/platform/runtime/metrics.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { runs } from '#shared/runs/wire.ts';
import { watchTrainers as contract } from '#shared/training/background.ts';
import { removeLateOutputs } from '#shared/training/remove-late-outputs.ts';
import { watchTrainers } from '#shared/training/watch-trainers.ts';
import { taskTokens, trainings } from '#shared/training/wire.ts';

export const handler = runTask(
  contract,
  {
    runs: runs('read'),
    trainings: trainings('write'),
    objects: objects({ read: ['trainings'], delete: ['trainings'] }),
    tokens: taskTokens,
    deployments: deployments('read'),
    deploymentSettings,
    startDeploying,
  },
  async (_event, ports, { now }) => {
    const { examined, givenUp, failures } = await watchTrainers(ports, now);
    for (const each of givenUp) logger.warn('attempt of a trainer given up', { ...each });
    for (const { experiment_id, cause } of failures) {
      logger.error('trainer not watched', { experiment_id, ...describeError(cause) });
    }

    const late = await removeLateOutputs(ports, now);
    for (const { cause, ...id } of late.failures) {
      logger.error('late output of a trainer not removed', { ...id, ...describeError(cause) });
    }

    const { deployments, deploymentSettings: settings, startDeploying: start } = ports;
    const advanced = await sweepDeployments({ deployments, idleDays: settings.idleDays, start }, now);

    if (settings.platforms.some((each) => each !== 'model_server')) recordMetric('DeploymentSweeps', {});

    return { examined, given_up: givenUp.length, cleared: late.cleared, deployments: advanced };
  },
);
