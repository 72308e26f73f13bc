import { datasets } from '#shared/datasets/wire.ts';
import { listRows as contract } from '#shared/exports/contracts.ts';
import { listRows } from '#shared/exports/read-rows.ts';
import { rowReads, startLook } from '#shared/exports/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  contract,
  { ...rowReads, startLook, datasets: datasets('read') },
  async ({ caller, params, query, signal, now }, { datasets, ...ports }) => {
    const dataset = await datasets.require(caller, params.dataset_id);

    return listRows(ports, dataset, query, { signal, now });
  },
);
