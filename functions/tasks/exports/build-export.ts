import { buildExport as contract } from '#shared/exports/background.ts';
import { buildExport } from '#shared/exports/build-export.ts';
import { measureExport } from '#shared/exports/measure-export.ts';
import { exportBuild } from '#shared/exports/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  contract,
  exportBuild({ read: ['datasets', 'runs'], write: ['exports'], delete: ['exports'] }),
  (input, ports) => measureExport(input.format, () => buildExport(ports, input)),
);
