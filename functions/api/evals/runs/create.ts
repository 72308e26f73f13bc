import { datasets } from '#shared/datasets/wire.ts';
import { createEvalRun as contract } from '#shared/evals/contracts.ts';
import { toEvalRun } from '#shared/evals/decide/records.ts';
import { createEvalRun } from '#shared/evals/manage-evals.ts';
import { evals, onEvalFailure, startEvalWorker } from '#shared/evals/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { claims, newId } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { answeringModels } from '#shared/responses/wire.ts';

export const handler = serve(
  contract,
  {
    evals: evals('write'),
    datasets: datasets('read'),
    objects: objects({ write: ['evals'], delete: ['evals'] }),
    claims: claims('write'),
    models: answeringModels,
    start: startEvalWorker,
    onFailure: onEvalFailure,
    clock,
    newId,
  },
  async ({ caller, params, body, now }, ports) =>
    toEvalRun(await createEvalRun(ports, { caller, evalId: params.eval_id, request: body, now }), now),
);
