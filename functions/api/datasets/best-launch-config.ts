import { getBestLaunchConfig } from '#shared/contracts/datasets.ts';
import { bestLaunch } from '#shared/domain/training/best-launch.ts';
import { datasets } from '#shared/runtime/deps/datasets.ts';
import { finetuneJobs } from '#shared/runtime/deps/finetune-jobs.ts';
import { trainings } from '#shared/runtime/deps/trainings.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  getBestLaunchConfig,
  { datasets: datasets('read'), trainings, finetuneJobs },
  async ({ caller, params }, { datasets, trainings, finetuneJobs }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    const { dataset_id: datasetId } = dataset;
    const [page, jobs] = await Promise.all([
      trainings.list(caller.team_id, { datasetId, limit: 1, after: null }),
      finetuneJobs.list(datasetId),
    ]);

    return { best_job_config: bestLaunch(dataset, page.trainings[0] ?? null, jobs) };
  },
);
