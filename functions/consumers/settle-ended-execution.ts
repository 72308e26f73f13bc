import { settleEndedExecution as contract } from '#shared/lifecycle/background.ts';
import { settleEndedExecution } from '#shared/lifecycle/settle-ended-execution.ts';
import { anyRunEnd } from '#shared/lifecycle/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(contract, anyRunEnd(), ({ detail }, ports, { now }) =>
  settleEndedExecution(ports, { name: detail.name, status: detail.status, input: detail.input, now }),
);
