import { getEvaluation } from '#shared/adaptation/contracts/adaptation.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { evaluatedRunId, evaluationStatus } from '#shared/runs/decide/view.ts';

export const handler = serve(
  getEvaluation,
  { datasets: datasets('read'), objects: objects({ read: ['runs'] }) },
  async ({ caller, params }, { datasets, objects }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    const all = await datasets.listEvaluations(dataset.dataset_id);
    const runId = evaluatedRunId(dataset);
    const evaluation = all.find(({ run_id }) => run_id === runId) ?? null;
    const key = evaluation?.results_key ?? null;
    const results = key === null ? null : await objects.read(key);

    return {
      dataset_id: dataset.dataset_id,
      status: evaluationStatus(dataset, evaluation),
      quality: evaluation?.quality ?? null,
      raw_results: results === null ? null : JSON.parse(results.toString('utf8')),
      history: all
        .filter((each) => each !== evaluation)
        .map((each) => ({
          run_id: each.run_id,
          status: evaluationStatus(dataset, each),
          quality: each.quality,
          started_at: each.started_at,
        })),
    };
  },
);
