import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { theLaunchRun } from '#shared/runs/wire/launch-run.ts';
import { startImport as start } from '../start-import.ts';

type StartImport = (input: Parameters<typeof start>[1]) => ReturnType<typeof start>;

export const startImport = /* @__PURE__ */ need<StartImport>(
  { table: 'write', credits: 'write', bucket: { write: ['datasets'] }, starts: ['import'] },
  (use) => {
    const ports = {
      datasets: createDatasetRepository(use(theTable)),
      objects: use(theObjects),
      launchRun: theLaunchRun(use),
    };
    return (input) => start(ports, input);
  },
);
