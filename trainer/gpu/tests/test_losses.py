"""Losses are those of their formulas, whatever the size of the micro-batches."""

import pytest
import torch
from conftest import PRECISION, TINY, World, pair
from peft import PeftModel
from torch.nn.functional import logsigmoid
from transformers import AutoModelForCausalLM

from tunesmith_trainer import scoring
from tunesmith_trainer.job import ChatMessage
from tunesmith_trainer.models import load_tokenizer
from tunesmith_trainer.text import TextFormat
from tunesmith_trainer.trainers import Sft

#: Hyperparameters of each variant. Untrained log-ratios are 0, so the stage before moves the model off its reference.
VARIANTS = {
    "sft": ("sft", {}),
    "sft of all text": ("sft", {"train_on_inputs": True}),
    "sft of the whole model": ("sft", {"training_type": "full"}),
    "dpo": ("dpo", {}),
    "dpo of the whole model": ("dpo", {"training_type": "full"}),
    "dpo normalised": ("dpo", {"dpo_normalize_logratios_by_length": True, "dpo_beta": 0.5}),
    "rpo": ("dpo", {"rpo_alpha": 0.7}),
    "rpo normalised": ("dpo", {"rpo_alpha": 0.7, "dpo_normalize_logratios_by_length": True}),
    "simpo": ("dpo", {"simpo_gamma": 0.4, "dpo_beta": 0.8, "dpo_normalize_logratios_by_length": True}),
}
HELD_OUT = [pair(100 + row) for row in range(3)]


def texts(text_format: TextFormat, row: dict, learns_prompt: bool | None = False) -> list[tuple[list[int], int]]:
    messages = [ChatMessage(**message) for message in row["messages"]]
    encoded = [text_format.encode(messages, row[name], learns_prompt=learns_prompt) for name in ("chosen", "rejected")]
    return [(text.ids, text.start) for text in encoded]


def log_likelihood(model, ids: list[int], start: int) -> tuple[float, int]:
    """Sum over the targets of a text alone, by plain logits; and how many there are."""
    with torch.no_grad():
        logits = model(torch.tensor([ids])).logits[0, :-1]
    tokens = torch.tensor(ids[1:])
    values = torch.log_softmax(logits, dim=-1).gather(-1, tokens[:, None])[:, 0]
    first = max(start, 1) - 1
    return values[first:].sum().item(), len(ids) - 1 - first


def expected_loss(method: str, hyperparams: dict, model, reference, text_format: TextFormat) -> float:
    """The loss over the held-out rows by the formula."""
    if method == "sft":
        sums = [
            log_likelihood(model, *texts(text_format, row, hyperparams.get("train_on_inputs"))[0]) for row in HELD_OUT
        ]
        return -sum(total for total, _ in sums) / sum(count for _, count in sums)
    beta, losses, nll, tokens = hyperparams.get("dpo_beta", 0.1), [], 0.0, 0
    gamma, normalised = hyperparams.get("simpo_gamma", 0), hyperparams.get("dpo_normalize_logratios_by_length")
    for row in HELD_OUT:
        ratios = []
        for place, (ids, start) in enumerate(texts(text_format, row)):
            total, count = log_likelihood(model, ids, start)
            ratio = total - (0 if gamma else log_likelihood(reference, ids, start)[0])
            ratios.append(ratio / count if normalised or gamma else ratio)
            if place == 0:
                nll, tokens = nll - total, tokens + count
        losses.append(-logsigmoid(torch.tensor(beta * (ratios[0] - ratios[1]) - gamma)).item())
    return sum(losses) / len(losses) + hyperparams.get("rpo_alpha", 0) * nll / tokens


#: Tokens of a micro-batch: each variant in several; of each of TRL's trainers one that has its batch in one as well.
BUDGETS = [(variant, 150) for variant in VARIANTS] + [
    (variant, 20_000) for variant in ("sft", "rpo normalised", "simpo")
]


@pytest.mark.parametrize(("variant", "budget"), BUDGETS)
def test_loss_of_a_trained_model_is_that_of_the_formula(world: World, tmp_path, models, monkeypatch, variant, budget):
    monkeypatch.setattr(scoring.TokenBudget, "__init__", lambda self: setattr(self, "tokens", budget))
    method, hyperparams = VARIANTS[variant]
    job = world.job((method, hyperparams | {"learning_rate": 0.01, "n_epochs": 2}))
    text_format = TextFormat(load_tokenizer(TINY), "chat", 256)
    reference = AutoModelForCausalLM.from_pretrained(models / TINY)

    assert world.run(job)

    tuned = load_artifact(world.artifact(job, tmp_path), models, hyperparams)
    points = world.report(job)["stages"][0]["held_out_loss"]
    before = expected_loss(method, hyperparams, reference, reference, text_format)
    after = expected_loss(method, hyperparams, tuned, reference, text_format)
    assert [point["step"] for point in points] == [0, 3, 6]
    assert points[0]["loss"] == pytest.approx(before, rel=PRECISION)
    assert points[-1]["loss"] == pytest.approx(after, rel=PRECISION)
    assert after < before


def load_artifact(folder, models, hyperparams: dict):
    """The model of an artifact, by the libraries that its users have."""
    if hyperparams.get("training_type") == "full":
        return AutoModelForCausalLM.from_pretrained(folder)
    return PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(models / TINY), folder)


def test_the_reference_after_sft_is_the_model_of_sft_and_the_artifact_one_adapter(world: World, tmp_path, models):
    stages = {"learning_rate": 0.01}
    job = world.job(("sft", stages), ("dpo", stages))
    alone = world.job(("sft", stages))
    assert world.run(job)
    assert world.run(alone)

    dpo = world.report(job)["stages"][1]
    tuned = load_artifact(world.artifact(job, tmp_path), models, {})
    reference = load_artifact(world.artifact(alone, tmp_path), models, {})

    assert dpo["held_out_loss"][0]["loss"] == pytest.approx(0.693147, abs=1e-5)
    text_format = TextFormat(load_tokenizer(TINY), "chat", 256)
    expected = expected_loss("dpo", {}, tuned, reference, text_format)
    assert dpo["held_out_loss"][-1]["loss"] == pytest.approx(expected, rel=PRECISION)


def test_micro_batches_change_no_step(world: World, monkeypatch):
    traces = []
    for tokens in (20_000, 150):
        monkeypatch.setattr(
            scoring.TokenBudget, "__init__", lambda self, tokens=tokens: setattr(self, "tokens", tokens)
        )
        job = world.job("sft", ("dpo", {"rpo_alpha": 1}), rows=[pair(row) for row in range(10)])
        assert world.run(job)
        traces.append([point["loss"] for stage in world.report(job)["stages"] for point in stage["train_loss"]])

    assert traces[0] == pytest.approx(traces[1], rel=PRECISION / 10)


def test_a_step_that_does_not_fit_is_done_again_in_smaller_pieces(world: World, monkeypatch):
    whole = world.job("sft")
    assert world.run(whole)
    compute_loss = Sft.compute_loss

    def refuse_more_than_one(self, model, inputs, **options):
        if len(inputs["input_ids"]) > 1:
            raise torch.OutOfMemoryError
        return compute_loss(self, model, inputs, **options)

    monkeypatch.setattr(Sft, "compute_loss", refuse_more_than_one)
    tight = world.job("sft")

    assert world.run(tight)

    traces = [[point["loss"] for point in world.report(job)["stages"][0]["train_loss"]] for job in (whole, tight)]
    assert traces[1] == pytest.approx(traces[0], rel=PRECISION / 10)


@pytest.mark.parametrize("training_type", ["lora", "full"])
def test_activations_are_recomputed_before_micro_batches_become_tiny(world: World, monkeypatch, training_type):
    stages = [("sft", {"training_type": training_type}), ("dpo", {"training_type": training_type})]
    rows = [pair(row) for row in range(32)]
    whole = world.job(*stages, rows=rows)
    assert world.run(whole)
    compute_loss, sizes = Sft.compute_loss, []

    def refuse_kept_activations(self, model, inputs, **options):
        if model.training and not self.model.is_gradient_checkpointing:
            raise torch.OutOfMemoryError
        if model.training:
            sizes.append(inputs["input_ids"].numel())
        return compute_loss(self, model, inputs, **options)

    monkeypatch.setattr(Sft, "compute_loss", refuse_kept_activations)
    monkeypatch.setattr(scoring, "tokens_max", lambda: 1_000)
    tight = world.job(*stages, rows=rows)

    assert world.run(tight)

    losses = [
        [point["loss"] for stage in world.report(job)["stages"] for point in stage["train_loss"]]
        for job in (whole, tight)
    ]
    assert losses[1] == pytest.approx(losses[0], rel=PRECISION / 10)
    assert max(sizes) > 125


@pytest.mark.parametrize("scheduler", ["linear", "cosine", "constant"])
def test_every_schedule_trains(world: World, scheduler):
    job = world.job(("sft", {"lr_scheduler_type": scheduler, "n_epochs": 2}))

    assert world.run(job)

    losses = [point["loss"] for point in world.report(job)["stages"][0]["held_out_loss"]]
    assert losses[-1] < losses[0]
