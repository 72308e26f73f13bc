import { type DatasetEvent, newEvent } from '#shared/events/decide/event.ts';
import type { TrainingRecord } from './record.ts';

/**
 * What the end of an iteration says to those who wait for it.
 * @param training as the iteration leaves it
 */
export function iterationEvent(training: TrainingRecord, at: string): DatasetEvent {
  const { experiment_id, dataset_id, comparison, iterations_completed: iteration, best } = training;
  return newEvent(
    {
      type: 'training.iteration_ended',
      data: {
        experiment_id,
        kind: comparison === undefined ? 'training' : 'comparison',
        iteration,
        iterations_failed: training.iterations_failed,
        best_win_rate: best?.win_rate ?? null,
      },
    },
    `${experiment_id} ${iteration}`,
    { datasetId: dataset_id, at },
  );
}
