"""What a trainer may, by itself and by the credentials that it is lent for an attempt."""

import io
import json
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError, CredentialRetrievalError, EndpointConnectionError
from conftest import World

from tunesmith_trainer.aws import PATIENCE_SECONDS, Lent, borrow
from tunesmith_trainer.errors import RevokedError
from tunesmith_trainer.job import TrainerMessage
from tunesmith_trainer.log import Log


class Lender:
    """The lender of a world, whose credentials expire half a minute later; after some calls it refuses."""

    def __init__(self, functions: Any, calls_max: int = 1_000_000) -> None:
        self._functions = functions
        self._calls_max = calls_max
        self.calls = 0

    def invoke(self, **request: Any) -> dict[str, Any]:
        """Answers as the function does, of credentials that are renewed before each request."""
        self.calls += 1
        if self.calls > self._calls_max:
            return {"Payload": io.BytesIO(b'{"credentials": null}')}
        answer = json.loads(self._functions.invoke(**request)["Payload"].read())
        answer["credentials"]["expires_at"] = (datetime.now(UTC) + timedelta(seconds=30)).isoformat()
        return {"Payload": io.BytesIO(json.dumps(answer).encode())}


def refusal(call: Any, **request: Any) -> str | None:
    """The code with which a call is refused; None where it is not."""
    try:
        call(**request)
    except ClientError as error:
        return error.response["Error"]["Code"]
    return None


def test_credentials_of_an_attempt_reach_its_objects_and_no_others(world: World):
    mine, other = world.job("sft"), world.job("sft")
    s3 = world.borrow(world.message(mine)).s3

    def put(key: str) -> str | None:
        return refusal(s3.put_object, Bucket=world.bucket, Key=key, Body=b"x")

    def get(key: str) -> str | None:
        return refusal(s3.get_object, Bucket=world.bucket, Key=key)

    assert (get(world.job_key(mine)), put(f"{mine['output_prefix']}x")) == (None, None)
    assert [get(key) for key in mine["data"]["train_keys"]] == [None, None]
    # Its own job is the service's too.
    assert put(world.job_key(mine)) == "AccessDenied"
    assert put(f"{other['output_prefix']}x") == "AccessDenied"
    assert get(world.job_key(other)) == "AccessDenied"
    assert get(other["data"]["held_out_key"]) == "AccessDenied"


def test_a_later_attempt_reads_the_checkpoints_of_an_earlier_one_and_writes_none(world: World):
    first = world.job("sft")
    checkpoint = world.put(f"{first['output_prefix']}checkpoints/latest.json", "{}")
    second = world.next_attempt(first)
    s3 = world.borrow(world.message(second)).s3

    assert refusal(s3.get_object, Bucket=world.bucket, Key=checkpoint) is None
    assert refusal(s3.put_object, Bucket=world.bucket, Key=checkpoint, Body=b"x") == "AccessDenied"
    assert refusal(s3.get_object, Bucket=world.bucket, Key=world.job_key(first)) == "AccessDenied"


def test_a_trainer_by_itself_reaches_neither_objects_nor_items(world: World):
    job = world.job("sft")
    item = {name: {"S": job["attempt_item"][name]} for name in ("pk", "sk")}
    aws = world.trainer_aws

    assert refusal(aws.s3.get_object, Bucket=world.bucket, Key=world.job_key(job)) == "AccessDenied"
    update = {"TableName": world.table, "Key": item, "UpdateExpression": "REMOVE phase"}
    assert refusal(aws.dynamodb.update_item, **update) == "AccessDeniedException"


@pytest.mark.parametrize("state", ["ended", "revoked"])
def test_nothing_is_lent_for_an_attempt_that_is_over(world: World, state):
    job = world.job("sft")
    world.set_state(job, state)

    with pytest.raises(RevokedError):
        world.borrow(world.message(job))


def test_nothing_is_lent_for_another_secret(world: World):
    mine, other = world.job("sft"), world.job("sft")
    asked = world.message(mine).model_copy(update={"secret": world.message(other).secret})

    with pytest.raises(RevokedError):
        world.borrow(asked)


def test_a_lender_that_fails_says_nothing_of_the_attempt(world: World):
    class Failing:
        def invoke(self, **_request: Any) -> dict[str, Any]:
            return {"FunctionError": "Unhandled", "Payload": io.BytesIO(b'{"errorMessage": "secret"}')}

    asked = TrainerMessage(bucket="b", job_key="k", lender="l", secret="secret")
    with pytest.raises(CredentialRetrievalError) as caught:
        borrow(replace(world.trainer_aws, functions=Failing()), asked, threading.Event(), Log())

    assert "secret" not in str(caught.value)


ASKED = TrainerMessage(bucket="b", job_key="k", lender="l", secret="secret of the attempt")


class Unavailable:
    """A lender that raises an error some times before it lends, with the clock of whoever waits for it."""

    def __init__(self, error: Exception, times: int, lasts: timedelta = timedelta(hours=1)) -> None:
        self._error = error
        self._times = times
        self._lasts = lasts
        self.calls = 0
        self.seconds = 0.0

    def invoke(self, **_request: Any) -> dict[str, Any]:
        """Answers as the function does."""
        self.calls += 1
        if self.calls <= self._times:
            raise self._error
        expires_at = (datetime.now(UTC) + self._lasts).isoformat()
        lent = {"access_key_id": f"id{self.calls}", "secret_access_key": "k", "session_token": "t"}
        return {"Payload": io.BytesIO(json.dumps({"credentials": {**lent, "expires_at": expires_at}}).encode())}

    def monotonic(self) -> float:
        """The seconds that were waited."""
        return self.seconds

    def wait(self, seconds: float) -> bool:
        """Waits without an interruption."""
        self.seconds += seconds
        return False


def client_error(code: str, status: int) -> ClientError:
    """What a client raises for an answer of a service."""
    return ClientError({"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}, "Invoke")


@pytest.mark.parametrize(
    "error",
    [
        client_error("TooManyRequestsException", 429),
        client_error("ServiceException", 500),
        client_error("ServiceUnavailable", 503),
        EndpointConnectionError(endpoint_url="https://lambda"),
        ConnectTimeoutError(endpoint_url="https://lambda"),
    ],
)
def test_a_trainer_that_starts_waits_for_a_lender_that_is_unavailable(monkeypatch, capfd, error):
    lender = Unavailable(error, times=20)
    monkeypatch.setattr("tunesmith_trainer.aws.monotonic", lender.monotonic)

    credentials = Lent(lender, ASKED, lender, Log()).load()

    assert credentials.get_frozen_credentials().access_key == "id21"
    assert 300 < lender.seconds <= PATIENCE_SECONDS
    logged = capfd.readouterr().out
    assert logged.count("lender_unavailable") == 20
    assert ASKED.secret not in logged


def test_a_trainer_that_starts_waits_for_ten_minutes_at_most(monkeypatch):
    lender = Unavailable(client_error("TooManyRequestsException", 429), times=1_000)
    monkeypatch.setattr("tunesmith_trainer.aws.monotonic", lender.monotonic)

    with pytest.raises(ClientError):
        Lent(lender, ASKED, lender, Log()).load()

    assert PATIENCE_SECONDS - 60 < lender.seconds <= PATIENCE_SECONDS


@pytest.mark.parametrize("code", [("AccessDeniedException", 403), ("ResourceNotFoundException", 404)])
def test_a_trainer_does_not_wait_for_a_lender_that_it_may_not_ask(code):
    lender = Unavailable(client_error(*code), times=1)

    with pytest.raises(ClientError):
        Lent(lender, ASKED, lender, Log()).load()

    assert lender.calls == 1


def test_a_trainer_that_is_interrupted_waits_no_longer():
    interrupted = threading.Event()
    interrupted.set()
    lender = Unavailable(client_error("TooManyRequestsException", 429), times=1_000)

    with pytest.raises(ClientError):
        Lent(lender, ASKED, interrupted, Log()).load()

    assert lender.calls == 1


@pytest.mark.parametrize("seconds", [840, 300, 90])
def test_a_request_goes_on_with_valid_credentials_while_the_lender_is_throttled(seconds):
    class Throttled(Unavailable):
        def invoke(self, **request: Any) -> dict[str, Any]:
            if self.calls > 0:
                raise client_error("TooManyRequestsException", 429)
            return super().invoke(**request)

    lender = Throttled(client_error("unused", 500), times=0, lasts=timedelta(seconds=seconds))

    credentials = Lent(lender, ASKED, threading.Event(), Log()).load()

    assert credentials.get_frozen_credentials().access_key == "id1"


def test_a_training_that_outlasts_its_credentials_renews_them(world: World):
    job = world.job("sft")
    lender = Lender(world.trainer_aws.functions)
    world.trainer_aws = replace(world.trainer_aws, functions=lender)

    assert world.run(job)

    assert lender.calls > 5
    assert world.item(job)["state"] == "ended"


def test_a_training_whose_credentials_are_not_renewed_stops_and_reports_nothing(world: World, capfd):
    job = world.job(("sft", {"n_epochs": 2000}), checkpoint_steps=10_000)
    world.trainer_aws = replace(world.trainer_aws, functions=Lender(world.trainer_aws.functions, calls_max=20))
    thread = threading.Thread(target=world.run, args=(job,))
    thread.start()
    thread.join(60)

    assert not thread.is_alive()
    assert world.waits()
    assert world.keys(f"{job['output_prefix']}report") == []
    logged = capfd.readouterr()
    # Whoever asks first is told: the heartbeat, or on a busy machine the training itself.
    assert '"event": "left"' in logged.out
    assert world.message(job).secret not in logged.out + logged.err
