import { cancelFineTuningJob } from '#shared/openai/contracts/fine-tuning.ts';
import { requireJob, toJob } from '#shared/openai/decide/fine-tuning.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { freeUses } from '#shared/platform/wire.ts';
import { admitCancellation, cancelTraining } from '#shared/training/cancel-training.ts';
import { trainingCancellation } from '#shared/training/wire.ts';

export const handler = serve(
  cancelFineTuningJob,
  { ...trainingCancellation, freeUses },
  async ({ caller, params, now }, ports) => {
    const training = await requireJob(ports.trainings, caller.team_id, params.fine_tuning_job_id);
    await admitCancellation(ports, caller, training, now);
    return toJob(await cancelTraining(ports, training, now));
  },
);
