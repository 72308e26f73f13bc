import { datasets } from '#shared/datasets/wire/datasets.ts';
import { getRow } from '#shared/exports/contracts.ts';
import { readRow } from '#shared/exports/wire/row-index.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  getRow,
  { datasets: datasets('read'), readRow },
  async ({ caller, params, query, signal }, { datasets, readRow }) => {
    const dataset = await datasets.require(caller, params.dataset_id);

    return readRow(dataset, { row: Number(params.row), ...query }, signal);
  },
);
