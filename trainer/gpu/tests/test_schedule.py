"""Learning rates are those that both trainers of the service share."""

import math

import pytest
from conftest import HYPERPARAMS

from tunesmith_trainer.job import StageHyperparams
from tunesmith_trainer.schedule import rate_factor


def rates(steps: int, **changes) -> list[float]:
    hyperparams = StageHyperparams(**(HYPERPARAMS | {"warmup_ratio": 0.0, "min_lr_ratio": 0.0} | changes))
    return [rate_factor(hyperparams, step, steps) for step in range(steps)]


def test_warm_up_is_linear_over_its_share_of_the_steps_and_never_at_zero():
    assert rates(10, warmup_ratio=0.35, lr_scheduler_type="constant") == pytest.approx([0.25, 0.5, 0.75] + [1] * 7)


def test_linear_goes_straight_to_its_floor():
    assert rates(4, lr_scheduler_type="linear", min_lr_ratio=0.2) == pytest.approx([1, 0.8, 0.6, 0.4])


def test_cosine_goes_through_its_cycles_above_its_floor():
    half = rates(4, min_lr_ratio=0.1)
    whole = rates(4, scheduler_num_cycles=1)

    assert half == pytest.approx([0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * p)) for p in (0, 0.25, 0.5, 0.75)])
    assert whole == pytest.approx([1, 0.5, 0, 0.5], abs=1e-12)


def test_decay_begins_where_warm_up_ends():
    assert rates(6, lr_scheduler_type="linear", warmup_ratio=1 / 3) == pytest.approx([0.5, 1, 1, 0.75, 0.5, 0.25])


def test_steps_that_are_all_warm_up_have_rates():
    assert rates(2, warmup_ratio=1) == pytest.approx([0.5, 1])
