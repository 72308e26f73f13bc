import { datasets } from '#shared/datasets/wire/datasets.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { cursorKey } from '#shared/platform/wire/cursor-key.ts';
import { getRunReport } from '#shared/runs/contracts.ts';
import { readReport } from '#shared/runs/wire/read-report.ts';

export const handler = serve(
  getRunReport,
  { datasets: datasets('read'), readReport, cursorKey },
  async ({ caller, params, query }, { datasets, readReport, cursorKey }) => {
    const dataset = await datasets.require(caller, params.dataset_id);

    return readReport(dataset, query, await cursorKey());
  },
);
