"""`python -m tunesmith_trainer worker`: trains what the queue of TRAINER_QUEUE_URL asks for."""

import argparse
import os
import sys

from .log import Log
from .worker import interrupted_by_signals, work_on_queue


def main() -> int:
    """Runs the command of the arguments; returns the exit status of the process."""
    parser = argparse.ArgumentParser(prog="tunesmith_trainer", description="Trains models for Tunesmith.")
    parser.add_argument("command", choices=["worker"], help="worker: take jobs from TRAINER_QUEUE_URL, one by one")
    parser.parse_args()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    # One process has one GPU: start a worker for each.
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0")
    return work_on_queue(interrupted_by_signals(), Log())


if __name__ == "__main__":
    sys.exit(main())
