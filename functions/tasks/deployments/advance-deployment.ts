import { advanceDeployment } from '#shared/deployments/advance-deployment.ts';
import { advanceDeployment as contract } from '#shared/deployments/background.ts';
import {
  baseModels,
  deploymentSettings,
  deployments,
  modelEndpoints,
  modelImporter,
  modelServer,
  reportOverdue,
} from '#shared/deployments/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { claims, findConnection } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { theArchives } from '#shared/publishing/wire.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = runTask(
  contract,
  {
    deployments: deployments('write'),
    trainings: trainings('read'),
    objects: objects({ read: ['trainings'], write: ['trainings'], delete: ['trainings'] }),
    claims: claims('write'),
    settings: deploymentSettings,
    unpack: need({}, (use) => use(theArchives)),
    baseModels,
    findConnection,
    importer: modelImporter,
    endpoints: modelEndpoints,
    modelServer,
    clock,
  },
  ({ experiment_id }, { settings, ...ports }, { deadline, requestId }) => {
    const onError = (error: unknown): void => {
      logger.error('deployment not advanced', { experiment_id, ...describeError(error) });
    };
    const { idleDays, hoursPerDay } = settings;
    return advanceDeployment(
      { ...ports, idleDays, hoursPerDay, onError, onOverdue: reportOverdue },
      experiment_id,
      deadline,
      requestId,
    );
  },
);
