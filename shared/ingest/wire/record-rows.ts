import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createAppends } from '#shared/runs/store/appends.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { recordRows as record } from '../record-rows.ts';

type RecordRows = (input: Parameters<typeof record>[1]) => ReturnType<typeof record>;

export const recordRows = /* @__PURE__ */ need<RecordRows>(
  { table: 'write', bucket: { read: ['converted', 'datasets'], write: ['datasets'] } },
  (use) => {
    const ports = {
      datasets: createDatasetRepository(use(theTable)),
      runs: createRunRepository(use(theTable)),
      appends: createAppends(use(theTable)),
      objects: use(theObjects),
    };
    return (input) => record(ports, input);
  },
);
