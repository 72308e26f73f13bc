import os
import re

import pytest
from adaption import (
    APIStatusError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    UnprocessableEntityError,
)

from conftest import MAPPING, connect, finish, pairs, upload, wait_until_read

UNKNOWN = "00000000-0000-4000-8000-000000000000"


def problem(error: APIStatusError) -> dict:
    """The body of a refusal, which always has one shape and names its request."""
    body = error.body
    assert set(body) == {"statusCode", "message", "code", "details", "request_id", "error"}
    assert body["statusCode"] == error.status_code
    assert body["error"]["code"] == body["code"]
    assert error.response.headers["content-type"] == "application/json"
    return body


def test_400_names_each_bad_field_and_what_is_allowed(client, adapted) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.datasets.adapt(
            adapted,
            column_mapping=MAPPING,
            brand_controls={"length": "endless", "colour": "red"},  # type: ignore[typeddict-item]
            job_specification={"max_rows": 0},
        )
    body = problem(refused.value)
    paths = {detail["path"] for detail in body["details"]}
    assert paths == {"brand_controls.length", "brand_controls.colour", "job_specification.max_rows"}
    assert "minimal" in str(body["details"])


def test_401_for_a_key_that_is_not_one(client) -> None:
    issued = os.environ["ADAPTION_API_KEY"]
    for key in ("pt_live_nothing", issued[:-1] + ("y" if issued.endswith("x") else "x")):
        with pytest.raises(AuthenticationError) as refused:
            connect(key).datasets.list()
        assert problem(refused.value)["code"] == "unauthorized"


def test_402_says_what_is_needed_and_what_is_there(key_of, tmp_path) -> None:
    poor = connect(key_of("poor"))
    dataset_id = upload(poor, tmp_path, pairs(2))
    wait_until_read(poor, dataset_id)
    assert poor.datasets.adapt(dataset_id, column_mapping=MAPPING, estimate=True).estimated_credits_consumed == 1
    with pytest.raises(APIStatusError) as refused:
        poor.datasets.adapt(dataset_id, column_mapping=MAPPING)
    assert type(refused.value) is APIStatusError and refused.value.status_code == 402
    detail = problem(refused.value)["details"][0]
    assert (detail["needed"], detail["available"]) == (1, 0)
    assert poor.datasets.get_status(dataset_id).status == "awaiting_input"


def test_403_names_the_scope_that_the_key_lacks(key_of, adapted) -> None:
    reader = connect(key_of("reader"))
    assert reader.datasets.get(adapted).dataset_id == adapted
    for write in (
        lambda: reader.datasets.delete(adapted),
        lambda: reader.datasets.adapt(adapted, estimate=True),
        lambda: reader.datasets.create(source={"name": "x.csv"}),
    ):
        with pytest.raises(PermissionDeniedError) as refused:
            write()
        body = problem(refused.value)
        assert body["code"] == "scope_missing" and "datasets:write" in body["message"]


def test_404_is_the_same_for_missing_and_for_another_teams(client, key_of, adapted) -> None:
    stranger = connect(key_of("stranger"))

    def refusal(dataset_id: str) -> dict:
        with pytest.raises(NotFoundError) as refused:
            stranger.datasets.get(dataset_id)
        return {name: value for name, value in problem(refused.value).items() if name != "request_id"}

    assert refusal(adapted) == refusal(UNKNOWN)


def test_409_is_asked_once_and_422_says_what_is_missing(client, key_of) -> None:
    waiting = client.datasets.create(source={"name": "never uploaded.csv"})
    with pytest.raises(ConflictError) as early:
        client.datasets.adapt(waiting.dataset_id, column_mapping=MAPPING)
    assert problem(early.value)["code"] == "dataset_not_ready"
    assert early.value.response.headers["x-should-retry"] == "false"
    with pytest.raises(UnprocessableEntityError) as empty:
        client.datasets.download(waiting.dataset_id)
    assert problem(empty.value)["code"] == "no_data_yet"


def test_413_for_a_body_that_is_too_large(client) -> None:
    with pytest.raises(APIStatusError) as refused:
        client.datasets.create(source={"name": "x.csv", "files": ["f" * 5_000_000]})
    assert refused.value.status_code == 413
    assert problem(refused.value)["code"] == "payload_too_large"


def test_429_says_when_to_come_back_and_a_client_that_retries_gets_through(key_of) -> None:
    hurried = connect(key_of("hurried"))
    with pytest.raises(RateLimitError) as refused:
        for _ in range(30):
            hurried.datasets.list()
    body = problem(refused.value)
    assert body["code"] == "rate_limited"
    assert re.fullmatch(r"[1-9]\d?", refused.value.response.headers["retry-after"])
    patient = connect(key_of("hurried"), max_retries=2)
    for _ in range(4):
        patient.datasets.list()


def test_429_for_more_runs_than_the_plan_has_and_403_for_more_rows(key_of, tmp_path, script) -> None:
    script({"latencyMilliseconds": 300})
    team = connect(key_of("limited"))
    first = upload(team, tmp_path, pairs(3), name="first.csv")
    second = upload(team, tmp_path, pairs(3), name="second.csv")
    big = upload(team, tmp_path, pairs(4), name="big.csv")
    for dataset_id in (first, second, big):
        wait_until_read(team, dataset_id)
    with pytest.raises(PermissionDeniedError) as rows:
        team.datasets.adapt(big, column_mapping=MAPPING)
    assert problem(rows.value)["code"] == "plan_limit_exceeded"
    assert problem(rows.value)["details"][0]["limit"] == 3

    team.datasets.adapt(first, column_mapping=MAPPING)
    with pytest.raises(RateLimitError) as runs:
        team.datasets.adapt(second, column_mapping=MAPPING)
    assert problem(runs.value)["code"] == "runs_limit_reached"
    assert 0 < int(runs.value.response.headers["retry-after"]) <= 60
    assert finish(team, first).status == "succeeded"
    assert team.datasets.adapt(second, column_mapping=MAPPING).run_id
    finish(team, second)


def test_an_unknown_route_is_a_404_in_the_one_shape(client) -> None:
    with pytest.raises(NotFoundError) as refused:
        client.get("/api/v1/nothing", cast_to=object)
    assert problem(refused.value)["code"] == "route_not_found"
