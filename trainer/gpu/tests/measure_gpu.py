"""What a GPU does with the trainer: run on a machine that has one, beside the emulator (../README.md has a record).

usage: python -m pytest -s tests/measure_gpu.py    in the environment that bin/test-trainer.ts gives to the tests

`test:trainer` does not collect it, since CI has no GPU. It prints a line of JSON for each measurement. The models have
random weights and are made here; their tokens are bytes.
"""

import json
import time
from pathlib import Path
from typing import Any

import pytest
import torch
from conftest import World, byte_tokenizer, pair
from transformers import Qwen2Config, Qwen2ForCausalLM

from tunesmith_trainer.models import has_gpu
from tunesmith_trainer.run import JobRun

if not has_gpu():
    pytest.exit("This machine has no GPU that torch can use.", returncode=1)

LICENSE = {"name": "Apache-2.0", "url": "https://example.org/license"}
#: The shapes of Qwen 2.5, by the size in its name.
SHAPES = {
    "0.5B": {"hidden_size": 896, "intermediate_size": 4864, "num_hidden_layers": 24, "num_attention_heads": 14}
    | {"num_key_value_heads": 2, "vocab_size": 151_936, "tie_word_embeddings": True},
    "1.5B": {"hidden_size": 1536, "intermediate_size": 8960, "num_hidden_layers": 28, "num_attention_heads": 12}
    | {"num_key_value_heads": 2, "vocab_size": 151_936, "tie_word_embeddings": True},
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


@pytest.mark.parametrize(
    ("size", "stage", "batch_size", "rows"),
    [
        ("1.5B", ("sft", {}), 32, 256),
        ("1.5B", ("dpo", {}), 16, 64),
        ("0.5B", ("sft", {"training_type": "full", "learning_rate": 1e-5}), 32, 128),
    ],
)
def test_throughput_and_memory(world: World, models, monkeypatch, size, stage, batch_size, rows) -> None:
    method, changes = stage
    model = random_model(models, size)
    ends: list[float] = []
    advance = JobRun.advance

    def timed(self, *progress) -> None:
        ends.append(time.monotonic())
        advance(self, *progress)

    monkeypatch.setattr(JobRun, "advance", timed)
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

    def run(gigabytes: float) -> tuple[bool, dict[str, Any], dict[str, Any]]:
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

    _, _, whole = run(total_gigabytes)
    done, _, split = run(3)
    record("memory", enough=losses(whole), little=losses(split) if done else split)
    refused, _, outcome = run(0.5)
    record("no memory", done=refused, outcome=outcome)
    assert done
    assert losses(split) == pytest.approx(losses(whole), rel=0.01)
    assert not refused
    assert outcome["error"] == "trainer_refused"
    assert "does not fit" in outcome["cause"]
