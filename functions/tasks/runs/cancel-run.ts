import { cancelRun as contract } from '#shared/pipelines/background.ts';
import { cancelRun } from '#shared/runtime/deps/cancel-run.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(contract, { cancelRun }, (run, { cancelRun }) => cancelRun(run));
