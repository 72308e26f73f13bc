import { combineDatasets as contract } from '#shared/contracts/combine.ts';
import { combineDatasets } from '#shared/runtime/deps/combine-datasets.ts';
import { newUuid } from '#shared/runtime/deps/ids.ts';
import { replyJson, serve } from '#shared/runtime/serve.ts';

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
