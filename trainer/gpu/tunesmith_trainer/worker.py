"""Processes jobs: from a queue until it is stopped, or a single given one."""

import signal
import tempfile
import threading
from pathlib import Path

from botocore.exceptions import BotoCoreError, ClientError

from .attempt import Attempt, new_owner
from .aws import Aws, Bucket, borrow, connect
from .errors import InterruptedTrainingError, RefusedError, RevokedError
from .job import InvalidDocumentError, TrainerMessage, TrainingJob, read
from .log import Log
from .run import JobRun

LONG_POLL_SECONDS = 20


def work_on_queue(queue_url: str, interrupted: threading.Event, log: Log) -> int:
    """Takes jobs from the queue until the event is set; returns the exit status of the process."""
    aws = connect()
    log.info("worker_started")
    while not interrupted.is_set():
        try:
            answer = aws.sqs.receive_message(
                QueueUrl=queue_url, MaxNumberOfMessages=1, WaitTimeSeconds=LONG_POLL_SECONDS
            )
        except (BotoCoreError, ClientError) as error:
            log.error("queue_unreachable", cause=error)
            interrupted.wait(LONG_POLL_SECONDS)
            continue
        for message in answer.get("Messages", []):
            try:
                asked = read(TrainerMessage, message["Body"])
                lent = borrow(aws, asked, interrupted, log)
                job = read_job(lent, asked)
                attempt = claim(lent, job, new_owner(), log)
            except RevokedError:
                log.info("credentials_refused")
                attempt = None
            except Exception as error:
                # The message is delivered again; after several failures it is a dead letter, which raises an alarm.
                hint = str(error) if isinstance(error, InvalidDocumentError) else None
                log.error("message_left", cause=error, hint=hint, message_id=message["MessageId"])
                continue
            # From now on the owner keeps the attempt by its heartbeats.
            aws.sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
            if attempt is not None:
                perform(lent, job, attempt, interrupted)
    log.info("worker_stopped")
    return 0


def read_job(aws: Aws, asked: TrainerMessage) -> TrainingJob:
    """Reads the job of a message. Raises InvalidDocumentError for an invalid one."""
    return read(TrainingJob, Bucket(aws.s3, asked.bucket).read(asked.job_key))


def claim(aws: Aws, job: TrainingJob, owner: str, log: Log, *, again: bool = False) -> Attempt | None:
    """Claims the attempt of a job and starts its heartbeats; None if it cannot be claimed.

    again: the owner may have claimed it before, in a process that was interrupted.
    """
    log = log.bind(experiment_id=job.experiment_id, iteration=job.iteration, attempt=job.attempt)
    attempt = Attempt(aws, job, owner, log)
    if not attempt.claim(again=again):
        log.info("claim_refused")
        return None
    log.info("claimed", model=job.model.id, stages=[stage.method for stage in job.stages])
    return attempt


def perform(
    aws: Aws, job: TrainingJob, attempt: Attempt, interrupted: threading.Event, *, is_started_again: bool = False
) -> bool:
    """Runs a claimed job to its end; returns whether it produced a report.

    is_started_again: whoever interrupts this process starts another one for the same attempt, so that an interruption
    is no failure of it.
    """
    log = attempt.log
    try:
        with tempfile.TemporaryDirectory(prefix="tunesmith-") as folder:
            bucket = Bucket(aws.s3, job.bucket)
            report_key = JobRun(job, attempt, bucket, Path(folder), interrupted, log).perform()
        attempt.succeed(report_key)
        log.info("reported")
        return True
    except RevokedError:
        log.info("left")
    except InterruptedTrainingError:
        log.info("interrupted")
        if not is_started_again:
            report_failure(attempt, "trainer_failed", "The trainer's machine was taken away before it was done.", log)
    except RefusedError as error:
        log.warn("refused", reason=str(error))
        report_failure(attempt, "trainer_refused", str(error), log)
    except Exception as error:
        log.error("failed", cause=error)
        cause = f"The trainer failed by {type(error).__name__}; its log has the place."
        report_failure(attempt, "trainer_failed", cause, log)
    finally:
        attempt.close()
    return False


def report_failure(attempt: Attempt, code: str, cause: str, log: Log) -> None:
    """Reports a failed attempt, if something still waits for it."""
    try:
        attempt.fail(code, cause)
    except RevokedError:
        log.info("left")
    except (BotoCoreError, ClientError) as error:
        # Without heartbeats, the attempt is abandoned within minutes.
        log.error("not_reported", cause=error)


def interrupted_by_signals() -> threading.Event:
    """An event that SIGTERM and SIGINT set; a spot machine sends SIGTERM two minutes before it is reclaimed."""
    event = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: event.set())
    return event
