import { buildDiff as contract } from '#shared/exports/background.ts';
import { buildDiff } from '#shared/exports/wire/diff.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(contract, { buildDiff }, (input, { buildDiff }) => buildDiff(input));
