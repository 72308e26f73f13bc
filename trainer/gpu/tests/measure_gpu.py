"""What a GPU does with the trainer: run on a machine that has one, beside the emulator (../README.md has a record).

usage: python -m pytest -s tests/measure_gpu.py    in the environment that bin/test-trainer.ts gives to the tests

`test:trainer` does not collect it, since CI has no GPU. It prints a line of JSON for each measurement. The models whose
size is measured have random weights and are made here; their tokens are bytes.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import torch
from conftest import SMALL, World, byte_tokenizer, pair
from peft import PeftModel
from trainer_process import TrainerProcess
from transformers import Qwen2Config, Qwen2ForCausalLM

from tunesmith_trainer import run
from tunesmith_trainer.models import has_gpu

if not has_gpu():
    pytest.exit("This machine has no GPU that torch can use.", returncode=1)

LICENSE = {"name": "Apache-2.0", "url": "https://example.org/license"}
#: The shapes of Qwen 2.5, by the size in its name.
SHAPES = {
    "0.5B": {"hidden_size": 896, "intermediate_size": 4864, "num_hidden_layers": 24, "num_attention_heads": 14}
    | {"num_key_value_heads": 2, "vocab_size": 151_936, "tie_word_embeddings": True},
    "1.5B": {"hidden_size": 1536, "intermediate_size": 8960, "num_hidden_layers": 28, "num_attention_heads": 12}
    | {"num_key_value_heads": 2, "vocab_size": 151_936, "tie_word_embeddings": True},
    "7B": {"hidden_size": 3584, "intermediate_size": 18_944, "num_hidden_layers": 28, "num_attention_heads": 28}
    | {"num_key_value_heads": 4, "vocab_size": 152_064, "tie_word_embeddings": False},
}


def record(measured: str, **values: Any) -> None:
    """Prints a line."""
    print(json.dumps({"measured": measured, **values}))


def test_device() -> None:
    properties = torch.cuda.get_device_properties(0)
    record("device", name=properties.name, bytes=properties.total_memory, torch=torch.__version__)


def random_model(models: Path, size: str) -> str:
    """The id of a model of that size with random weights."""
    folder = models / f"random-{size}"
    if not folder.exists():
        torch.manual_seed(0)
        torch.set_default_dtype(torch.bfloat16)
        with torch.device("cuda"):
            model = Qwen2ForCausalLM(Qwen2Config(max_position_embeddings=32_768, **SHAPES[size]))
        torch.set_default_dtype(torch.float32)
        model.save_pretrained(folder)
        byte_tokenizer().save_pretrained(folder)
        del model
        torch.cuda.empty_cache()
    return folder.name


def long_pair(row: int) -> dict[str, Any]:
    """A row of about a thousand tokens of one byte each."""
    return pair(row) | {"chosen": f"Arr {row}! " * 140, "rejected": f"No {row}. " * 140}


def recompute(monkeypatch) -> None:
    """Has all trainings recompute activations from their first step on, as where memory is short."""
    create_trainer = run.create_trainer

    def create(work, model, *arguments, **options):
        base = model.get_base_model() if isinstance(model, PeftModel) else model
        base.activation_checkpointing_enable()
        return create_trainer(work, model, *arguments, **options)

    monkeypatch.setattr(run, "create_trainer", create)


@pytest.mark.parametrize("recomputes", [False, True], ids=["kept", "recomputed"])
@pytest.mark.parametrize(
    ("size", "stage", "batch_size", "rows"),
    [
        ("1.5B", ("sft", {}), 32, 256),
        ("1.5B", ("dpo", {}), 16, 64),
        ("7B", ("sft", {}), 32, 128),
        ("7B", ("dpo", {}), 16, 48),
        ("0.5B", ("sft", {"training_type": "full", "learning_rate": 1e-5}), 32, 128),
    ],
    ids=["1.5B-sft", "1.5B-dpo", "7B-sft", "7B-dpo", "0.5B-full"],
)
def test_throughput_and_memory(world: World, models, monkeypatch, size, stage, batch_size, rows, recomputes) -> None:
    method, changes = stage
    model = random_model(models, size)
    if recomputes:
        recompute(monkeypatch)
    ends: list[float] = []
    advance = run.JobRun.advance

    def timed(self, *progress) -> None:
        ends.append(time.monotonic())
        advance(self, *progress)

    monkeypatch.setattr(run.JobRun, "advance", timed)
    data = [long_pair(row) for row in range(rows)]
    job = world.job(
        (method, {"lora_r": 16, "lora_alpha": 32, "batch_size": batch_size, "learning_rate": 1e-4} | changes),
        rows=data,
        held_out=data[:4],
        model={"id": model, "license": LICENSE},
        checkpoint_steps=1000,
        context_tokens=2048,
    )
    torch.cuda.reset_peak_memory_stats()
    started = time.monotonic()
    done = world.run(job)
    whole = time.monotonic() - started

    texts = ["chosen"] if method == "sft" else ["chosen", "rejected"]
    tokens = [len(row[text]) for row in data for text in texts]
    steps = len(ends)
    # The first step also compiles and allocates.
    measured = sum(tokens) * (steps - 1) / steps / (ends[-1] - ends[0]) if steps > 1 else None
    report = world.report(job) if done else {}
    record(
        "throughput",
        size=size,
        stage=stage,
        batch_size=batch_size,
        rows=rows,
        recomputes=recomputes,
        done=done,
        tokens_per_second=measured,
        seconds=whole,
        seconds_of_stage=report["stages"][0]["seconds"] if done else None,
        losses=[point["loss"] for point in report["stages"][0]["train_loss"]] if done else None,
        peak_bytes=torch.cuda.max_memory_allocated(),
        artifact_bytes=report.get("artifact_bytes"),
    )
    assert done


def test_a_step_that_does_not_fit_is_repeated_with_smaller_micro_batches(world: World, models, capfd) -> None:
    model = random_model(models, "0.5B")
    data = [long_pair(row) for row in range(32)]
    total_gigabytes = torch.cuda.get_device_properties(0).total_memory / 1e9

    def train(gigabytes: float) -> tuple[bool, dict[str, Any], dict[str, Any]]:
        torch.cuda.empty_cache()
        torch.cuda.set_per_process_memory_fraction(gigabytes / total_gigabytes)
        job = world.job(
            ("sft", {"batch_size": 16}),
            rows=data,
            held_out=data[:4],
            model={"id": model, "license": LICENSE},
            context_tokens=2048,
        )
        try:
            done = world.run(job)
        finally:
            torch.cuda.set_per_process_memory_fraction(1.0)
        return done, job, world.report(job) if done else world.outcome()

    def losses(report: dict[str, Any]) -> list[float]:
        return [point["loss"] for point in report["stages"][0]["train_loss"]]

    _, _, whole = train(total_gigabytes)
    done, _, split = train(3)
    record("memory", enough=losses(whole), little=losses(split) if done else split)
    refused, _, outcome = train(0.5)
    record("no memory", done=refused, outcome=outcome)
    assert done
    assert losses(split) == pytest.approx(losses(whole), rel=0.01)
    assert not refused
    assert outcome["error"] == "trainer_refused"
    assert "does not fit" in outcome["cause"]


def test_trained_weights_learn_on_the_gpu_what_they_learn_on_the_cpu(world: World, models) -> None:
    stage = {"lora_r": 16, "lora_alpha": 32, "batch_size": 8, "n_epochs": 2, "learning_rate": 2e-4}
    stages = [("sft", stage), ("dpo", stage | {"learning_rate": 5e-5})]
    options = {
        "rows": [pair(row) for row in range(96)],
        "held_out": [pair(100 + row) for row in range(12)],
        "model": {"id": SMALL, "license": LICENSE},
        "checkpoint_steps": 1000,
        "answer_tokens_max": 24,
    }
    on_gpu = world.job(*stages, **options)
    started = time.monotonic()
    assert world.run(on_gpu)
    seconds_on_gpu = time.monotonic() - started
    on_cpu = world.job(*stages, **options)
    command = ["env", "CUDA_VISIBLE_DEVICES=-1", sys.executable, "-m", "tunesmith_trainer", "worker"]
    started = time.monotonic()
    with TrainerProcess(world, command, models) as process:
        process.run(on_cpu)

    reports = [world.report(job) for job in (on_gpu, on_cpu)]
    ours, theirs = (
        [[point["loss"] for point in stage["held_out_loss"]] for stage in each["stages"]] for each in reports
    )
    answers = world.read_lines(f"{on_gpu['output_prefix']}answers.jsonl")
    record(
        "trained weights",
        devices=[each["trainer"]["device"] for each in reports],
        seconds=[seconds_on_gpu, time.monotonic() - started],
        held_out_loss_on_gpu=ours,
        held_out_loss_on_cpu=theirs,
        answers=[{"base": row["base"]["answer"], "tuned": row["tuned"]["answer"]} for row in answers[:3]],
    )
    assert reports[1]["trainer"]["device"].startswith("CPU")
    for gpu, cpu in zip(ours, theirs, strict=True):
        assert gpu[-1] < gpu[0]
        assert gpu == pytest.approx(cpu, rel=0.02)
