import { getBestLaunchConfig } from '#shared/datasets/contracts.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { bestLaunch } from '#shared/training/decide/best-launch.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { finetuneJobs, trainings } from '#shared/training/wire.ts';

const PAGE = 100;

export const handler = serve(
  getBestLaunchConfig,
  { datasets: datasets('read'), trainings: trainings('read'), finetuneJobs },
  async ({ caller, params }, { datasets, trainings, finetuneJobs }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    const { dataset_id: datasetId } = dataset;
    const read: TrainingRecord[] = [];
    let after: string | null = null;
    do {
      const page = await trainings.list(caller.team_id, { datasetId, limit: PAGE, after });
      read.push(...page.trainings);
      after = page.next;
    } while (after !== null && read.every(({ best }) => best === null));

    // Imported jobs count if the dataset has no training of this service.
    const jobs = read.length === 0 ? await finetuneJobs.list(datasetId) : [];
    return { best_job_config: bestLaunch(dataset, read, jobs) };
  },
);
