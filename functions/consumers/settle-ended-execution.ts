import { endInterruptedRun as contract } from '#shared/lifecycle/background.ts';
import { endInterruptedRun } from '#shared/lifecycle/end-interrupted-run.ts';
import { endFailedRunNeeds } from '#shared/lifecycle/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(contract, endFailedRunNeeds(), ({ detail }, ports, { now }) =>
  endInterruptedRun(ports, { name: detail.name, status: detail.status, input: detail.input, now }),
);
