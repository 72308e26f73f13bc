import { eraseVersion as contract } from '#shared/lifecycle/background.ts';
import { eraseVersion } from '#shared/lifecycle/wire/erase-version.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(contract, { eraseVersion }, (input, { eraseVersion }) => eraseVersion(input));
