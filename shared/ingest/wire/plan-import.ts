import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { planImport as plan } from '../plan-import.ts';

type PlanImport = (input: Parameters<typeof plan>[1]) => ReturnType<typeof plan>;

export const planImport = /* @__PURE__ */ need<PlanImport>(
  { table: 'read', bucket: { read: ['datasets'] } },
  (use) => {
    const ports = { datasets: createDatasetRepository(use(theTable)), objects: use(theObjects) };
    return (input) => plan(ports, input);
  },
);
