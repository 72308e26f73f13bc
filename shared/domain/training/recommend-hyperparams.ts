import type { Hyperparams, TuningMethod } from '../../schema/training.ts';
import type { CatalogModel, ModelFamily } from './catalog.ts';

/**
 * Exponents of the width in the learning rate, from Thinking Machines' sweeps (tinker-cookbook, `hyperparam_utils`).
 * Families that were not swept get that of Llama, the lower rate for every model wider than 2,000.
 */
const WIDTH_EXPONENT: Readonly<Record<ModelFamily, number>> = { qwen: 0.0775, llama: 0.781, other: 0.781 };
const LEARNING_RATE_FULL = 5e-5;
/** Adapters learn at ten times the rate of all weights (Schulman et al., LoRA Without Regret, 2025). */
const LORA_FACTOR = 10;
/** DPO moves a model that can already answer: rates near those of SFT make it forget (Rafailov et al., 2023). */
const LEARNING_RATE_DPO = 1e-5;
const LEARNING_RATE_MAX = 0.01;

const EPOCHS_MAX = 20;
/** Optimiser steps below which little is learned, and those after which more epochs over the same rows stop helping. */
const STEPS_MIN = 100;
const STEPS_ENOUGH = 1000;
const EPOCHS_FOR_ENOUGH_STEPS = { sft: 4, dpo: 2 } as const satisfies Record<TuningMethod, number>;

/** Rows below which half the rank has capacity to spare. */
const ROWS_FOR_FULL_RANK = 5000;
const LORA_RANK = { small: 16, full: 32 } as const;

/**
 * The learning rate: 5e-5 × (2000 / width)^P, times ten for adapters; of DPO 1e-5.
 * @returns two significant digits
 */
export function learningRateFor(
  { width, family }: Pick<CatalogModel, 'width' | 'family'>,
  method: TuningMethod,
): number {
  if (method === 'dpo') return LEARNING_RATE_DPO;
  const rate = LEARNING_RATE_FULL * LORA_FACTOR * (2000 / width) ** WIDTH_EXPONENT[family];
  return Number(Math.min(LEARNING_RATE_MAX, rate).toPrecision(2));
}

/**
 * Epochs so that the optimiser makes at least 100 steps, and towards 1,000 as long as that takes no more than four
 * epochs (two of preference pairs, which are remembered sooner).
 */
export function epochsFor(rows: number, batch: number, method: TuningMethod): number {
  const epochsOf = (steps: number): number => Math.ceil((steps * batch) / Math.max(1, rows));
  const towardsEnough = Math.min(EPOCHS_FOR_ENOUGH_STEPS[method], epochsOf(STEPS_ENOUGH));
  return Math.min(EPOCHS_MAX, Math.max(1, epochsOf(STEPS_MIN), towardsEnough));
}

/**
 * The hyperparameters (spec §2.11) that a run is launched with where its caller names none. They follow from the model
 * and the number of rows alone, so the same question gets the same answer.
 */
export function recommendHyperparams(
  model: CatalogModel,
  task: { method: TuningMethod; rows: number },
): Hyperparams {
  const { method, rows } = task;
  const rank = rows < ROWS_FOR_FULL_RANK ? LORA_RANK.small : LORA_RANK.full;
  return {
    training_type: 'lora',
    n_epochs: epochsFor(rows, model.batch_max[method], method),
    learning_rate: learningRateFor(model, method),
    batch_size: 'max',
    lora_r: rank,
    lora_alpha: 2 * rank,
    lora_dropout: 0,
    lora_trainable_modules: 'all-linear',
    lr_scheduler_type: 'cosine',
    min_lr_ratio: 0.1,
    scheduler_num_cycles: 0.5,
    warmup_ratio: 0.03,
    max_grad_norm: 1,
    weight_decay: 0,
    ...(method === 'dpo'
      ? { dpo_beta: 0.1, dpo_normalize_logratios_by_length: false, rpo_alpha: 0, simpo_gamma: 0 }
      : {}),
  };
}
