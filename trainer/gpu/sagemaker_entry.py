"""Trains one job on SageMaker: the entry point of the source bundle on AWS's PyTorch training images.

The hyperparameters `bucket` and `job_key` name the job, and `lender` the function that lends credentials for it.
ATTEMPT_SECRET is what that function is shown. A spot interruption has SageMaker start this again; it knows
its claim by the name of the training job, and goes on from the last checkpoint.
"""

import argparse
import os
import sys

from tunesmith_trainer.aws import borrow, connect
from tunesmith_trainer.errors import RevokedError
from tunesmith_trainer.job import TrainerMessage
from tunesmith_trainer.log import Log
from tunesmith_trainer.worker import claim, interrupted_by_signals, perform, read_job


def main() -> int:
    """Trains the job; returns 0 when a report came of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--bucket", required=True)
    parser.add_argument("--job_key", required=True)
    parser.add_argument("--lender", required=True)
    arguments, _ = parser.parse_known_args()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ["CUDA_VISIBLE_DEVICES"] = "0"
    interrupted = interrupted_by_signals()
    log = Log(training_job=os.environ["TRAINING_JOB_NAME"])
    asked = TrainerMessage(
        bucket=arguments.bucket,
        job_key=arguments.job_key,
        lender=arguments.lender,
        # Taken out of the environment, which processes of the training would inherit.
        secret=os.environ.pop("ATTEMPT_SECRET"),
    )
    try:
        aws = borrow(connect(), asked, interrupted, log)
    except RevokedError:
        log.info("credentials_refused")
        return 1
    job = read_job(aws, asked)
    owner = f"sagemaker:{os.environ['TRAINING_JOB_NAME']}"
    attempt = claim(aws, job, owner, log, again=True)
    if attempt is None:
        return 1
    return 0 if perform(aws, job, attempt, interrupted, is_started_again=True) else 1


if __name__ == "__main__":
    sys.exit(main())
