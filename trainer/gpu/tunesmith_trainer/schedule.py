"""The learning rate at each step, as both trainers of the service take it."""

import math

from .job import StageHyperparams


def rate_factor(hyperparams: StageHyperparams, step: int, steps: int) -> float:
    """The share of the peak learning rate at a step (from 0) of so many.

    Warm-up is linear over ceil(warmup_ratio × steps) steps and never at 0. After it, `cosine` goes through
    `scheduler_num_cycles` cycles (0.5: once from the peak to the floor), `linear` straight down, both to the floor
    `min_lr_ratio`; `constant` stays.
    """
    warmup = math.ceil(hyperparams.warmup_ratio * steps)
    if step < warmup:
        return (step + 1) / warmup
    progress = (step - warmup) / max(1, steps - warmup)
    floor = hyperparams.min_lr_ratio
    if hyperparams.lr_scheduler_type == "cosine":
        wave = 0.5 * (1 + math.cos(2 * math.pi * hyperparams.scheduler_num_cycles * progress))
        return floor + (1 - floor) * wave
    if hyperparams.lr_scheduler_type == "linear":
        return floor + (1 - floor) * (1 - progress)
    return 1.0
