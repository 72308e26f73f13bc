import { buildExport as contract } from '#shared/pipelines/background.ts';
import { buildExport } from '#shared/runtime/deps/exporting.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(contract, { buildExport }, (input, { buildExport }) => buildExport(input));
