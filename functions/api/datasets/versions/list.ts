import { listVersions as contract } from '#shared/datasets/contracts.ts';
import { datasets, versions } from '#shared/datasets/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { listVersions } from '#shared/runs/list-versions.ts';
import { runs } from '#shared/runs/wire.ts';

export const handler = serve(
  contract,
  { datasets: datasets('read'), versions: versions('read'), runs: runs('read') },
  async ({ caller, params, query: { limit, before } }, { datasets, ...ports }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    return listVersions(ports, dataset, {
      ...(limit === undefined ? {} : { limit }),
      before: before ?? null,
    });
  },
);
