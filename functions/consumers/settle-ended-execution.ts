import { settleEndedExecution as contract } from '#shared/lifecycle/background.ts';
import { settleEndedExecution } from '#shared/lifecycle/wire/settle-ended-execution.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  contract,
  { settleEndedExecution },
  ({ detail }, { settleEndedExecution }, { now }) =>
    settleEndedExecution({ name: detail.name, status: detail.status, input: detail.input, now }),
);
