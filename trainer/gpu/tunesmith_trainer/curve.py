"""The curves of a report, with no more points than one may have: the mirror of `shared/training/decide/curve.ts`."""

from collections.abc import Sequence
from typing import Any, TypeVar

#: Points of the training losses of a report, and of its losses on held-out rows; its stages share them equally.
POINTS_MAX = 500

Point = TypeVar("Point")


def thinned(points: Sequence[Point], most: int) -> list[Point]:
    """At most so many of the points, evenly spread, the first and the last included."""
    if len(points) <= most:
        return list(points)
    last = len(points) - 1
    return [points[index * last // max(1, most - 1)] for index in range(most)]


def bound_curves(stages: Sequence[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """The stages with as many points as an iteration may have, in equal shares of so many stages."""
    most = POINTS_MAX // max(1, count)
    return [stage | {name: thinned(stage[name], most) for name in ("train_loss", "held_out_loss")} for stage in stages]
