"""TRL's trainers, taking rows, steps and learning rates as a job says.

What a step of the optimiser takes in is cut into micro-batches here rather than by `gradient_accumulation_steps`:
losses are means over all tokens, or pairs, of the step, also where its last micro-batch is smaller.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import torch
from peft import PeftModel
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader
from transformers import PreTrainedTokenizerBase, PrinterCallback, TrainerCallback
from trl import DPOConfig, DPOTrainer, SFTConfig, SFTTrainer
from trl.experimental.cpo import CPOConfig, CPOTrainer

from .data import BatchOrder, Row, Rows
from .errors import DivergedError
from .job import Stage, StageHyperparams
from .models import has_gpu, precision
from .schedule import rate_factor
from .scoring import IGNORED, TokenBudget, collate, is_out_of_memory, logprobs_of, release_memory, retried

datasets.disable_progress_bars()


@dataclass
class StageWork:
    """Data and results of a stage."""

    stage: Stage
    rows: Rows
    order: BatchOrder
    held_out: list[Row]
    #: Raises when the attempt is to be left.
    check: Callable[[], None]
    #: Sums of log-likelihoods of the chosen and the rejected texts under the model as the stage found it.
    reference: np.ndarray | None = None
    held_out_reference: np.ndarray | None = None
    budget: TokenBudget = field(default_factory=TokenBudget)
    train_loss: list[dict[str, float]] = field(default_factory=list)
    held_out_loss: list[dict[str, float]] = field(default_factory=list)


class StepsOfJob:
    """Mixin for TRL's trainers: everything but the loss follows the job."""

    work: StageWork

    def get_train_dataloader(self) -> DataLoader:
        """A batch is the list of rows of one step of the optimiser."""
        return DataLoader(self.work.rows, batch_sampler=self.work.order, collate_fn=list)

    def create_scheduler(self, num_training_steps: int, optimizer: Any = None) -> LambdaLR:
        """The schedule that both trainers of the service share."""
        hyperparams = self.work.stage.hyperparams
        if self.lr_scheduler is None:
            self.lr_scheduler = LambdaLR(
                optimizer or self.optimizer, lambda step: rate_factor(hyperparams, step, num_training_steps)
            )
            self._created_lr_scheduler = True
        return self.lr_scheduler

    def training_step(self, model: Any, inputs: list[Row], num_items_in_batch: Any = None) -> torch.Tensor:
        """Computes gradients of the mean loss over the rows; if memory runs out, again with less of it."""
        model.train()
        while True:
            try:
                loss = self._backward(model, inputs)
                break
            except (RuntimeError, MemoryError) as error:
                if not is_out_of_memory(error):
                    raise
            model.zero_grad()
            release_memory()
            self._need_less_memory(inputs)
        step = self.state.global_step + 1
        if not math.isfinite(loss):
            raise DivergedError(f"The loss of {self.work.stage.method} is not finite at step {step}.")
        hyperparams = self.work.stage.hyperparams
        rate = hyperparams.learning_rate * rate_factor(hyperparams, step - 1, len(self.work.order))
        self.work.train_loss.append({"step": step, "loss": loss, "learning_rate": rate})
        return torch.tensor(loss, device=self.args.device)

    def _need_less_memory(self, rows: Sequence[Row]) -> None:
        """Makes the next try take less memory. Raises RefusedError when nothing is left.

        Micro-batches become smaller as long as that costs no time; then activations are recomputed, which takes a
        third more time; then micro-batches become smaller still.
        """
        budget = self.work.budget
        model = self.model.get_base_model() if isinstance(self.model, PeftModel) else self.model
        can_recompute = model.supports_gradient_checkpointing and not model.is_gradient_checkpointing
        if can_recompute and (budget.is_small or len(budget.split(rows)) == len(rows)):
            model.activation_checkpointing_enable()
        else:
            budget.halve(rows)

    def _backward(self, model: Any, rows: Sequence[Row]) -> float:
        total = 0.0
        for batch in self.work.budget.split(rows):
            self.work.check()
            with self.compute_loss_context_manager():
                loss = self.share_of_loss(model, batch, rows, self.work.reference)
            self.accelerator.backward(loss)
            total += loss.item()
        return total

    def held_out_loss(self) -> float:
        """The stage's loss over the held-out rows, without dropout."""
        model = self.model
        model.eval()
        total = 0.0
        with torch.no_grad(), precision():
            for batch in retried(self.work.held_out, self.work.budget):
                self.work.check()
                with batch:
                    total += self.share_of_loss(
                        model, batch.rows, self.work.held_out, self.work.held_out_reference
                    ).item()
        model.train()
        return total

    def inputs_of(self, batch: Sequence[Row]) -> dict[str, torch.Tensor]:
        """The tensors of a micro-batch, on the device."""
        return self._prepare_inputs(collate(batch, self.processing_class.pad_token_id))

    def _get_grad_norm(self, model: Any, grad_norm: Any = None) -> Any:
        norm = super()._get_grad_norm(model, grad_norm=grad_norm)
        if not math.isfinite(float(norm)):
            raise DivergedError(
                f"The gradient of {self.work.stage.method} is not finite at step {self.state.global_step + 1}."
            )
        return norm

    def floating_point_ops(self, inputs: Any) -> int:
        """Not counted."""
        return 0

    def create_model_card(self, *args: Any, **kwargs: Any) -> None:
        """Checkpoints need none."""

    def _prepare_dataset(self, dataset: Any, *args: Any, **kwargs: Any) -> Any:
        return dataset


class Sft(StepsOfJob, SFTTrainer):
    """Mean negative log-likelihood of the target tokens."""

    def share_of_loss(self, model: Any, batch: Sequence[Row], of: Sequence[Row], reference: Any) -> torch.Tensor:
        """The share of the micro-batch in the loss of its rows."""
        inputs = self.inputs_of(batch)
        labels = inputs["input_ids"].masked_fill(inputs.pop("completion_mask") == 0, IGNORED)
        tokens = sum(row.texts[0].targets for row in of)
        return self.compute_loss(model, {**inputs, "labels": labels}, num_items_in_batch=torch.tensor(tokens))


class Dpo(StepsOfJob, DPOTrainer):
    """DPO and RPO, against log-likelihoods that were computed before the stage began."""

    def share_of_loss(self, model: Any, batch: Sequence[Row], of: Sequence[Row], reference: Any) -> torch.Tensor:
        """The share of the micro-batch in the loss of its rows."""
        sums = torch.tensor(reference[[row.place for row in batch]], dtype=torch.float32, device=self.args.device)
        inputs = self.inputs_of(batch) | {"ref_chosen_logps": sums[:, 0], "ref_rejected_logps": sums[:, 1]}
        share_of_pairs = len(batch) / len(of)
        alpha = self.work.stage.hyperparams.rpo_alpha
        tokens = max(1, sum(row.texts[0].targets for row in of))
        share_of_tokens = sum(row.texts[0].targets for row in batch) / tokens
        self.loss_weights = [share_of_pairs, alpha * share_of_tokens][: len(self.loss_types)]
        return self.compute_loss(model, inputs)

    def _precompute_ref_logps(self, dataset: Any, *args: Any, **kwargs: Any) -> Any:
        return dataset


class Simpo(StepsOfJob, CPOTrainer):
    """SimPO: length-normalised and without a reference."""

    def share_of_loss(self, model: Any, batch: Sequence[Row], of: Sequence[Row], reference: Any) -> torch.Tensor:
        """The share of the micro-batch in the loss of its rows."""
        return self.compute_loss(model, self.inputs_of(batch)) * (len(batch) / len(of))

    def compute_loss(
        self, model: Any, inputs: dict[str, torch.Tensor], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> torch.Tensor:
        """TRL's loss, on log-likelihoods that are computed without all logits of the batch at once."""
        targets = inputs["completion_mask"].sum(dim=1).clamp(min=1)
        chosen, rejected = (logprobs_of(model, inputs) / targets).chunk(2)
        losses, _, _ = self.cpo_loss(chosen, rejected)
        return losses.mean()

    def tokenize_row(self, feature: dict[str, Any], model: Any = None) -> dict[str, Any]:
        """Rows are encoded already."""
        return feature


Trainer = Sft | Dpo | Simpo


def create_trainer(
    work: StageWork,
    model: Any,
    tokenizer: PreTrainedTokenizerBase,
    folder: Path,
    *,
    seed: int,
    checkpoint_steps: int,
    callbacks: list[TrainerCallback],
) -> Trainer:
    """The trainer of a stage."""
    hyperparams = work.stage.hyperparams
    common: dict[str, Any] = {
        "output_dir": str(folder),
        "max_steps": len(work.order),
        "per_device_train_batch_size": hyperparams.batch_size,
        "learning_rate": hyperparams.learning_rate,
        "weight_decay": hyperparams.weight_decay,
        "max_grad_norm": hyperparams.max_grad_norm,
        "optim": "adamw_torch_fused" if has_gpu() else "adamw_torch",
        "adam_beta1": 0.9,
        "adam_beta2": 0.999,
        "adam_epsilon": 1e-8,
        "seed": seed,
        "use_cpu": not has_gpu(),
        "bf16": has_gpu(),
        # Activations are recomputed where memory asks for it (`_need_less_memory`).
        "gradient_checkpointing": False,
        "save_strategy": "steps",
        "save_steps": checkpoint_steps,
        "save_total_limit": 1,
        "logging_strategy": "no",
        "logging_nan_inf_filter": False,
        "remove_unused_columns": False,
        "report_to": "none",
        "disable_tqdm": True,
    }
    arguments: dict[str, Any] = {
        "model": model,
        "processing_class": tokenizer,
        # Rows come from `get_train_dataloader`; the constructors ask for a data set all the same.
        "train_dataset": datasets.Dataset.from_dict({"row": [0]}),
    }
    if work.stage.method == "sft":
        trainer: Trainer = Sft(args=SFTConfig(max_length=None, **common), **arguments)
    elif hyperparams.simpo_gamma > 0:
        trainer = Simpo(args=simpo_config(hyperparams, common), **arguments)
    else:
        trainer = Dpo(args=dpo_config(hyperparams, common, is_lora=isinstance(model, PeftModel)), **arguments)
        trainer.precompute_ref_logps = True
        if isinstance(model, PeftModel):
            # TRL copies the adapter as its reference, which takes memory that the computed reference does not.
            model.delete_adapter("ref")
    trainer.work = work
    trainer.remove_callback(PrinterCallback)
    for callback in callbacks:
        trainer.add_callback(callback)
    return trainer


def dpo_config(hyperparams: StageHyperparams, common: dict[str, Any], *, is_lora: bool) -> DPOConfig:
    """TRL's settings for DPO, or for RPO, which adds the mean negative log-likelihood of what was chosen."""
    loss = "sigmoid_norm" if hyperparams.dpo_normalize_logratios_by_length else "sigmoid"
    weights = [1.0, hyperparams.rpo_alpha] if hyperparams.rpo_alpha > 0 else [1.0]
    return DPOConfig(
        beta=hyperparams.dpo_beta,
        loss_type=[loss, "sft"][: len(weights)],
        loss_weights=weights,
        max_length=None,
        # Else TRL would load the base again as the reference of a model that is trained whole.
        precompute_ref_log_probs=not is_lora,
        disable_dropout=False,
        **common,
    )


def simpo_config(hyperparams: StageHyperparams, common: dict[str, Any]) -> CPOConfig:
    """TRL's settings for SimPO."""
    return CPOConfig(
        loss_type="simpo",
        beta=hyperparams.dpo_beta,
        simpo_gamma=hyperparams.simpo_gamma,
        cpo_alpha=0.0,
        disable_dropout=False,
        **common,
    )
