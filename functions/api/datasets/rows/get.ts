import { datasets } from '#shared/datasets/wire.ts';
import { getRow } from '#shared/exports/contracts.ts';
import { readRow } from '#shared/exports/read-rows.ts';
import { rowReads } from '#shared/exports/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  getRow,
  { ...rowReads, datasets: datasets('read') },
  async ({ caller, params, query, signal }, { datasets, ...ports }) => {
    const dataset = await datasets.require(caller, params.dataset_id);

    return readRow(ports, dataset, { row: Number(params.row), ...query }, signal);
  },
);
