"""What is installed where."""

import re
import subprocess
import sys
from pathlib import Path

TRAINER = Path(__file__).parent.parent


def pins(name: str) -> dict[str, str]:
    """The versions in a file of requirements."""
    lines = (TRAINER / name).read_text().splitlines()
    return dict(line.lower().split("==") for line in lines if re.match(r"[\w.-]+==", line))


def test_the_tests_run_on_the_versions_that_the_trainer_asks_for():
    asked = pins("requirements.txt") | pins("requirements-worker.txt")

    assert asked
    assert asked.items() <= pins("requirements-test.txt").items()


def test_a_training_image_keeps_its_own_torch():
    assert "torch" not in pins("requirements.txt")


def test_a_worker_without_a_queue_says_what_is_missing():
    command = [sys.executable, "-m", "tunesmith_trainer", "worker"]
    result = subprocess.run(
        command, cwd=TRAINER, env={"PATH": ""}, capture_output=True, text=True, check=False, timeout=180
    )

    assert result.returncode == 2
    assert "TRAINER_QUEUE_URL" in result.stdout
