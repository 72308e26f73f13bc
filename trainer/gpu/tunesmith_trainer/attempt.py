"""One attempt: its claim, its heartbeats and what is reported of it."""

import json
import threading
import uuid
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from .aws import Aws
from .errors import RevokedError
from .job import TrainingJob
from .log import Log, now

#: What Step Functions answers when nobody waits for the task any more.
TASK_IS_GONE = ("TaskTimedOut", "TaskDoesNotExist", "InvalidToken")


def new_owner() -> str:
    """An identity of its own for a claim."""
    return f"python:{uuid.uuid4()}"


class Attempt:
    """A job's attempt in the hands of one owner.

    From `claim` to `close`, a thread writes a heartbeat every `heartbeat_seconds`. As soon as one is refused, the
    attempt is somebody else's or nobody's: `check` raises, and no method reports anything any more.
    """

    def __init__(self, aws: Aws, job: TrainingJob, owner: str, log: Log) -> None:
        self._aws = aws
        self._job = job
        self._owner = owner
        self.log = log
        self._item = {
            "TableName": job.attempt_item.table,
            "Key": {"pk": {"S": job.attempt_item.pk}, "sk": {"S": job.attempt_item.sk}},
        }
        self._lock = threading.Lock()
        self._progress: dict[str, dict[str, str]] = {"phase": {"S": "starting"}}
        self._lost = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._beat_until_closed, name="heartbeats", daemon=True)

    def claim(self, *, again: bool = False) -> bool:
        """Takes the attempt if it is queued, and starts its heartbeats; says whether it did.

        `again`: also where this very owner claimed it before, in a process that was interrupted since.
        """
        condition = "#state = :queued"
        values: dict[str, Any] = {":queued": {"S": "queued"}}
        if again:
            condition += " OR (#state = :claimed AND #claimed_by = :me)"
            values |= {":claimed": {"S": "claimed"}, ":me": {"S": self._owner}}
        attributes = {"state": {"S": "claimed"}, "claimed_by": {"S": self._owner}, "heartbeat_at": {"S": now()}}
        if not self._update({**attributes, **self._progress}, condition, values):
            return False
        self._thread.start()
        return True

    def enter(self, phase: str) -> None:
        """Says at once what the trainer is at now. Raises RevokedError when the attempt is not its own any more."""
        with self._lock:
            self._progress = {**self._progress, "phase": {"S": phase}}
        self._beat()
        self.check()

    def advance(self, method: str, step: int, steps: int) -> None:
        """Notes how far the stage is; the next heartbeat says so."""
        with self._lock:
            self._progress |= {"method": {"S": method}, "step": {"N": str(step)}, "steps": {"N": str(steps)}}

    def check(self) -> None:
        """Raises RevokedError when the attempt is not this owner's any more."""
        if self._lost.is_set():
            raise RevokedError

    def succeed(self, report_key: str) -> None:
        """Hands the report to whoever waits for it, and closes the attempt."""
        output = json.dumps({"report_key": report_key})
        self._report(lambda token: self._aws.stepfunctions.send_task_success(taskToken=token, output=output))

    def fail(self, error: str, cause: str) -> None:
        """Says that the attempt failed, by `trainer_refused` or `trainer_failed`, and closes it."""
        self._report(
            lambda token: self._aws.stepfunctions.send_task_failure(taskToken=token, error=error, cause=cause[:32_768])
        )

    def close(self) -> None:
        """Ends the heartbeats."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join()

    def _report(self, send: Any) -> None:
        self.close()
        # One more heartbeat, so that an attempt which was lost since the last one reports nothing.
        self._beat()
        self.check()
        try:
            send(self._job.task_token)
        except ClientError as error:
            if error.response["Error"]["Code"] not in TASK_IS_GONE:
                raise
            raise RevokedError from None
        self._update({"state": {"S": "ended"}}, *self._is_mine())

    def _beat_until_closed(self) -> None:
        while not self._closed.wait(self._job.heartbeat_seconds) and not self._lost.is_set():
            self._beat()

    def _beat(self) -> None:
        with self._lock:
            progress = dict(self._progress)
        try:
            if not self._update({"heartbeat_at": {"S": now()}, **progress}, *self._is_mine()):
                self._lose("heartbeat_refused")
                return
            self._aws.stepfunctions.send_task_heartbeat(taskToken=self._job.task_token)
        except RevokedError:
            self._lose("credentials_refused")
        except ClientError as error:
            code = error.response["Error"]["Code"]
            if code in TASK_IS_GONE:
                self._lose(code)
            else:
                self.log.warn("heartbeat_failed", code=code)
        except BotoCoreError as error:
            self.log.warn("heartbeat_failed", code=type(error).__name__)

    def _lose(self, reason: str) -> None:
        self._lost.set()
        self.log.warn("attempt_lost", reason=reason)

    def _is_mine(self) -> tuple[str, dict[str, Any]]:
        return (
            "#state = :claimed AND #claimed_by = :me",
            {":claimed": {"S": "claimed"}, ":me": {"S": self._owner}},
        )

    def _update(self, attributes: dict[str, Any], condition: str, values: dict[str, Any]) -> bool:
        """Sets attributes of the item if the condition holds; says whether it held."""
        names = {f"#{name}": name for name in (*attributes, "state", "claimed_by")}
        used = {key: name for key, name in names.items() if name in attributes or key in condition}
        try:
            self._aws.dynamodb.update_item(
                **self._item,
                UpdateExpression="SET " + ", ".join(f"#{name} = :new_{name}" for name in attributes),
                ConditionExpression=condition,
                ExpressionAttributeNames=used,
                ExpressionAttributeValues={**values, **{f":new_{name}": value for name, value in attributes.items()}},
            )
        except self._aws.dynamodb.exceptions.ConditionalCheckFailedException:
            return False
        return True
