import {
  InvalidToken,
  SendTaskFailureCommand,
  SFNClient,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import type { TaskTokens } from '../decide/trainer-queue.ts';

/** Whether the task of the `told` call was still waiting; other failures are thrown. */
export async function wasAwaited(told: Promise<unknown>): Promise<boolean> {
  try {
    await told;
    return true;
  } catch (error) {
    const isOver =
      error instanceof TaskTimedOut || error instanceof TaskDoesNotExist || error instanceof InvalidToken;
    if (isOver) return false;
    throw error;
  }
}

export function createTaskTokens(client = new SFNClient({})): TaskTokens {
  return {
    fail: (taskToken, error, cause) =>
      wasAwaited(client.send(new SendTaskFailureCommand({ taskToken, error, cause }))),
  };
}
