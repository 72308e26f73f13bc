"""The trainer of the local cloud as a process of its own."""

import json
import os
import subprocess
import threading
import time
from pathlib import Path
from typing import Any, Self

from conftest import World

EMBEDDED = json.loads(os.environ["EMBEDDED_TRAINER"])


class TrainerProcess:
    """A trainer that takes jobs from the world's queue while the block runs."""

    def __init__(self, world: World, command: list[str], models: Path) -> None:
        self._world = world
        self._command = command
        self._models = models
        #: The most bytes of memory that its processes were seen to take together.
        self.memory = 0

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command,
            cwd=Path(__file__).parent.parent,
            env=os.environ | self._world.trainer_environment | {"TUNESMITH_MODELS_DIR": str(self._models)},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        return self

    def __exit__(self, *error: object) -> None:
        self._process.terminate()
        self._process.stdin.close()
        self._process.wait(60)

    def run(self, job: dict[str, Any], seconds_max: float = 300) -> None:
        """Sees a queued job to its end."""
        self._world.send(job)
        started = time.monotonic()
        while self._world.item(job)["state"] != "ended":
            if time.monotonic() - started > seconds_max or self._process.poll() is not None:
                raise AssertionError(f"The trainer has not ended {job['output_prefix']}.")
            self.memory = max(self.memory, memory_of(self._process.pid))
            threading.Event().wait(0.2)


def memory_of(pid: int) -> int:
    """Bytes of memory that a process and its children have now; 0 where the system does not say."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(memory_of(int(child)) for child in children)
