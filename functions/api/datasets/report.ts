import { getRunReport } from '#shared/contracts/reports.ts';
import { cursorKey } from '#shared/runtime/deps/cursor-key.ts';
import { datasets } from '#shared/runtime/deps/datasets.ts';
import { readReport } from '#shared/runtime/deps/read-report.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  getRunReport,
  { datasets: datasets('read'), readReport, cursorKey },
  async ({ caller, params, query }, { datasets, readReport, cursorKey }) => {
    const dataset = await datasets.require(caller, params.dataset_id);

    return readReport(dataset, query, await cursorKey());
  },
);
