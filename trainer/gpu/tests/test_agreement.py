"""The two trainers of the service agree on what a training does."""

import json
from typing import Any

import pytest
import torch
from conftest import HYPERPARAMS, SMALL, WORDS, World
from publishing import published
from safetensors.torch import save_file
from trainer_process import EMBEDDED, TrainerProcess
from transformers import set_seed

from tunesmith_trainer.job import StageHyperparams
from tunesmith_trainer.models import add_adapter, load_model

ADAPTER = {"lora_r": 4, "lora_alpha": 8, "learning_rate": 1e-3, "batch_size": 2}
#: Each kind of loss, by the number of its steps.
STAGES = {
    6: [
        ("sft", ADAPTER | {"warmup_ratio": 0.2}),
        ("dpo", ADAPTER | {"lr_scheduler_type": "linear", "dpo_beta": 0.3}),
    ],
    2: [
        ("dpo", ADAPTER | {"rpo_alpha": 0.5, "dpo_normalize_logratios_by_length": True}),
        ("dpo", ADAPTER | {"simpo_gamma": 0.5, "dpo_beta": 0.8, "dpo_normalize_logratios_by_length": True}),
    ],
}


def short_pair(row: int) -> dict[str, Any]:
    """A row of few tokens: a system message of its own takes the place of the template's."""
    word = WORDS[row]
    return {
        "row": row,
        "messages": [{"role": "system", "content": "Answer."}, {"role": "user", "content": f"A {word}?"}],
        "chosen": f"Arr, a {word}" + ", matey" * (row % 3) + "!",
        "rejected": f"It is a {word}" + ", Sir" * (row % 2) + ".",
    }


#: Where trainers find the data of the training.
DATA = "trainings/agreement/data/"


@pytest.fixture
def initial_adapter(world: World, tmp_path, models) -> str:
    """The key of an adapter whose both parts are random."""
    set_seed(3)
    adapter = add_adapter(load_model(SMALL, is_trained_whole=False), StageHyperparams(**(HYPERPARAMS | ADAPTER)))
    tensors = {
        name.replace(".default", ""): tensor.detach().contiguous()
        if ".lora_A" in name
        else torch.randn_like(tensor) * 0.002
        for name, tensor in adapter.named_parameters()
        if ".lora_" in name
    }
    save_file(tensors, tmp_path / "initial.safetensors", metadata={"format": "pt"})
    key = f"{DATA}initial.safetensors"
    world.aws.s3.upload_file(str(tmp_path / "initial.safetensors"), world.bucket, key)
    return key


def test_losses_of_each_kind_are_the_same_within_one_percent(world: World, initial_adapter, tmp_path, models):
    # Attempts of one training, one after the other: the data is the same, and so are the processes that it takes.
    shared = {"initial_adapter_key": initial_adapter, "checkpoint_steps": 100, "resume_prefixes": []}
    first = world.job(
        rows=[short_pair(row) for row in range(6)],
        held_out=[short_pair(row) for row in (6, 7)],
        model={"id": SMALL, "license": {"name": "Apache-2.0", "url": "https://example.org/license"}},
        experiment_id="agreement",
    )
    ours = []
    for steps, stages in STAGES.items():
        job = world.next_attempt(
            [first, *ours][-1],
            **shared,
            stages=[{"method": method, "hyperparams": HYPERPARAMS | changes} for method, changes in stages],
            batch_order_key=world.put(f"{DATA}order-{steps}.json", json.dumps(order(steps))),
        )
        assert world.run(job)
        ours.append(job)
    theirs = []
    with TrainerProcess(world, EMBEDDED) as trainer:
        for job in ours:
            same = {name: job[name] for name in ("stages", "batch_order_key")}
            # Often enough that it deletes a checkpoint as well.
            again = world.next_attempt([*ours, *theirs][-1], **same, checkpoint_steps=2, resume_prefixes=[])
            trainer.run(again)
            theirs.append(again)
        assert trainer.memory < 3 * 2**30

    for steps, of_ours, of_theirs in zip(STAGES, ours, theirs, strict=True):
        reports_agree(world.report(of_ours), world.report(of_theirs), steps)
    answers = [world.read_lines(f"{job['output_prefix']}answers.jsonl") for job in (*ours, *theirs)]
    for of_ours, of_theirs in zip(answers[: len(ours)], answers[len(ours) :], strict=True):
        for our_line, their_line in zip(of_ours, of_theirs, strict=True):
            for model in ("base", "tuned"):
                for name in ("reference_logprob", "rejected_logprob"):
                    assert their_line[model][name] == pytest.approx(our_line[model][name], rel=0.01)

    # Published by the service and loaded by name they are the models that the embedded trainer has measured.
    with published(world, tmp_path, theirs) as hub:
        asked = [(lines, first["answer_tokens_max"]) for lines in answers[len(ours) :]]
        loaded = hub.load(models, asked, tmp_path / "cache")
    for (lines, _), of_hub in zip(asked, loaded, strict=True):
        for line, found in zip(lines, of_hub["answers"], strict=True):
            assert found["reference_logprob"] == pytest.approx(line["tuned"]["reference_logprob"], rel=0.01)


def order(steps: int) -> list[list[int]]:
    """Batches of one row and of two in turn."""
    return [[step % 6, (step + 2) % 6][: 1 + step % 2] for step in range(steps)]


def reports_agree(ours: dict[str, Any], theirs: dict[str, Any], steps: int) -> None:
    """The reports of both trainers tell the same training."""
    assert (ours["trainer"]["kind"], theirs["trainer"]["kind"]) == ("gpu", "embedded")
    for of_ours, of_theirs in zip(ours["stages"], theirs["stages"], strict=True):
        assert of_ours["method"] == of_theirs["method"]
        for curve in ("train_loss", "held_out_loss"):
            assert [point["step"] for point in of_theirs[curve]] == [point["step"] for point in of_ours[curve]]
            assert losses(of_theirs[curve]) == pytest.approx(losses(of_ours[curve]), rel=0.01)
        assert rates(of_theirs["train_loss"]) == pytest.approx(rates(of_ours["train_loss"]), rel=1e-9)
        assert of_theirs["steps_planned"] == of_ours["steps_planned"] == steps
        assert len(of_ours["train_loss"]) == steps
        # Models that learn nothing would agree too.
        first, *_, last = losses(of_ours["held_out_loss"])
        assert last < first * 0.98


def losses(curve: list[dict]) -> list[float]:
    """The losses of a curve."""
    return [point["loss"] for point in curve]


def rates(curve: list[dict]) -> list[float]:
    """The learning rates of a curve."""
    return [point["learning_rate"] for point in curve]
