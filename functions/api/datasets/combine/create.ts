import { combineDatasets as contract } from '#shared/growth/contracts/combine.ts';
import { combineDatasets } from '#shared/growth/wire/combine-datasets.ts';
import { replyJson, serve } from '#shared/platform/runtime/serve.ts';
import { newUuid } from '#shared/platform/wire/ids.ts';

export const handler = serve(
  contract,
  { combineDatasets, newId: newUuid },
  async ({ caller, body, idempotencyKey, signal, now }, { combineDatasets, newId }) => {
    const key = idempotencyKey ?? newId();
    const job = await combineDatasets({ caller, request: body, idempotencyKey: key, signal, now });

    const headers = { 'idempotency-key': key };
    return job.status === 'succeeded'
      ? replyJson(200, { dataset_id: job.dataset_id }, headers)
      : replyJson(202, job, { ...headers, location: `/api/v1/datasets/combine/jobs/${job.combine_job_id}` });
  },
);
