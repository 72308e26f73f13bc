import { datasets } from '#shared/datasets/wire.ts';
import { describeAppend } from '#shared/ingest/append-rows.ts';
import { getAppend } from '#shared/ingest/contracts.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { runs } from '#shared/runs/wire.ts';

export const handler = serve(
  getAppend,
  { datasets: datasets('read'), runs: runs('read') },
  async ({ caller, params }, { datasets, runs }) => {
    const { dataset_id } = await datasets.require(caller, params.dataset_id);
    return describeAppend(await runs.find(dataset_id, params.append_id));
  },
);
