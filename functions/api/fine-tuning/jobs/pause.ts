import { pauseFineTuningJob } from '#shared/openai/contracts/fine-tuning.ts';
import { cannotPause, requireJob } from '#shared/openai/decide/fine-tuning.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  pauseFineTuningJob,
  { trainings: trainings('read') },
  async ({ caller, params }, { trainings }) => {
    await requireJob(trainings, caller.team_id, params.fine_tuning_job_id);
    throw cannotPause('pause');
  },
);
