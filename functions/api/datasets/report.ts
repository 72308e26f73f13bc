import { datasets } from '#shared/datasets/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { cursorKey } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { getRunReport } from '#shared/runs/contracts.ts';
import { readReport } from '#shared/runs/read-report.ts';
import { runs } from '#shared/runs/wire.ts';

export const handler = serve(
  getRunReport,
  { datasets: datasets('read'), runs: runs('read'), objects: objects({ read: ['runs'] }), cursorKey },
  async ({ caller, params, query }, { datasets, cursorKey, ...ports }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    return readReport(ports, dataset, query, await cursorKey());
  },
);
