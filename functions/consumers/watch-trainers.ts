import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { watchTrainers as contract } from '#shared/training/background.ts';
import { watchTrainers } from '#shared/training/wire/train.ts';

export const handler = runTask(contract, { watchTrainers }, async (_event, { watchTrainers }, { now }) => {
  const { examined, givenUp, failures } = await watchTrainers(now);
  for (const each of givenUp) logger.warn('attempt of a trainer given up', { ...each });
  for (const { experiment_id, cause } of failures) {
    logger.error('trainer not watched', { experiment_id, ...describeError(cause) });
  }

  return { examined, given_up: givenUp.length };
});
