import { datasets } from '#shared/datasets/wire.ts';
import { createCustomEval as contract } from '#shared/judging/contracts.ts';
import { createCustomEval } from '#shared/judging/custom-evals.ts';
import { customEvals } from '#shared/judging/wire.ts';
import { modelId } from '#shared/models/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { freeUses, newId } from '#shared/platform/wire.ts';
import { executions, runs } from '#shared/runs/wire.ts';

export const handler = serve(
  contract,
  {
    datasets: datasets('read'),
    runs: runs('read'),
    customEvals: customEvals('write'),
    freeUses,
    executions: executions({ starts: ['custom-eval'] }),
    judgeId: modelId('judge'),
    newId,
  },
  ({ caller, params, body, now }, { judgeId, ...ports }) =>
    createCustomEval(
      { ...ports, hasJudge: judgeId !== null },
      { caller, datasetId: params.dataset_id, request: body, now },
    ),
);
