import { buildExport } from '#shared/exports/wire/exporting.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { buildExport as contract } from '#shared/service/pipelines/background.ts';

export const handler = runTask(contract, { buildExport }, (input, { buildExport }) => buildExport(input));
