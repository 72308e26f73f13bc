import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { getTrainingMetrics } from '#shared/training/contracts.ts';
import { shownTraining } from '#shared/training/decide/record.ts';
import { visibleMetrics } from '#shared/training/decide/visible-texts.ts';
import { readMetrics } from '#shared/training/read-metrics.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  getTrainingMetrics,
  { trainings: trainings('read'), objects: objects({ read: ['trainings'] }) },
  async ({ caller, params }, ports) =>
    visibleMetrics(
      caller,
      await readMetrics(
        ports,
        shownTraining(await ports.trainings.find(caller.team_id, params.experiment_id)),
      ),
    ),
);
