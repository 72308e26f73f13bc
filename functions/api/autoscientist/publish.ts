import { datasets } from '#shared/datasets/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { publishModel } from '#shared/publishing/contracts.ts';
import { startModelPublication } from '#shared/publishing/start-model-publication.ts';
import { publicationQueue } from '#shared/publishing/wire.ts';
import { shownTraining } from '#shared/training/decide/record.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  publishModel,
  {
    ...publicationQueue,
    trainings: trainings('read'),
    datasets: datasets('read'),
    objects: objects({ read: ['trainings'] }),
  },
  async ({ caller, params, body, now }, ports) => {
    const training = shownTraining(await ports.trainings.find(caller.team_id, params.experiment_id));
    return startModelPublication(ports, training, body, now);
  },
);
