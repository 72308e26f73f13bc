"""Checkpoints in S3: one at a time, with all that the next process needs to go on as if nothing had happened."""

import hashlib
import json
import tarfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .aws import Bucket
from .job import TrainingJob
from .log import Log

VERSION = 1
#: What differs between attempts that train the same.
OF_THE_ATTEMPT = {
    "attempt",
    "task_token",
    "attempt_item",
    "heartbeat_seconds",
    "checkpoint_steps",
    "output_prefix",
    "resume_prefixes",
}


@dataclass
class Progress:
    """How far a training is, beside the weights and the optimiser's state."""

    #: Place of the stage in the job, and the steps of it that are done.
    stage: int
    step: int
    #: Entries of the report: of the stages that are done, then of this one.
    stages: list[dict[str, Any]] = field(default_factory=list)
    truncated: int = 0


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint on the disk: the folder that transformers' trainer resumes from."""

    folder: Path
    progress: Progress
    reference: np.ndarray | None
    held_out_reference: np.ndarray | None


def fingerprint(job: TrainingJob) -> str:
    """The same for jobs that train the same."""
    text = json.dumps(job.model_dump(exclude=OF_THE_ATTEMPT), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


class Checkpoints:
    """The checkpoints of a job, below its output prefix."""

    def __init__(self, job: TrainingJob, bucket: Bucket, folder: Path, log: Log) -> None:
        self._job = job
        self._bucket = bucket
        self._folder = folder
        self._log = log
        self._newest_key: str | None = None

    def save(
        self,
        folder: Path,
        progress: Progress,
        reference: np.ndarray | None,
        held_out_reference: np.ndarray | None,
    ) -> None:
        """Uploads what transformers' trainer wrote into the folder; then forgets the checkpoint before."""
        (folder / "progress.json").write_text(json.dumps(asdict(progress), allow_nan=False))
        for name, sums in (("reference", reference), ("held_out_reference", held_out_reference)):
            if sums is not None:
                np.save(folder / f"{name}.npy", sums)
        archive = self._folder / "checkpoint.tar"
        with tarfile.open(archive, "w") as tar:
            tar.add(folder, arcname="checkpoint")
        prefix = f"{self._job.output_prefix}checkpoints/"
        key = f"{prefix}{progress.stage}-{progress.step:06}.tar"
        self._bucket.upload(archive, key)
        archive.unlink()
        self._bucket.write_json(
            f"{prefix}latest.json", {"version": VERSION, "key": key, "fingerprint": fingerprint(self._job)}
        )
        if self._newest_key not in (None, key):
            self._bucket.delete(self._newest_key)
        self._newest_key = key
        self._log.info("checkpoint_saved", stage=progress.stage, step=progress.step)

    def newest(self) -> Checkpoint | None:
        """The checkpoint to go on from: of this attempt, where it was interrupted, else of the newest before it."""
        for prefix in (self._job.output_prefix, *self._job.resume_prefixes):
            document = self._bucket.read_if_there(f"{prefix}checkpoints/latest.json")
            if document is None:
                continue
            latest = json.loads(document)
            if latest.get("version") != VERSION or latest.get("fingerprint") != fingerprint(self._job):
                self._log.warn("checkpoint_ignored", reason="it is of another training or format")
                continue
            return self._download(latest["key"])
        return None

    def _download(self, key: str) -> Checkpoint:
        archive = self._folder / "checkpoint.tar"
        self._bucket.download(key, archive)
        with tarfile.open(archive) as tar:
            tar.extractall(self._folder / "resumed", filter="data")
        archive.unlink()
        folder = self._folder / "resumed" / "checkpoint"
        progress = Progress(**json.loads((folder / "progress.json").read_text()))
        sums = [
            np.load(path) if (path := folder / f"{name}.npy").exists() else None
            for name in ("reference", "held_out_reference")
        ]
        self._log.info("checkpoint_found", stage=progress.stage, step=progress.step)
        return Checkpoint(folder, progress, *sums)
