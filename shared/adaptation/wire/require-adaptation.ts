import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { requireAdaptation as require } from '../require-adaptation.ts';

type RequireAdaptation = (dataset: DatasetRecord, runId: string) => Promise<RunRecord>;

export const requireAdaptation = /* @__PURE__ */ need<RequireAdaptation>({ table: 'read' }, (use) => {
  const runs = createRunRepository(use(theTable));
  return (dataset, runId) => require(runs, dataset, runId);
});
