"""What a trainer tells others, and what it does when it is told something."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import HYPERPARAMS, World

from tunesmith_trainer import run as run_module
from tunesmith_trainer.errors import DivergedError
from tunesmith_trainer.log import Log
from tunesmith_trainer.worker import work_on_queue

TRAINER = Path(__file__).parent.parent


def test_a_job_ends_with_report_artifact_answers_and_success(world: World):
    job = world.job("sft", "dpo")

    assert world.run(job)

    report = world.report(job)
    prefix = job["output_prefix"]
    assert report["outcome"] == "completed"
    assert [(stage["method"], stage["steps"]) for stage in report["stages"]] == [("sft", 3), ("dpo", 3)]
    for stage in report["stages"]:
        assert [point["step"] for point in stage["train_loss"]] == [1, 2, 3]
        assert [point["step"] for point in stage["held_out_loss"]] == [0, 3]
        assert stage["seconds"] > 0
    assert report["rows"] == {"trained": 12, "truncated": 0}
    assert (
        report["artifact_bytes"]
        == world.aws.s3.head_object(Bucket=world.bucket, Key=f"{prefix}artifact.tar.gz")["ContentLength"]
    )
    assert report["gguf_key"] in world.keys(prefix)
    assert world.outcome()["output"] == json.dumps({"report_key": f"{prefix}report.json"})
    item = world.item(job)
    assert (item["state"], item["phase"], item["method"], item["step"], item["steps"]) == (
        "ended",
        "packing",
        "dpo",
        "3",
        "3",
    )


def test_held_out_rows_are_answered_in_their_order_by_base_and_tuned_model(world: World):
    job = world.job(("sft", {"learning_rate": 0.01, "n_epochs": 3}))

    assert world.run(job)

    lines = world.read_lines(f"{job['output_prefix']}answers.jsonl")
    assert [line["row"] for line in lines] == [100, 101, 102]
    for line in lines:
        assert line["reference"].startswith("Arr!")
        assert line["messages"][0]["role"] == "user"
        assert line["tuned"]["reference_logprob"] > line["base"]["reference_logprob"]
        assert line["base"]["rejected_logprob"] < 0


def test_an_attempt_that_another_claimed_is_left_to_it(world: World):
    job = world.job("sft")
    world.set_state(job, "claimed")

    assert not world.run(job)

    assert world.waits()
    assert world.outputs(job) == []


def test_a_worker_deletes_the_message_at_once_also_where_its_claim_is_refused(world: World, monkeypatch, eventually):
    revoked, claimed = world.job("sft"), world.job(("sft", {"n_epochs": 200}))
    world.set_state(revoked, "revoked")
    stop = threading.Event()
    become_trainer(world, monkeypatch)
    for job in (revoked, claimed):
        world.send(job)
    worker = threading.Thread(target=work_on_queue, args=(world.queue_url, stop, Log()))
    worker.start()

    eventually(lambda: world.item(claimed).get("phase") == "training")
    counts = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    answer = world.aws.sqs.get_queue_attributes(QueueUrl=world.queue_url, AttributeNames=counts)

    assert {int(answer["Attributes"][name]) for name in counts} == {0}
    stop.set()
    worker.join(60)
    assert not worker.is_alive()
    # The interrupted one says so, for another attempt to go on from its checkpoint.
    assert world.item(claimed)["state"] == "ended"
    assert "latest.json" in "".join(world.keys(f"{claimed['output_prefix']}checkpoints/"))
    assert world.outcome()["error"] == "trainer_failed"


def test_a_job_that_cannot_be_read_stays_in_the_queue(world: World, monkeypatch, eventually, capfd):
    job = world.job("sft")
    world.put(world.job_key(job), json.dumps({"version": 1, "task_token": job["task_token"]}))
    stop = threading.Event()
    become_trainer(world, monkeypatch)
    world.send(job)
    # The second is of a service that lends no credentials.
    for body in ("no JSON", json.dumps({"bucket": world.bucket, "job_key": world.job_key(job)})):
        world.aws.sqs.send_message(QueueUrl=world.queue_url, MessageBody=body)
    worker = threading.Thread(target=work_on_queue, args=(world.queue_url, stop, Log()))
    worker.start()
    threading.Event().wait(5)
    stop.set()
    # A worker that waits for messages notices when it has the next.
    worker.join(30)

    logged = capfd.readouterr().out
    assert "experiment_id: Field required" in logged
    assert "lender: Field required" in logged
    assert "message_left" in logged
    answer = world.aws.sqs.get_queue_attributes(
        QueueUrl=world.queue_url,
        AttributeNames=["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"],
    )
    assert sum(int(count) for count in answer["Attributes"].values()) == 3


def test_heartbeats_go_on_while_it_trains_and_say_how_far_it_is(world: World, eventually):
    job = world.job(("sft", {"n_epochs": 200}))
    stop = threading.Event()
    thread = threading.Thread(target=world.run, args=(job, stop))
    thread.start()
    eventually(lambda: int(world.item(job).get("step", 0)) > 0)
    first = world.item(job)
    eventually(lambda: world.item(job)["heartbeat_at"] > first["heartbeat_at"])
    eventually(lambda: int(world.item(job)["step"]) > int(first["step"]))
    stop.set()
    thread.join(60)

    assert first["phase"] == "training"
    assert (first["method"], first["steps"]) == ("sft", "600")
    assert first["heartbeat_at"].endswith("Z")


def test_a_refused_heartbeat_stops_it_and_nothing_is_reported(world: World, eventually):
    job = world.job(("sft", {"n_epochs": 2000}), checkpoint_steps=10_000)
    thread = threading.Thread(target=world.run, args=(job,))
    thread.start()
    eventually(lambda: int(world.item(job).get("step", 0)) > 0)

    world.set_state(job, "revoked")
    thread.join(30)

    assert not thread.is_alive()
    assert world.item(job)["state"] == "revoked"
    assert world.waits()
    assert world.outputs(job) == [f"{job['output_prefix']}curve.json"]


def test_a_task_that_nobody_waits_for_stops_it(world: World, eventually):
    job = world.job(("sft", {"n_epochs": 2000}), task_token="of a task that ended")

    assert not world.run(job)

    assert f"{job['output_prefix']}report.json" not in world.keys(job["output_prefix"])
    assert world.item(job)["state"] == "claimed"


@pytest.mark.parametrize(
    ("stages", "changes", "cause"),
    [
        (["sft"], {"model": {"id": "no/such-model", "license": {"name": "x", "url": "https://x.org"}}}, "no base"),
        ([("sft", {"lora_trainable_modules": "q_proj,w_proj"})], {}, "w_proj"),
        (["sft", ("dpo", {"lora_r": 8})], {}, "stages.1.hyperparams.lora_r"),
    ],
)
def test_what_no_attempt_could_do_is_refused_with_the_reason(world: World, stages, changes, cause):
    job = world.job(*stages, **changes)

    assert not world.run(job)

    outcome = world.outcome()
    assert outcome["error"] == "trainer_refused"
    assert cause in outcome["cause"]
    assert world.item(job)["state"] == "ended"


def test_data_that_is_not_as_the_job_says_is_refused_without_text_of_rows(world: World):
    rows = [{"row": 0, "messages": [{"role": "user", "content": "secret"}], "completion": ""}]
    job = world.job("sft", rows=rows)

    assert not world.run(job)

    cause = world.outcome()["cause"]
    assert "Line 1" in cause
    assert "completion" in cause
    assert "secret" not in cause


def test_any_other_failure_is_named_without_text_of_rows(world: World, monkeypatch, capfd):
    def fail(*_args, **_options):
        raise ValueError("secret")

    monkeypatch.setattr(run_module, "write_rows", fail)
    job = world.job("sft")

    assert not world.run(job)

    outcome = world.outcome()
    assert outcome["error"] == "trainer_failed"
    assert "ValueError" in outcome["cause"]
    assert "secret" not in outcome["cause"] + capfd.readouterr().out


def test_a_worker_outlives_a_queue_that_does_not_answer(world: World, monkeypatch, capfd):
    monkeypatch.setattr("tunesmith_trainer.worker.LONG_POLL_SECONDS", 1)
    become_trainer(world, monkeypatch)
    queue_url = world.queue_url + "-that-is-not-there"
    stop = threading.Event()
    worker = threading.Thread(target=work_on_queue, args=(queue_url, stop, Log()))
    worker.start()
    printed = ""
    deadline = time.monotonic() + 60
    while "queue_unreachable" not in printed and time.monotonic() < deadline:
        time.sleep(0.1)
        printed += capfd.readouterr().out

    assert "queue_unreachable" in printed
    assert worker.is_alive()
    stop.set()
    worker.join(60)
    assert not worker.is_alive()


def test_a_row_that_does_not_fit_the_memory_is_refused(world: World, monkeypatch):
    def exhaust(*_args, **_options):
        raise MemoryError

    monkeypatch.setattr("tunesmith_trainer.trainers.Sft.compute_loss", exhaust)
    job = world.job("sft")

    assert not world.run(job)

    outcome = world.outcome()
    assert outcome["error"] == "trainer_refused"
    assert "does not fit into the memory" in outcome["cause"]


def test_a_training_that_diverges_is_reported_with_method_and_step(world: World):
    job = world.job(("sft", {"learning_rate": 1e30, "max_grad_norm": 0, "warmup_ratio": 0, "n_epochs": 3}))

    assert world.run(job)

    report = world.report(job)
    assert report["outcome"] == "diverged"
    assert "sft" in report["reason"]
    assert "step" in report["reason"]
    assert all(np.isfinite(point["loss"]) for stage in report["stages"] for point in stage["train_loss"])
    assert (report["answers_key"], report["artifact_key"], report["gguf_key"]) == (None, None, None)
    assert world.outcome()["status"] == "SUCCEEDED"


def test_a_model_without_finite_likelihoods_is_reported_as_diverged():
    with pytest.raises(DivergedError):
        run_module.mean_logprob(float("nan"), run_module.Encoded(ids=[1, 2], start=0, is_cut=False))


@pytest.mark.parametrize(("stage", "at"), [(("sft", {}), 0), (("dpo", {}), 1)])
def test_a_killed_training_goes_on_as_if_nothing_had_happened(world: World, monkeypatch, stage, at):
    dropout = {"lora_dropout": 0.2, "n_epochs": 2}
    stages = [("sft", dropout), ("dpo", dropout)]
    whole = world.job(*stages)
    assert world.run(whole)
    broken = world.job(*stages)
    die_after(monkeypatch, at, 3)
    assert not world.run(broken)
    monkeypatch.undo()
    again = world.next_attempt(broken)

    assert world.run(again)

    assert losses(world.report(again)) == pytest.approx(losses(world.report(whole)), rel=1e-5)
    answers = [world.read_lines(f"{job['output_prefix']}answers.jsonl") for job in (whole, again)]
    for of_whole, of_again in zip(*answers, strict=True):
        assert of_again["tuned"]["reference_logprob"] == pytest.approx(of_whole["tuned"]["reference_logprob"], rel=1e-5)


def become_trainer(world: World, monkeypatch) -> None:
    """Gives this process the environment of a trainer; the tests have connected already."""
    for name, value in world.trainer_environment.items():
        monkeypatch.setenv(name, value)


def losses(report: dict) -> list[float]:
    """All losses of a report, one after the other."""
    return [point["loss"] for stage in report["stages"] for point in stage["train_loss"] + stage["held_out_loss"]]


def die_after(monkeypatch, stage: int, step: int) -> None:
    """Has the process fail before that step of that stage."""
    advance = run_module.JobRun.advance

    def advance_or_die(self, method, done, steps):
        if len(self._stages) == stage + 1 and done >= step:
            raise RuntimeError("killed")
        advance(self, method, done, steps)

    monkeypatch.setattr(run_module.JobRun, "advance", advance_or_die)


def test_a_checkpoint_of_another_training_is_not_gone_on_from(world: World):
    other = world.job("sft")
    assert world.run(other)
    faster = [{"method": "sft", "hyperparams": HYPERPARAMS | {"learning_rate": 2e-3}}]
    job = world.next_attempt(other, stages=faster)

    assert world.run(job)

    assert world.report(job)["stages"][0]["held_out_loss"][0]["step"] == 0
    assert len(world.report(job)["stages"][0]["train_loss"]) == 3


def test_sigterm_saves_a_checkpoint_from_which_sagemaker_goes_on_in_the_same_attempt(world: World, eventually):
    job = world.job(("sft", {"n_epochs": 60}), checkpoint_steps=10_000)
    command = [
        sys.executable,
        str(TRAINER / "sagemaker_entry.py"),
        *("--bucket", world.bucket),
        *("--job_key", world.job_key(job)),
        *("--lender", world.lender),
    ]
    secret = world.message(job).secret
    environment = os.environ | world.trainer_environment | {"ATTEMPT_SECRET": secret}
    paths = os.pathsep.join([str(TRAINER), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment |= {"TRAINING_JOB_NAME": f"job-{job['experiment_id']}", "PYTHONPATH": paths}
    process = subprocess.Popen(command, env=environment)
    eventually(lambda: int(world.item(job).get("step", 0)) > 0)
    process.send_signal(signal.SIGTERM)

    assert process.wait(60) != 0
    assert world.item(job)["state"] == "claimed"
    assert world.waits()
    assert int(world.item(job)["step"]) < 180
    assert f"{job['output_prefix']}checkpoints/latest.json" in world.keys(job["output_prefix"])

    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert '"checkpoint_found"' in done.stdout
    for hidden in (job["task_token"], secret):
        assert hidden not in done.stdout + done.stderr
    assert world.outcome()["status"] == "SUCCEEDED"
    assert [point["step"] for point in world.report(job)["stages"][0]["train_loss"]] == list(range(1, 181))


def test_a_given_adapter_and_order_are_what_it_begins_with(world: World, tmp_path):
    first = world.job("sft")
    assert world.run(first)
    adapter = world.artifact(first, tmp_path) / "adapter_model.safetensors"
    data = "trainings/second/data/"
    world.aws.s3.upload_file(str(adapter), world.bucket, f"{data}initial.safetensors")
    order = world.put(f"{data}order.json", json.dumps([[0, 1, 2], [3]]))
    job = world.job(
        "sft", experiment_id="second", batch_order_key=order, initial_adapter_key=f"{data}initial.safetensors"
    )

    assert world.run(job)

    before, after = (world.report(each)["stages"][0] for each in (first, job))
    assert [point["step"] for point in after["train_loss"]] == [1, 2]
    assert after["held_out_loss"][0]["loss"] == pytest.approx(before["held_out_loss"][-1]["loss"], rel=1e-6)
