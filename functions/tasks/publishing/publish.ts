import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { publish as contract } from '#shared/publishing/background.ts';
import { publish } from '#shared/publishing/publish.ts';
import { publisher } from '#shared/publishing/wire.ts';

export const handler = runTask(contract, publisher, (input, ports) =>
  publish(
    {
      ...ports,
      onError: (error) => logger.error('publication failed', { ...input, ...describeError(error) }),
    },
    input,
  ),
);
