import { buildExport as contract } from '#shared/exports/background.ts';
import { buildExport } from '#shared/exports/wire/exporting.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(contract, { buildExport }, (input, { buildExport }) => buildExport(input));
