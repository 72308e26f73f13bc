import { CURVE_POINTS_MAX, type TrainerReport } from '../schema/training-job.ts';

type Stages = TrainerReport['stages'];

/** At most `most` of the points, evenly spread, the first and the last included. */
export function thinned<T>(points: readonly T[], most: number): T[] {
  if (points.length <= most) return [...points];
  const last = points.length - 1;
  return Array.from({ length: most }, (_, index) => {
    const at = Math.floor((index * last) / Math.max(1, most - 1));
    return points[at] as T;
  });
}

/** The same stages with as many points as an iteration may have, in equal shares of `count` stages. */
export function boundCurves(stages: Stages, count: number = stages.length): Stages {
  const most = Math.floor(CURVE_POINTS_MAX / Math.max(1, count));
  return stages.map((stage) => ({
    ...stage,
    train_loss: thinned(stage.train_loss, most),
    held_out_loss: thinned(stage.held_out_loss, most),
  }));
}
