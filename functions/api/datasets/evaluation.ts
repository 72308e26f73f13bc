import { getEvaluation } from '#shared/contracts/adaptation.ts';
import { evaluationStatus } from '#shared/domain/datasets/view.ts';
import { datasets } from '#shared/runtime/deps/datasets.ts';
import { objects } from '#shared/runtime/deps/objects.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  getEvaluation,
  { datasets: datasets('read'), objects: objects({ read: ['runs'] }) },
  async ({ caller, params }, { datasets, objects }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    const { dataset_id } = dataset;
    const evaluation = await datasets.findEvaluation(dataset_id);
    if (evaluation === null) return { dataset_id, status: null, quality: null, raw_results: null };

    const results = evaluation.results_key === null ? null : await objects.read(evaluation.results_key);

    return {
      dataset_id,
      status: evaluationStatus(dataset, evaluation),
      quality: evaluation.quality,
      raw_results: results === null ? null : JSON.parse(results.toString('utf8')),
    };
  },
);
