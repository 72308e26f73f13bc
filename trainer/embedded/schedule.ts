import type { StageHyperparams } from '#shared/training/schema/training-job.ts';
import { createRandom, shuffled } from './random.ts';

type RateSettings = Pick<
  StageHyperparams,
  'learning_rate' | 'lr_scheduler_type' | 'min_lr_ratio' | 'scheduler_num_cycles' | 'warmup_ratio'
>;

/**
 * The learning rate of a step (from 0) of `steps`: linear warm-up, then constant, linear decay, or cosine decay (SGDR,
 * Loshchilov and Hutter 2017, without restarts), down to `min_lr_ratio` of the full rate.
 */
export function rateAt(step: number, steps: number, settings: RateSettings): number {
  const { learning_rate: rate, min_lr_ratio: least } = settings;
  const warmup = Math.ceil(settings.warmup_ratio * steps);
  if (step < warmup) return (rate * (step + 1)) / warmup;
  const progress = (step - warmup) / Math.max(1, steps - warmup);
  switch (settings.lr_scheduler_type) {
    case 'constant':
      return rate;
    case 'linear':
      return rate * (least + (1 - least) * (1 - progress));
    case 'cosine': {
      const wave = (1 + Math.cos(2 * Math.PI * settings.scheduler_num_cycles * progress)) / 2;
      return rate * (least + (1 - least) * wave);
    }
  }
}

/** The rows of each step of a stage, by index. */
export interface BatchOrder {
  readonly steps: number;
  /** Step from 0. */
  batch(step: number): readonly number[];
  /** Whether an epoch, or the stage, ends with the step (from 0). */
  endsEpoch(step: number): boolean;
}

/** Every epoch visits all rows in a new order, by the seed; its last batch may be smaller. */
export function orderBatches(
  rows: number,
  { batchSize, epochs, seed }: { batchSize: number; epochs: number; seed: number },
): BatchOrder {
  const stepsOfEpoch = Math.ceil(rows / batchSize);
  const steps = Math.ceil(stepsOfEpoch * epochs);
  let shuffledEpoch = -1;
  let order: Uint32Array = new Uint32Array();
  return {
    steps,
    batch: (step) => {
      const epoch = Math.floor(step / stepsOfEpoch);
      if (epoch !== shuffledEpoch) {
        order = shuffled(rows, createRandom(seed, epoch));
        shuffledEpoch = epoch;
      }
      const from = (step % stepsOfEpoch) * batchSize;
      return [...order.subarray(from, from + batchSize)];
    },
    endsEpoch: (step) => (step + 1) % stepsOfEpoch === 0 || step + 1 === steps,
  };
}

/** A given order: the rows of each step. Epochs have the same number of steps as without it. */
export function givenOrder(
  batches: readonly (readonly number[])[],
  { rows, batchSize }: { rows: number; batchSize: number },
): BatchOrder {
  const stepsOfEpoch = Math.ceil(rows / batchSize);
  return {
    steps: batches.length,
    batch: (step) => batches[step] ?? [],
    endsEpoch: (step) => (step + 1) % stepsOfEpoch === 0 || step + 1 === batches.length,
  };
}
