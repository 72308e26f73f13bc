import { endInterruptedRun as contract } from '#shared/lifecycle/background.ts';
import { endInterruptedRun } from '#shared/lifecycle/end-interrupted-run.ts';
import { endFailedRunNeeds } from '#shared/lifecycle/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { RUN_MACHINES } from '#shared/runs/decide/run-kinds.ts';
import { executions } from '#shared/runs/wire.ts';

export const handler = runTask(
  contract,
  { ...endFailedRunNeeds(), executions: executions({ observes: RUN_MACHINES }) },
  ({ detail }, ports, { now }) =>
    endInterruptedRun(ports, { name: detail.name, status: detail.status, input: detail.input, now }),
);
