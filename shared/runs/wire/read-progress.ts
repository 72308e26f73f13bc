import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Progress } from '#shared/datasets/schema/dataset.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { readProgress as read } from '../read-progress.ts';
import { createRunRepository } from '../store/runs.ts';

type ReadProgress = (dataset: DatasetRecord) => Promise<Progress | null>;

export const readProgress = /* @__PURE__ */ need<ReadProgress>({ table: 'read' }, (use) => {
  const runs = createRunRepository(use(theTable));
  return (dataset) => read(runs, dataset);
});
