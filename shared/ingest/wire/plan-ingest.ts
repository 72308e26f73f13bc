import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { planIngest as plan } from '../plan-ingest.ts';

type PlanIngest = (input: Parameters<typeof plan>[1]) => ReturnType<typeof plan>;

export const planIngest = /* @__PURE__ */ need<PlanIngest>(
  {
    table: 'read',
    bucket: {
      read: ['uploads', 'imports', 'datasets', 'runs'],
      write: ['datasets', 'imports'],
      delete: ['uploads'],
    },
  },
  (use) => {
    const ports = {
      datasets: createDatasetRepository(use(theTable)),
      runs: createRunRepository(use(theTable)),
      objects: use(theObjects),
    };
    return (input) => plan(ports, input);
  },
);
