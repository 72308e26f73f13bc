import { getDataset } from '#shared/datasets/contracts.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { toDataset } from '#shared/runs/decide/view.ts';
import { readProgress } from '#shared/runs/read-progress.ts';
import { runs } from '#shared/runs/wire.ts';

export const handler = serve(
  getDataset,
  { datasets: datasets('read'), runs: runs('read') },
  async ({ caller, params }, { datasets, runs }) => {
    const dataset = await datasets.require(caller, params.dataset_id);

    return toDataset(dataset, await readProgress(runs, dataset));
  },
);
