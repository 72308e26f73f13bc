import { serve } from '#shared/platform/runtime/serve.ts';
import { getTrainingMetrics } from '#shared/training/contracts.ts';
import { shownTraining } from '#shared/training/decide/record.ts';
import { readMetrics } from '#shared/training/wire/read-metrics.ts';
import { trainings } from '#shared/training/wire/trainings.ts';

export const handler = serve(
  getTrainingMetrics,
  { trainings, readMetrics },
  async ({ caller, params }, { trainings, readMetrics }) => {
    return readMetrics(shownTraining(await trainings.find(caller.team_id, params.experiment_id)));
  },
);
