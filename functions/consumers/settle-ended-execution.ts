import { settleEndedExecution as contract } from '#shared/pipelines/background.ts';
import { settleEndedExecution } from '#shared/runtime/deps/settle-ended-execution.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  contract,
  { settleEndedExecution },
  ({ detail }, { settleEndedExecution }, { now }) =>
    settleEndedExecution({ name: detail.name, status: detail.status, input: detail.input, now }),
);
