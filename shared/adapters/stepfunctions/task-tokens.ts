import {
  InvalidToken,
  SendTaskFailureCommand,
  SFNClient,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import type { TaskTokens } from '../../domain/training/trainer-queue.ts';

export function createTaskTokens(client = new SFNClient({})): TaskTokens {
  return {
    async fail(taskToken, error, cause) {
      try {
        await client.send(new SendTaskFailureCommand({ taskToken, error, cause }));
        return true;
      } catch (failure) {
        const isOver =
          failure instanceof TaskTimedOut ||
          failure instanceof TaskDoesNotExist ||
          failure instanceof InvalidToken;
        if (isOver) return false;
        throw failure;
      }
    },
  };
}
