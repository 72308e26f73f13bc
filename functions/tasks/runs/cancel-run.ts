import { cancelRun as contract } from '#shared/lifecycle/background.ts';
import { cancelRun } from '#shared/lifecycle/cancel-run.ts';
import { endFailedRunNeeds } from '#shared/lifecycle/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { RUN_MACHINES } from '#shared/runs/decide/run-kinds.ts';
import { executions } from '#shared/runs/wire.ts';

export const handler = runTask(
  contract,
  {
    ...endFailedRunNeeds(),
    executions: executions({ stops: RUN_MACHINES }),
    clock,
  },
  (run, ports) => cancelRun(ports, run),
);
