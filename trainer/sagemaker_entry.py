"""Trains one job on SageMaker: the entry point of the source bundle on AWS's PyTorch training images.

The hyperparameters `bucket` and `job_key` name the job. A spot interruption has SageMaker start this again; it knows
its claim by the name of the training job, and goes on from the last checkpoint.
"""

import argparse
import os
import sys

from tunesmith_trainer.aws import connect
from tunesmith_trainer.log import Log
from tunesmith_trainer.worker import claim, interrupted_by_signals, perform, read_job


def main() -> int:
    """Trains the job; returns 0 when a report came of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--bucket", required=True)
    parser.add_argument("--job_key", required=True)
    arguments, _ = parser.parse_known_args()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ["CUDA_VISIBLE_DEVICES"] = "0"
    interrupted = interrupted_by_signals()
    log = Log(training_job=os.environ["TRAINING_JOB_NAME"])
    aws = connect()
    job = read_job(aws, arguments.bucket, arguments.job_key)
    owner = f"sagemaker:{os.environ['TRAINING_JOB_NAME']}"
    attempt = claim(aws, job, owner, log, again=True)
    if attempt is None:
        return 1
    return 0 if perform(aws, job, attempt, interrupted, is_started_again=True) else 1


if __name__ == "__main__":
    sys.exit(main())
