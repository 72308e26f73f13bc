"""Artifacts go the way to their users: the service publishes them, and libraries load them from the hub by name."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conftest import World

from tunesmith_trainer.aws import Bucket

PUBLISHER = json.loads(os.environ["PUBLISHER"])


@dataclass
class Hub:
    """A stand-in for the hub, with the repositories of what was published, in its order."""

    endpoint: str
    token: str
    repositories: list[str]

    def load(self, asked: list[tuple[Path, list[dict[str, Any]], int]], cache: Path) -> list[dict[str, Any]]:
        """What a process says that loads each model by its name.

        asked: for each model the folder of its base, the lines of the trainer's answers, and the most tokens of one.
        """
        tasks = [
            {
                "repository": repository,
                "models": str(models),
                "examples": [{"messages": line["messages"], "reference": line["reference"]} for line in lines],
                "tokens_max": tokens_max,
            }
            for repository, (models, lines, tokens_max) in zip(self.repositories, asked, strict=True)
        ]
        hub = {"HF_ENDPOINT": self.endpoint, "HF_TOKEN": self.token, "HF_HOME": str(cache), "HF_HUB_OFFLINE": "0"}
        ended = subprocess.run(
            [sys.executable, Path(__file__).parent / "load_published.py"],
            input=json.dumps(tasks),
            env=os.environ | hub | {"HF_HUB_DISABLE_XET": "1", "NO_PROXY": "127.0.0.1"},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return json.loads(ended.stdout.splitlines()[-1])


@contextmanager
def published(world: World, folder: Path, jobs: list[dict[str, Any]]) -> Iterator[Hub]:
    """Publishes the artifacts of jobs by the service's own code."""
    arguments = []
    for job in jobs:
        archive = folder / f"published-{job['experiment_id']}-{job['attempt']}.tar.gz"
        Bucket(world.aws.s3, world.bucket).download(f"{job['output_prefix']}artifact.tar.gz", archive)
        arguments += [archive, job["model"]["id"]]
    process = subprocess.Popen([*PUBLISHER, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        # Between what the service logs.
        told = next(line for line in process.stdout if line.startswith('{"endpoint"'))
        yield Hub(**json.loads(told))
    finally:
        process.stdin.close()
        process.wait(60)
