import type { Schemas } from 'tunesmith';

type Stage = Pick<Schemas['StageMetrics'], 'training_loss' | 'held_out_loss'>;

/** The curves of a stage on one axis of steps, as a plot takes them: a value each, or null where there is none. */
export interface Curves {
  readonly steps: number[];
  readonly training: (number | null)[];
  readonly heldOut: (number | null)[];
  readonly learningRate: (number | null)[];
}

/** Puts training loss, held-out loss and learning rate on the axis of all steps that any of them has. */
export function curvesOf({ training_loss: training, held_out_loss: heldOut }: Stage): Curves {
  const losses = new Map(training.map((point) => [point.step, point]));
  const held = new Map(heldOut.map((point) => [point.step, point.loss]));
  const steps = [...new Set([...losses.keys(), ...held.keys()])].sort((a, b) => a - b);
  return {
    steps,
    training: steps.map((step) => losses.get(step)?.loss ?? null),
    heldOut: steps.map((step) => held.get(step) ?? null),
    learningRate: steps.map((step) => losses.get(step)?.learning_rate ?? null),
  };
}

const TABLE_ROWS_MAX = 40;

/** The steps of a table of the curves: all with a held-out loss, and of the others an evenly spread part. */
export function tableSteps({ steps, heldOut }: Curves): number[] {
  const every = Math.max(1, Math.ceil(steps.length / TABLE_ROWS_MAX));
  return steps.flatMap((_, at) =>
    at % every === 0 || at === steps.length - 1 || heldOut[at] !== null ? [at] : [],
  );
}
