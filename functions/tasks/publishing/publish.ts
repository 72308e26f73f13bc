import { runTask } from '#shared/platform/runtime/task.ts';
import { publish as contract } from '#shared/publishing/background.ts';
import { publish } from '#shared/publishing/wire/publish.ts';

export const handler = runTask(contract, { publish }, (input, { publish }) => publish(input));
