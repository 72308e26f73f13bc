import { listFineTuningJobEvents } from '#shared/openai/contracts/fine-tuning.ts';
import { requireJob, toEvents } from '#shared/openai/decide/fine-tuning.ts';
import { cutPage } from '#shared/openai/decide/page.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { readMetrics } from '#shared/training/read-metrics.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  listFineTuningJobEvents,
  { trainings: trainings('read'), objects: objects({ read: ['trainings'] }) },
  async ({ caller, params, query }, ports) => {
    const training = await requireJob(ports.trainings, caller.team_id, params.fine_tuning_job_id);
    return cutPage(toEvents(training, await readMetrics(ports, training)), query);
  },
);
