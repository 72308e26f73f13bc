"""`python -m tunesmith_trainer worker`: trains what the queue of TRAINER_QUEUE_URL asks for."""

import argparse
import os
import sys

from .log import Log


def main() -> int:
    """Runs the command of the arguments; returns the exit status of the process."""
    parser = argparse.ArgumentParser(prog="tunesmith_trainer", description="Trains models for Tunesmith.")
    parser.add_argument("command", choices=["worker"], help="worker: take jobs from TRAINER_QUEUE_URL, one by one")
    parser.parse_args()
    log = Log()
    queue_url = os.environ.get("TRAINER_QUEUE_URL")
    if not queue_url:
        log.error("no_queue", hint="Set TRAINER_QUEUE_URL to the URL of the trainer's queue.")
        return 2
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    # One process has one GPU: start a worker for each.
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0")
    # Takes seconds, which whoever asks for help or names no queue need not wait.
    from .worker import interrupted_by_signals, work_on_queue  # noqa: PLC0415

    return work_on_queue(queue_url, interrupted_by_signals(), log)


if __name__ == "__main__":
    sys.exit(main())
