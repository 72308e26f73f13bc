import { getTraining } from '#shared/contracts/training.ts';
import { toTrainingRun, trainingNotFound } from '#shared/domain/training/record.ts';
import { trainings } from '#shared/runtime/deps/trainings.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(getTraining, { trainings }, async ({ caller, params }, { trainings }) => {
  const training = await trainings.find(caller.team_id, params.experiment_id);
  if (training === null) throw trainingNotFound();
  return toTrainingRun(training);
});
