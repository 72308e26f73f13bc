import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { watchTrainers as contract } from '#shared/training/background.ts';
import { removeLateOutputs, watchTrainers } from '#shared/training/wire/train.ts';

export const handler = runTask(
  contract,
  { watchTrainers, removeLateOutputs },
  async (_event, { watchTrainers, removeLateOutputs }, { now }) => {
    const { examined, givenUp, failures } = await watchTrainers(now);
    for (const each of givenUp) logger.warn('attempt of a trainer given up', { ...each });
    for (const { experiment_id, cause } of failures) {
      logger.error('trainer not watched', { experiment_id, ...describeError(cause) });
    }

    const late = await removeLateOutputs(now);
    for (const { cause, ...id } of late.failures) {
      logger.error('late output of a trainer not removed', { ...id, ...describeError(cause) });
    }

    return { examined, given_up: givenUp.length, cleared: late.cleared };
  },
);
