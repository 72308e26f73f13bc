"""The AWS services that the trainer speaks to."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError


@dataclass(frozen=True)
class Aws:
    """Clients, which threads may share."""

    s3: Any
    sqs: Any
    dynamodb: Any
    stepfunctions: Any


def connect() -> Aws:
    """Clients by the usual credentials, in AWS_REGION, at AWS_ENDPOINT_URL where that is set."""
    session = boto3.session.Session(region_name=os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION"))
    config = Config(retries={"mode": "standard", "max_attempts": 5}, connect_timeout=10, read_timeout=60)
    # Names of buckets are no names of hosts where an endpoint stands in for AWS.
    style = "path" if os.environ.get("AWS_ENDPOINT_URL") else "auto"
    return Aws(
        s3=session.client("s3", config=config.merge(Config(s3={"addressing_style": style}))),
        sqs=session.client("sqs", config=config),
        dynamodb=session.client("dynamodb", config=config),
        stepfunctions=session.client("stepfunctions", config=config),
    )


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
