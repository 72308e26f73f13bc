import { serve } from '#shared/platform/runtime/serve.ts';
import { getModelPublication } from '#shared/publishing/contracts.ts';
import { shownPublication, toPublication } from '#shared/publishing/decide/record.ts';
import { publications } from '#shared/publishing/wire.ts';
import { shownTraining } from '#shared/training/decide/record.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  getModelPublication,
  { trainings: trainings('read'), publications: publications('read') },
  async ({ caller, params, now }, { trainings, publications }) => {
    const training = shownTraining(await trainings.find(caller.team_id, params.experiment_id));
    const found = await publications.find(training.dataset_id, params.publish_id);
    return toPublication(shownPublication(found, training.experiment_id), now);
  },
);
