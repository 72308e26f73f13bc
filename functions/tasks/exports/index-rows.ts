import { indexRows as contract } from '#shared/exports/background.ts';
import { indexRows } from '#shared/exports/wire/row-index.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(contract, { indexRows }, (input, { indexRows }) => indexRows(input));
