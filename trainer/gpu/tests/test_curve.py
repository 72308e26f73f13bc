"""Curves have as many points as a report may have, as the other trainer of the service thins them."""

import json

import pytest
from botocore.exceptions import ClientError
from conftest import HYPERPARAMS, World

from tunesmith_trainer.aws import Bucket
from tunesmith_trainer.curve import POINTS_MAX, bound_curves, thinned
from tunesmith_trainer.job import StageHyperparams
from tunesmith_trainer.schedule import rate_factor


def test_points_that_are_few_enough_stay():
    assert thinned([1, 2, 3], 3) == [1, 2, 3]
    assert thinned([], 3) == []


def test_points_that_are_too_many_are_spread_evenly_with_the_first_and_the_last_of_them():
    assert thinned(range(10), 4) == [0, 3, 6, 9]
    assert thinned(range(11), 4) == [0, 3, 6, 10]
    assert thinned([0, 1], 1) == [0]


def test_the_stages_of_an_iteration_share_its_points_and_keep_the_rest():
    points = [{"step": step, "loss": 1.0} for step in range(1, 2001)]
    stage = {"method": "sft", "steps": 2000, "train_loss": points, "held_out_loss": points[:3]}

    first, second = bound_curves([stage, stage], 2)

    assert len(first["train_loss"]) == len(second["train_loss"]) == POINTS_MAX // 2
    assert (first["train_loss"][0], first["train_loss"][-1]) == (points[0], points[-1])
    assert (first["steps"], first["held_out_loss"]) == (2000, points[:3])
    assert len(stage["train_loss"]) == 2000


def test_each_step_has_the_learning_rate_that_it_took(world: World):
    job = world.job("sft")

    assert world.run(job)

    [stage] = world.report(job)["stages"]
    hyperparams = StageHyperparams(**HYPERPARAMS)
    assert stage["steps_planned"] == 3
    assert [point["learning_rate"] for point in stage["train_loss"]] == pytest.approx(
        [hyperparams.learning_rate * rate_factor(hyperparams, step, 3) for step in range(3)]
    )


def test_the_curves_of_a_training_are_left_below_its_output_as_its_report_has_them(world: World):
    job = world.job("sft", "dpo")

    assert world.run(job)

    curve = world.read_json(f"{job['output_prefix']}curve.json")
    assert curve["version"] == 1
    for left, reported in zip(curve["stages"], world.report(job)["stages"], strict=True):
        assert {**left, "seconds": 0} == {**reported, "seconds": 0}


def test_a_training_outlives_a_curve_that_cannot_be_written(world: World, monkeypatch, capfd):
    job = world.job("sft")
    write_json = Bucket.write_json

    def refuse(bucket: Bucket, key: str, document) -> None:
        if key.endswith("curve.json"):
            raise ClientError({"Error": {"Code": "SlowDown", "Message": ""}}, "PutObject")
        write_json(bucket, key, document)

    monkeypatch.setattr(Bucket, "write_json", refuse)

    assert world.run(job)

    assert world.report(job)["outcome"] == "completed"
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines() if "curve_lost" in line]
    assert [line["error"] for line in lines] == ["ClientError", "ClientError"]
