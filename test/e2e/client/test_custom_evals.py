import time

import pytest
from adaption import BadRequestError, NotFoundError, UnprocessableEntityError

from conftest import pairs, upload, wait_until_read

RUBRIC = "Score from 0 to 10: ten for an answer that says how, in steps, zero for one that only says that."


def finish_eval(client, dataset_id: str, custom_eval_id: str, seconds: float = 90):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        record = client.datasets.custom_evals.get(custom_eval_id, dataset_id=dataset_id)
        if record.status in ("succeeded", "failed"):
            return record
        time.sleep(0.3)
    raise AssertionError(f"{custom_eval_id} had not ended within {seconds} s")


def test_an_adapted_dataset_is_scored_by_a_rubric_of_the_callers_own(client, adapted) -> None:
    started = client.datasets.custom_evals.create(adapted, judge_prompt=RUBRIC, name="Steps")
    assert (started.status, started.judge_prompt, started.name) == ("pending", RUBRIC, "Steps")
    assert started.score_after is None and started.completed_at is None

    done = finish_eval(client, adapted, started.custom_eval_id)
    assert done.status == "succeeded", done.error_message
    assert done.scored_rows == 12
    assert done.score_after > done.score_before
    # These answers earn nothing before, and nothing is a percentage of zero.
    assert done.score_before == 0 and done.improvement_percent is None
    assert done.completed_at > done.created_at

    second = client.datasets.custom_evals.create(adapted, judge_prompt=RUBRIC)
    items = client.datasets.custom_evals.list(adapted).items
    assert [item.custom_eval_id for item in items][:2] == [second.custom_eval_id, started.custom_eval_id]
    finish_eval(client, adapted, second.custom_eval_id)


def test_a_prompt_that_no_judge_can_score_by_is_refused(client, adapted) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.datasets.custom_evals.create(adapted, judge_prompt="Score warmth and politeness from 1 to 5, please.")
    assert refused.value.body["code"] == "invalid_judge_prompt"
    assert [each["code"] for each in refused.value.body["details"]] == ["scale_not_zero_to_ten"]


def test_a_dataset_that_was_not_adapted_is_refused(client, tmp_path) -> None:
    dataset_id = upload(client, tmp_path, pairs(1))
    wait_until_read(client, dataset_id)
    with pytest.raises(UnprocessableEntityError) as refused:
        client.datasets.custom_evals.create(dataset_id, judge_prompt=RUBRIC)
    assert refused.value.body["code"] == "dataset_not_adapted"
    assert client.datasets.custom_evals.list(dataset_id).items == []
    with pytest.raises(NotFoundError):
        client.datasets.custom_evals.get("none", dataset_id=dataset_id)
