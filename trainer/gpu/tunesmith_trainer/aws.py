"""The AWS services that the trainer speaks to."""

import json
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any

import boto3
import botocore.exceptions
import botocore.loaders
import botocore.session
from botocore.config import Config
from botocore.credentials import CredentialProvider, CredentialResolver, RefreshableCredentials
from botocore.exceptions import BotoCoreError, ClientError, CredentialRetrievalError

from .errors import RevokedError
from .job import LendCredentialsReply, TrainerMessage, read
from .log import Log

#: How long a trainer that starts asks again where the lender is throttled or out of reach. A job of SageMaker has 15
#: minutes for its first heartbeat.
PATIENCE_SECONDS = 600
#: The longest pause between two requests.
PAUSE_SECONDS_MAX = 30
#: When credentials must be renewed. From 15 minutes before their end each request tries it, and may fail.
RENEWAL_SECONDS = 60
TOO_MANY_REQUESTS = 429
SERVER_ERRORS = 500


@dataclass(frozen=True)
class Aws:
    """Clients, which threads may share."""

    s3: Any
    sqs: Any
    dynamodb: Any
    stepfunctions: Any
    functions: Any


def connect() -> Aws:
    """Clients in AWS_REGION, at AWS_ENDPOINT_URL where that is set, by the usual credentials."""
    session = new_session()
    return Aws(
        s3=client(session, "s3"),
        sqs=client(session, "sqs"),
        dynamodb=client(session, "dynamodb"),
        stepfunctions=client(session, "stepfunctions"),
        functions=client(session, "lambda"),
    )


def new_session() -> botocore.session.Session:
    """A session by the usual credentials, which reads the descriptions of services once in a process."""
    session = botocore.session.Session()
    session.register_component("data_loader", service_descriptions())
    return session


@cache
def service_descriptions() -> botocore.loaders.Loader:
    """Descriptions of services, which take a tenth of a second each."""
    return botocore.session.Session().get_component("data_loader")


def client(botocore_session: botocore.session.Session, service: str) -> Any:
    """A client by the credentials of the session."""
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    session = boto3.session.Session(region_name=region, botocore_session=botocore_session)
    config = Config(retries={"mode": "standard", "max_attempts": 5}, connect_timeout=10, read_timeout=60)
    if service == "s3":
        # Names of buckets are no names of hosts where an endpoint stands in for AWS.
        style = "path" if os.environ.get("AWS_ENDPOINT_URL") else "auto"
        config = config.merge(Config(s3={"addressing_style": style}))
    return session.client(service, config=config)


def borrow(aws: Aws, message: TrainerMessage, interrupted: threading.Event, log: Log) -> Aws:
    """The same clients, but for those of objects and items: they have the credentials that are lent for a message.

    Raises RevokedError where none are: the attempt has ended, or its secret is another one. The credentials are renewed
    before they expire; a request that finds none any more raises the same.

    Where the lender is throttled or out of reach it is asked again, for PATIENCE_SECONDS or until the event is set.
    """
    session = new_session()
    session.register_component(
        "credential_provider", CredentialResolver([Lent(aws.functions, message, interrupted, log)])
    )
    return replace(aws, s3=client(session, "s3"), dynamodb=client(session, "dynamodb"))


class Lent(CredentialProvider):
    """Credentials that the service lends for the attempt of a message."""

    METHOD = CANONICAL_NAME = "lent-to-trainer"

    def __init__(self, functions: Any, message: TrainerMessage, interrupted: threading.Event, log: Log) -> None:
        super().__init__()
        self._functions = functions
        self._message = message
        self._interrupted = interrupted
        self._log = log

    def load(self) -> RefreshableCredentials:
        """Borrows them, to be renewed by whoever uses them."""
        return RefreshableCredentials.create_from_metadata(
            self._ask_patiently(), self._ask, self.METHOD, mandatory_timeout=RENEWAL_SECONDS
        )

    def _ask_patiently(self) -> dict[str, str]:
        end = monotonic() + PATIENCE_SECONDS
        pause = 1
        while True:
            try:
                return self._ask()
            except (BotoCoreError, ClientError) as error:
                if not passes(error) or monotonic() + pause > end:
                    raise
                self._log.warn("lender_unavailable", code=code_of(error), seconds=pause)
                if self._interrupted.wait(pause):
                    raise
            pause = min(2 * pause, PAUSE_SECONDS_MAX)

    def _ask(self) -> dict[str, str]:
        answer = self._functions.invoke(
            FunctionName=self._message.lender,
            Payload=json.dumps({"job_key": self._message.job_key, "secret": self._message.secret}),
        )
        payload = answer["Payload"].read()
        if "FunctionError" in answer:
            raise CredentialRetrievalError(provider=self.METHOD, error_msg="the function that lends them has failed")
        lent = read(LendCredentialsReply, payload).credentials
        if lent is None:
            raise RevokedError
        return {
            "access_key": lent.access_key_id,
            "secret_key": lent.secret_access_key,
            "token": lent.session_token,
            "expiry_time": lent.expires_at,
        }


def passes(error: BotoCoreError | ClientError) -> bool:
    """Whether a request may succeed later: the service is throttled, fails or is out of reach."""
    if isinstance(error, ClientError):
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        return status == TOO_MANY_REQUESTS or status >= SERVER_ERRORS
    return isinstance(error, botocore.exceptions.ConnectionError | botocore.exceptions.HTTPClientError)


def code_of(error: BotoCoreError | ClientError) -> str:
    """What a log calls the error."""
    return error.response["Error"]["Code"] if isinstance(error, ClientError) else type(error).__name__


class Bucket:
    """The objects of one bucket. Large ones go by files: nothing here holds more than a document in memory."""

    def __init__(self, s3: Any, name: str) -> None:
        self._s3 = s3
        self._name = name

    def read(self, key: str) -> bytes:
        """The object's content."""
        return self._s3.get_object(Bucket=self._name, Key=key)["Body"].read()

    def read_if_there(self, key: str) -> bytes | None:
        """The object's content, or None where there is no such object."""
        try:
            return self.read(key)
        except self._s3.exceptions.NoSuchKey:
            return None
        except ClientError as error:
            # Without the right to list a bucket, what is missing is forbidden.
            if error.response["Error"]["Code"] in ("404", "403", "AccessDenied"):
                return None
            raise

    def write_json(self, key: str, document: Any) -> None:
        """Writes a JSON document. NaN and infinity, which JSON has not, are an error."""
        body = json.dumps(document, allow_nan=False).encode()
        self._s3.put_object(Bucket=self._name, Key=key, Body=body, ContentType="application/json")

    def lines(self, key: str, folder: Path) -> Iterator[bytes]:
        """The lines of an object, by way of a file in the folder, which is deleted in the end."""
        path = folder / "lines.jsonl"
        self.download(key, path)
        try:
            with path.open("rb") as file:
                yield from (line for line in file if line.strip())
        finally:
            path.unlink(missing_ok=True)

    def download(self, key: str, path: Path) -> None:
        """Writes the object into a file."""
        self._s3.download_file(self._name, key, str(path))

    def upload(self, path: Path, key: str) -> None:
        """Writes the file into an object."""
        self._s3.upload_file(str(path), self._name, key)

    def delete(self, key: str) -> None:
        """Deletes an object, also one that is not there."""
        self._s3.delete_object(Bucket=self._name, Key=key)
