import { cancelRun as contract } from '#shared/lifecycle/background.ts';
import { cancelRun } from '#shared/lifecycle/wire/cancel-run.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(contract, { cancelRun }, (run, { cancelRun }) => cancelRun(run));
