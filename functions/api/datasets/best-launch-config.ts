import { getBestLaunchConfig } from '#shared/contracts/datasets.ts';
import { datasets } from '#shared/runtime/deps/datasets.ts';
import { serve } from '#shared/runtime/serve.ts';

/** No training can be launched yet, so no job qualifies: callers are told what they are told of any untrained dataset. */
export const handler = serve(
  getBestLaunchConfig,
  { datasets: datasets('read') },
  async ({ caller, params }, { datasets }) => {
    await datasets.require(caller, params.dataset_id);

    return { best_job_config: null };
  },
);
