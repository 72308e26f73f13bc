"""One job from its rows to its report."""

import gc
import json
import math
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from botocore.exceptions import BotoCoreError, ClientError
from peft import PeftModel
from transformers import TrainerCallback, set_seed

from .artifact import pack, save_model
from .attempt import Attempt
from .aws import Bucket
from .checkpoints import Checkpoint, Checkpoints, Progress
from .curve import bound_curves
from .data import BatchOrder, Row, encode_example, examples, read_batch_order, write_rows
from .errors import DivergedError, InterruptedTrainingError, RefusedError
from .gguf_adapter import write_gguf_adapter
from .job import TrainingExample, TrainingJob
from .log import Log
from .models import (
    add_adapter,
    device_name,
    has_gpu,
    load_adapter_weights,
    load_model,
    load_tokenizer,
    set_dropout,
    versions,
)
from .scoring import TokenBudget, answer_greedily, answering_budget, is_out_of_memory, release_memory, sums_of_rows
from .text import Encoded, TextFormat
from .trainers import StageWork, create_trainer

HELD_OUT_OF_LOSS = 50
#: What one adapter has the same through all stages.
OF_THE_ADAPTER = ("training_type", "lora_r", "lora_alpha", "lora_trainable_modules")


class JobRun:
    """A running job. All its files are in one folder, which the caller deletes."""

    def __init__(
        self,
        job: TrainingJob,
        attempt: Attempt,
        bucket: Bucket,
        folder: Path,
        interrupted: threading.Event,
        log: Log,
    ) -> None:
        self._job = job
        self._attempt = attempt
        self._bucket = bucket
        self._folder = folder
        self._interrupted = interrupted
        self._log = log
        self._checkpoints = Checkpoints(job, bucket, folder, log)
        self._stages: list[dict[str, Any]] = []
        self._truncated = 0
        self._curve_written = -math.inf

    def perform(self) -> str:
        """Trains, answers and packs; returns the key of the report.

        Raises RefusedError, RevokedError or InterruptedTrainingError. A training that diverges is reported as such.
        """
        require_one_adapter(self._job)
        try:
            tuned = self._train()
            return self._finish(tuned)
        except DivergedError as error:
            self._log.warn("diverged", reason=str(error))
            return self._write_report(self._report("diverged", reason=str(error)))
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            raise RefusedError(
                "The model does not fit into the memory of the trainer's device: train a smaller one, or by LoRA, or "
                "give the trainer a larger machine."
            ) from error

    def _check(self) -> None:
        """Stops between two pieces of work without a checkpoint."""
        self._attempt.check()
        if self._interrupted.is_set():
            raise InterruptedTrainingError

    def _train(self) -> Any:
        job = self._job
        self._tokenizer = load_tokenizer(job.model.id)
        self._text_format = TextFormat(self._tokenizer, job.data.format, job.data.context_tokens)
        self._held_out = list(examples(self._bucket, [job.data.held_out_key], self._folder))
        if len(self._held_out) != job.data.held_out_rows:
            raise RefusedError(
                f"The data has {len(self._held_out)} held-out rows where the job says {job.data.held_out_rows}."
            )
        checkpoint = self._checkpoints.newest()
        model = self._initial_model(checkpoint)
        first = 0
        if checkpoint is not None:
            first = checkpoint.progress.stage
            self._stages = checkpoint.progress.stages
            self._truncated = checkpoint.progress.truncated
        for index in range(first, len(job.stages)):
            if index > first:
                self._attempt.enter("handing_over")
                checkpoint = None
            self._check()
            model = self._train_stage(index, model, checkpoint)
        return model

    def _initial_model(self, checkpoint: Checkpoint | None) -> Any:
        job = self._job
        hyperparams = job.stages[0].hyperparams
        if hyperparams.training_type == "full":
            if job.initial_adapter_key is not None:
                raise RefusedError("A model that is trained whole begins with no adapter.")
            source = job.model.id if checkpoint is None else str(checkpoint.folder)
            return load_model(source, is_trained_whole=True)
        base = load_model(job.model.id, is_trained_whole=False)
        set_seed(job.seed)
        model = add_adapter(base, hyperparams)
        if checkpoint is not None:
            load_adapter_weights(model, checkpoint.folder / "adapter_model.safetensors")
        elif job.initial_adapter_key is not None:
            path = self._folder / "initial_adapter.safetensors"
            self._bucket.download(job.initial_adapter_key, path)
            load_adapter_weights(model, path)
        return model

    def _train_stage(self, index: int, model: Any, checkpoint: Checkpoint | None) -> Any:
        job, stage = self._job, self._job.stages[index]
        hyperparams = stage.hyperparams
        rows = write_rows(
            self._bucket,
            job.data,
            stage.method,
            self._text_format,
            self._folder,
            learns_prompt=hyperparams.train_on_inputs,
        )
        given = None if job.batch_order_key is None else read_batch_order(self._bucket, job.batch_order_key, len(rows))
        order = BatchOrder(len(rows), hyperparams.batch_size, hyperparams.n_epochs, job.seed, given)
        work = StageWork(
            stage=stage,
            rows=rows,
            order=order,
            held_out=self._held_out_rows(index),
            check=self._attempt.check,
        )
        self._truncated = max(self._truncated, rows.truncated)
        if isinstance(model, PeftModel):
            set_dropout(model, hyperparams.lora_dropout)
        report: dict[str, Any] = {
            "method": stage.method,
            "steps": 0,
            "seconds": 0.0,
            "train_loss": work.train_loss,
            "held_out_loss": work.held_out_loss,
        }
        if checkpoint is not None:
            report = self._stages[index]
            work.train_loss, work.held_out_loss = report["train_loss"], report["held_out_loss"]
            work.reference, work.held_out_reference = checkpoint.reference, checkpoint.held_out_reference
            if checkpoint.progress.step >= len(order):
                return model
        else:
            self._stages.append(report)
        report["steps_planned"] = len(order)
        self._attempt.advance(stage.method, len(work.train_loss), len(order))
        self._attempt.enter("training")
        if stage.method == "dpo" and hyperparams.simpo_gamma == 0 and work.reference is None:
            work.reference = self._sums(model, rows_of(rows), work.budget)
            work.held_out_reference = self._sums(model, work.held_out, work.budget)

        folder = self._folder / f"stage-{index}"
        observer = StageObserver(self, index, work, report)
        trainer = create_trainer(
            work,
            model,
            self._tokenizer,
            folder,
            seed=job.seed,
            checkpoint_steps=job.checkpoint_steps,
            callbacks=[observer],
        )
        observer.trainer = trainer
        trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint.folder))
        self._check()
        model = trainer.model
        del trainer, observer.trainer
        gc.collect()
        release_memory()
        return model

    def save_checkpoint(self, folder: Path, index: int, step: int, work: StageWork) -> None:
        """Uploads what the trainer has just saved, unless the attempt is lost."""
        self._attempt.check()
        progress = Progress(stage=index, step=step, stages=self._stages, truncated=self._truncated)
        self._checkpoints.save(folder, progress, work.reference, work.held_out_reference)

    def write_curve(self, *, is_due: bool) -> None:
        """Shows the curves so far to whoever asks for the metrics of the training, at most once a heartbeat.

        `is_due`: now in any case. The training outlives a curve that cannot be written.
        """
        now = time.monotonic()
        if not is_due and now - self._curve_written < self._job.heartbeat_seconds:
            return
        self._curve_written = now
        try:
            self._bucket.write_json(f"{self._job.output_prefix}curve.json", {"version": 1, "stages": self._curves()})
        except (BotoCoreError, ClientError) as error:
            self._log.warn("curve_lost", error=type(error).__name__)

    def _curves(self) -> list[dict[str, Any]]:
        for stage in self._stages:
            stage["steps"] = len(stage["train_loss"])
        return bound_curves(self._stages, len(self._job.stages))

    @property
    def is_interrupted(self) -> bool:
        """Whether the machine is being taken away."""
        return self._interrupted.is_set()

    def advance(self, method: str, step: int, steps: int) -> None:
        """Records the progress of a stage."""
        self._attempt.advance(method, step, steps)

    def _held_out_rows(self, index: int) -> list[Row]:
        stage = self._job.stages[index]
        return [
            Row(
                place,
                encode_example(
                    example, stage.method, self._text_format, learns_prompt=stage.hyperparams.train_on_inputs
                ),
            )
            for place, example in enumerate(self._held_out[:HELD_OUT_OF_LOSS])
        ]

    def _sums(self, model: Any, batches: Any, budget: TokenBudget) -> np.ndarray:
        """Log-likelihoods of the texts of rows, which come as a list or as one list after the other."""
        lists = [batches] if isinstance(batches, list) else batches
        pad_id = self._tokenizer.pad_token_id
        sums = [value for rows in lists for value in sums_of_rows(model, rows, pad_id, budget, self._check)]
        return np.array(sums, dtype=np.float32).reshape(-1, 2)

    def _finish(self, tuned: Any) -> str:
        """Answers and packs; returns the key of the report."""
        job, is_lora = self._job, isinstance(tuned, PeftModel)
        self._attempt.enter("answering")
        tuned.eval()
        tuned.config.use_cache = True
        if has_gpu() and not is_lora:
            # The published artifact is the one that is compared.
            tuned = tuned.to(torch.bfloat16)
        artifact = self._folder / "artifact"
        artifact.mkdir()
        tuned_answers = self._answers(tuned)
        save_model(tuned, self._tokenizer, job.model.id, artifact)
        config = tuned.config
        if is_lora:
            with tuned.disable_adapter():
                base_answers = self._answers(tuned)
        else:
            del tuned
            gc.collect()
            release_memory()
            base_answers = self._answers(load_model(job.model.id, is_trained_whole=False))
        answers_key = f"{job.output_prefix}answers.jsonl"
        self._write_answers(base_answers, tuned_answers, answers_key)

        self._attempt.enter("packing")
        report = self._report("completed")
        report |= {"answers_key": answers_key, "artifact_key": f"{job.output_prefix}artifact.tar.gz"}
        if is_lora:
            path = self._folder / "adapter.gguf"
            if write_gguf_adapter(artifact, config, job.stages[-1].hyperparams.lora_alpha, path):
                report["gguf_key"] = f"{job.output_prefix}adapter.gguf"
                self._bucket.upload(path, report["gguf_key"])
        archive = self._folder / "artifact.tar.gz"
        # Its own size is not known to the report inside.
        pack(artifact, job, report, archive)
        report["artifact_bytes"] = archive.stat().st_size
        self._check()
        self._bucket.upload(archive, report["artifact_key"])
        return self._write_report(report)

    def _answers(self, model: Any) -> list[dict[str, Any]]:
        """What a model says to each row that is held out, and how likely it finds the references."""
        job, text_format = self._job, self._text_format
        budget = TokenBudget()
        texts = [
            tuple(
                text_format.encode(example.messages, text, tools=example.tools, reasoning=reasoning)
                for text, reasoning in ((example.preferred, example.reasoning), (example.rejected, None))
                if text is not None
            )
            for example in self._held_out
        ]
        rows = [Row(place, (text,)) for place, row in enumerate(texts) for text in row]
        sums = iter(sums_of_rows(model, rows, self._tokenizer.pad_token_id, budget, self._check))
        means = [[mean_logprob(next(sums)[0], text) for text in row] for row in texts]
        prompts = [
            Row(place, (self._prompt(example),), room=job.answer_tokens_max)
            for place, example in enumerate(self._held_out)
        ]
        answers = answer_greedily(
            model,
            self._tokenizer,
            prompts,
            tokens_max=job.answer_tokens_max,
            end_ids=text_format.end_ids,
            budget=answering_budget(),
            check=self._check,
        )
        return [
            {"answer": answer, "reference_logprob": values[0]}
            | ({"rejected_logprob": values[1]} if len(values) > 1 else {})
            for answer, values in zip(answers, means, strict=True)
        ]

    def _prompt(self, example: TrainingExample) -> Encoded:
        """The prompt to be answered: its end, where it leaves the answer no place in the context."""
        ids = self._text_format.prompt_ids(example.messages, example.tools, reasons=example.reasoning is not None)
        context = self._job.data.context_tokens
        room = max(context - self._job.answer_tokens_max, context // 2, 1)
        return Encoded(ids=ids[-room:], start=0, is_cut=len(ids) > room)

    def _write_answers(self, base: Sequence[dict[str, Any]], tuned: Sequence[dict[str, Any]], key: str) -> None:
        path = self._folder / "answers.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for example, of_base, of_tuned in zip(self._held_out, base, tuned, strict=True):
                line = {
                    "row": example.row,
                    "messages": [message.model_dump(exclude_none=True) for message in example.messages],
                    "reference": self._text_format.answer_text(example, example.preferred),
                    "base": of_base,
                    "tuned": of_tuned,
                }
                file.write(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n")
        self._bucket.upload(path, key)

    def _report(self, outcome: str, *, reason: str | None = None) -> dict[str, Any]:
        return {
            "version": 1,
            "outcome": outcome,
            "reason": reason,
            "trainer": {"kind": "gpu", "device": device_name(), "versions": versions()},
            "stages": self._curves(),
            "rows": {"trained": self._job.data.train_rows, "truncated": self._truncated},
            "answers_key": None,
            "artifact_key": None,
            "artifact_bytes": None,
            "gguf_key": None,
        }

    def _write_report(self, report: dict[str, Any]) -> str:
        self._check()
        key = f"{self._job.output_prefix}report.json"
        self._bucket.write_json(key, report)
        return key


class StageObserver(TrainerCallback):
    """Follows a stage step by step: heartbeats' progress, held-out losses, checkpoints, interruption."""

    def __init__(self, run: JobRun, index: int, work: StageWork, report: dict[str, Any]) -> None:
        self._run = run
        self._index = index
        self._work = work
        self._report = report
        self._seconds_before = report["seconds"]
        self._started = time.monotonic()
        self.trainer: Any = None

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Measures the model as the stage finds it."""
        if state.global_step == 0:
            self._measure(0)
        self._run.write_curve(is_due=True)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Decides what follows a step."""
        step, steps = state.global_step, len(self._work.order)
        self._report["seconds"] = self._seconds_before + time.monotonic() - self._started
        self._run.advance(self._work.stage.method, step, steps)
        if self._work.order.ends_epoch(step):
            self._measure(step)
        self._run.write_curve(is_due=step == steps)
        if self._run.is_interrupted or step == steps:
            control.should_save = True
            control.should_training_stop = True

    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Uploads what was saved."""
        folder = Path(args.output_dir, f"checkpoint-{state.global_step}")
        self._run.save_checkpoint(folder, self._index, state.global_step, self._work)

    def _measure(self, step: int) -> None:
        if not self._work.held_out:
            return
        loss = self.trainer.held_out_loss()
        if not math.isfinite(loss):
            raise DivergedError(
                f"The loss of {self._work.stage.method} on held-out rows is not finite after step {step}."
            )
        self._work.held_out_loss.append({"step": step, "loss": loss})


def rows_of(rows: Any) -> Any:
    """All rows in their order, a few at a time."""
    size = 256
    return (
        [rows[place] for place in range(start, min(start + size, len(rows)))] for start in range(0, len(rows), size)
    )


def mean_logprob(total: float, text: Encoded) -> float | None:
    """The mean over the target tokens; None where the cut left none. Raises DivergedError for what is no number."""
    if text.targets <= 0:
        return None
    if not math.isfinite(total):
        raise DivergedError("The model finds no finite likelihood for held-out rows.")
    return min(total / text.targets, 0.0)


def require_one_adapter(job: TrainingJob) -> None:
    """Raises RefusedError unless one adapter, or one model, can go through all stages."""
    first = job.stages[0].hyperparams
    for index, stage in enumerate(job.stages):
        for name in OF_THE_ADAPTER:
            if getattr(stage.hyperparams, name) != getattr(first, name):
                raise RefusedError(
                    f"stages.{index}.hyperparams.{name} differs from the first stage's: one adapter, or one model, "
                    "goes through all stages."
                )
