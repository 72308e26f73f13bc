import { serve } from '#shared/platform/runtime/serve.ts';
import { getTraining } from '#shared/training/contracts.ts';
import { shownTraining, toTrainingRun } from '#shared/training/decide/record.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  getTraining,
  { trainings: trainings('read') },
  async ({ caller, params }, { trainings }) => {
    const training = shownTraining(await trainings.find(caller.team_id, params.experiment_id));
    return toTrainingRun(training);
  },
);
