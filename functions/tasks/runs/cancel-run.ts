import { cancelRun } from '#shared/lifecycle/wire/cancel-run.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { cancelRun as contract } from '#shared/service/pipelines/background.ts';

export const handler = runTask(contract, { cancelRun }, (run, { cancelRun }) => cancelRun(run));
