import { combineDatasets } from '#shared/growth/combine-datasets.ts';
import { combineDatasets as contract } from '#shared/growth/contracts/combine.ts';
import { combinationCheck } from '#shared/growth/wire.ts';
import { replyJson, serve } from '#shared/platform/runtime/serve.ts';
import { newId } from '#shared/platform/wire.ts';
import { launchRun } from '#shared/runs/wire.ts';

export const handler = serve(
  contract,
  {
    ...combinationCheck,
    launchRun: launchRun(['combine'], { write: ['runs'] }),
    newId,
  },
  async ({ caller, body, idempotencyKey, signal, now }, ports) => {
    const key = idempotencyKey ?? ports.newId();
    const job = await combineDatasets(ports, { caller, request: body, idempotencyKey: key, signal, now });

    const headers = { 'idempotency-key': key };
    return job.status === 'succeeded'
      ? replyJson(200, { dataset_id: job.dataset_id }, headers)
      : replyJson(202, job, { ...headers, location: `/api/v1/datasets/combine/jobs/${job.combine_job_id}` });
  },
);
