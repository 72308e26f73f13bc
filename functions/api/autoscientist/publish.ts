import { serve } from '#shared/platform/runtime/serve.ts';
import { publishModel } from '#shared/publishing/contracts.ts';
import { startModelPublication } from '#shared/publishing/wire/publications.ts';
import { shownTraining } from '#shared/training/decide/record.ts';
import { trainings } from '#shared/training/wire/trainings.ts';

export const handler = serve(
  publishModel,
  { trainings, startModelPublication },
  async ({ caller, params, body, now }, { trainings, startModelPublication }) => {
    const training = shownTraining(await trainings.find(caller.team_id, params.experiment_id));

    return startModelPublication(training, body, now);
  },
);
