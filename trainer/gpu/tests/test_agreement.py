"""Both trainers agree on what a training does, and what the service publishes is what they trained."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
from conftest import HYPERPARAMS, SMALL, TINY, WORDS, World, create_world
from publishing import published
from safetensors.torch import save_file
from shallow_model import write_shallow_model
from trainer_process import EMBEDDED, TrainerProcess
from transformers import set_seed

from tunesmith_trainer.job import StageHyperparams
from tunesmith_trainer.models import add_adapter, load_model

ADAPTER = {"lora_r": 4, "lora_alpha": 8, "learning_rate": 1e-3, "batch_size": 2}
#: Each kind of loss; the one without a reference first, while there is little between chosen and rejected.
STAGES = [
    ("sft", ADAPTER | {"warmup_ratio": 0.3}),
    ("dpo", ADAPTER | {"simpo_gamma": 0.5, "dpo_beta": 0.8, "dpo_normalize_logratios_by_length": True}),
    ("dpo", ADAPTER | {"rpo_alpha": 0.5, "dpo_normalize_logratios_by_length": True}),
    ("dpo", ADAPTER | {"lr_scheduler_type": "linear", "dpo_beta": 0.3}),
]
#: An epoch and the begin of another.
STEPS = 4


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


@dataclass
class Agreement:
    """A training by both trainers."""

    world: World
    #: The folder of the base for TUNESMITH_MODEL_DIR.
    models: Path
    ours: dict[str, Any]
    theirs: dict[str, Any]
    #: The most bytes of memory that the embedded trainer took.
    memory: int

    def answers(self, job: dict[str, Any]) -> list[dict[str, Any]]:
        """The answers of an attempt."""
        return self.world.read_lines(f"{job['output_prefix']}answers.jsonl")


@pytest.fixture(scope="module")
def agreement(aws, models, role_arn, store, tmp_path_factory) -> Agreement:
    """A training of all stages by each trainer, on the same data from the same adapter in the same order."""
    folder = tmp_path_factory.mktemp("agreement")
    world = create_world(aws, role_arn, store)
    checkpoints, files = write_shallow_model(models, folder)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("TUNESMITH_MODEL_DIR", str(checkpoints))
        ours = world.job(
            *STAGES,
            rows=[short_pair(row) for row in range(6)],
            held_out=[short_pair(row) for row in (6, 7)],
            model={"id": SMALL, "license": {"name": "Apache-2.0", "url": "https://example.org/license"}},
            experiment_id="agreement",
            initial_adapter_key=put_initial_adapter(world, folder),
            batch_order_key=world.put(f"{DATA}order.json", json.dumps(order(STEPS))),
            checkpoint_steps=100,
        )
        assert world.run(ours)
    # Checkpoints often enough that it deletes one as well.
    theirs = world.next_attempt(ours, checkpoint_steps=2, resume_prefixes=[])
    with TrainerProcess(world, EMBEDDED, files) as trainer:
        trainer.run(theirs)
    return Agreement(world, checkpoints, ours, theirs, trainer.memory)


def put_initial_adapter(world: World, folder: Path) -> str:
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
    save_file(tensors, folder / "initial.safetensors", metadata={"format": "pt"})
    key = f"{DATA}initial.safetensors"
    world.aws.s3.upload_file(str(folder / "initial.safetensors"), world.bucket, key)
    return key


def test_losses_of_each_kind_are_the_same_within_one_percent(agreement: Agreement):
    world, ours, theirs = agreement.world, agreement.ours, agreement.theirs

    reports_agree(world.report(ours), world.report(theirs))
    for of_ours, of_theirs in zip(agreement.answers(ours), agreement.answers(theirs), strict=True):
        for model in ("base", "tuned"):
            for name in ("reference_logprob", "rejected_logprob"):
                assert of_theirs[model][name] == pytest.approx(of_ours[model][name], rel=0.01)
    assert agreement.memory < 3 * 2**30


def test_published_models_load_from_the_hub_by_name_and_answer_as_trained(
    agreement: Agreement, world: World, tmp_path, models
):
    # A rate at which the answers of a tiny model change.
    adapter = world.job(("sft", {"learning_rate": 0.05}), ("dpo", {"learning_rate": 0.02}))
    checkpoint = world.job(("sft", {"training_type": "full", "learning_rate": 0.01}))
    for job in (adapter, checkpoint):
        assert world.run(job)

    jobs = [adapter, checkpoint, agreement.theirs]
    answers = [world.read_lines(f"{job['output_prefix']}answers.jsonl") for job in jobs]
    bases = [models, models, agreement.models]
    with published(world, tmp_path, jobs) as hub:
        asked = [(base, lines, job["answer_tokens_max"]) for base, lines, job in zip(bases, answers, jobs, strict=True)]
        of_adapter, of_checkpoint, of_embedded = hub.load(asked, tmp_path / "cache")

    said_of_ours = (of_adapter, of_checkpoint)
    for library, lines, found in zip(("peft", "transformers"), answers[:2], said_of_ours, strict=True):
        assert (found["card"]["library_name"], found["card"]["base_model"]) == (library, TINY)
        for line, said in zip(lines, found["answers"], strict=True):
            assert said["answer"] == line["tuned"]["answer"]
            assert said["reference_logprob"] == pytest.approx(line["tuned"]["reference_logprob"], abs=1e-4)
            # The base would not be taken for it.
            assert abs(said["reference_logprob"] - line["base"]["reference_logprob"]) > 0.01
    # The embedded trainer measures what it has trained with weights of its own.
    for line, said in zip(answers[2], of_embedded["answers"], strict=True):
        assert said["reference_logprob"] == pytest.approx(line["tuned"]["reference_logprob"], rel=0.01)


def order(steps: int) -> list[list[int]]:
    """Batches of one row and of two in turn."""
    return [[step % 6, (step + 2) % 6][: 1 + step % 2] for step in range(steps)]


def reports_agree(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """The reports of both trainers tell the same training."""
    assert (ours["trainer"]["kind"], theirs["trainer"]["kind"]) == ("gpu", "embedded")
    for of_ours, of_theirs in zip(ours["stages"], theirs["stages"], strict=True):
        assert of_ours["method"] == of_theirs["method"]
        for curve in ("train_loss", "held_out_loss"):
            assert [point["step"] for point in of_theirs[curve]] == [point["step"] for point in of_ours[curve]]
            assert losses(of_theirs[curve]) == pytest.approx(losses(of_ours[curve]), rel=0.01)
        assert rates(of_theirs["train_loss"]) == pytest.approx(rates(of_ours["train_loss"]), rel=1e-9)
        assert of_theirs["steps_planned"] == of_ours["steps_planned"] == STEPS
        assert len(of_ours["train_loss"]) == STEPS
        # Models that learn nothing would agree too.
        first, *_, last = losses(of_ours["held_out_loss"])
        assert last < first * 0.98


def losses(curve: list[dict]) -> list[float]:
    """The losses of a curve."""
    return [point["loss"] for point in curve]


def rates(curve: list[dict]) -> list[float]:
    """The learning rates of a curve."""
    return [point["learning_rate"] for point in curve]
