import { datasets } from '#shared/datasets/wire.ts';
import { getCombineJob } from '#shared/growth/contracts/combine.ts';
import { toCombineJob } from '#shared/growth/decide/combine/combined-dataset.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  getCombineJob,
  { datasets: datasets('read') },
  async ({ caller, params }, { datasets }) => {
    const dataset = await datasets.find(params.combine_job_id);
    if (dataset?.team_id !== caller.team_id || dataset.kind !== 'combined') {
      throw new ServiceError('combine_job_not_found', 'There is no combine job with this id in your team.');
    }
    return toCombineJob(dataset);
  },
);
