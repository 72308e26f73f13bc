"""Log-likelihoods and answers of a model, in batches whose memory is bounded."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from transformers import PreTrainedTokenizerBase

from .data import Row
from .errors import RefusedError
from .models import has_gpu, precision

IGNORED = -100
#: Tokens at the end of a prompt that an opening of a reasoning trace takes, at most.
TRACE_OPENING_TOKENS = 16


class TokenBudget:
    """Maximum of tokens in the model at once, padding included. Halved when memory runs out."""

    def __init__(self) -> None:
        self.tokens = tokens_max()

    @property
    def is_small(self) -> bool:
        """Whether smaller micro-batches would keep the device from working at its full speed."""
        return self.tokens <= tokens_max() // 4

    def split(self, rows: Sequence[Row]) -> list[list[Row]]:
        """The rows in micro-batches of like length within the budget, one row at least in each."""
        batches: list[list[Row]] = []
        for row in sorted(rows, key=lambda row: row.longest, reverse=True):
            # The first of a batch is its longest row.
            if batches and (len(batches[-1]) + 1) * cost(batches[-1][0]) <= self.tokens:
                batches[-1].append(row)
            else:
                batches.append([row])
        return batches

    def halve(self, rows: Sequence[Row]) -> None:
        """Makes micro-batches of the rows smaller. Raises RefusedError when each is of one row already."""
        largest = max(len(batch) * cost(batch[0]) for batch in self.split(rows))
        if all(len(batch) == 1 for batch in self.split(rows)):
            raise RefusedError(
                f"A row of {max(row.longest for row in rows)} tokens does not fit into the memory of the trainer's "
                "device: train a smaller model, by LoRA, or shorter rows, or give it a larger machine."
            )
        self.tokens = largest // 2


def tokens_max() -> int:
    """Tokens with which a stage begins: more at once make no device faster."""
    return 32_768 if has_gpu() else 2_048


def cost(row: Row) -> int:
    """Tokens of a row when its texts are padded to the same length, with those that are generated."""
    return len(row.texts) * (row.longest + row.room)


def answering_budget() -> TokenBudget:
    """The budget of answers: a token that was read takes its keys and values alone."""
    budget = TokenBudget()
    budget.tokens *= 4
    return budget


def is_out_of_memory(error: BaseException) -> bool:
    """Whether the device, or the machine, has no memory left."""
    return isinstance(error, torch.OutOfMemoryError | MemoryError) or (
        isinstance(error, RuntimeError) and "can't allocate memory" in str(error)
    )


def release_memory() -> None:
    """Returns memory of failed work to the device."""
    if has_gpu():
        torch.cuda.empty_cache()


def collate(rows: Sequence[Row], pad_id: int) -> dict[str, torch.Tensor]:
    """The texts of some rows, padded at their ends: all the first ones, then all the second ones."""
    texts = [row.texts[i] for i in range(len(rows[0].texts)) for row in rows]
    width = max(len(text.ids) for text in texts)
    input_ids = torch.full((len(texts), width), pad_id)
    attention_mask = torch.zeros((len(texts), width), dtype=torch.long)
    completion_mask = torch.zeros((len(texts), width), dtype=torch.long)
    for i, text in enumerate(texts):
        length = len(text.ids)
        input_ids[i, :length] = torch.tensor(text.ids)
        attention_mask[i, :length] = 1
        # The first token is predicted from nothing, so it never counts.
        completion_mask[i, max(text.start, 1) : length] = 1
    return {"input_ids": input_ids, "attention_mask": attention_mask, "completion_mask": completion_mask}


def logprobs_of(model: Any, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """Sums over the target tokens of each text of a batch, in nats."""
    labels = batch["input_ids"].masked_fill(batch["completion_mask"] == 0, IGNORED)
    return per_token_logprobs(model, batch, labels).float().sum(dim=1)


def per_token_logprobs(model: Any, batch: dict[str, torch.Tensor], labels: torch.Tensor) -> torch.Tensor:
    """Of each token of the texts but their first, 0 where it is no target."""
    return model(
        input_ids=batch["input_ids"],
        attention_mask=batch["attention_mask"],
        labels=labels,
        use_cache=False,
        fused_lm_head=True,
    ).log_probs


def sums_of_rows(
    model: Any, rows: Sequence[Row], pad_id: int, budget: TokenBudget, check: Callable[[], None]
) -> list[list[float]]:
    """The sum of log-likelihoods of the target tokens of each text of each row, in the order of the rows."""
    sums: dict[int, list[float]] = {}
    model.eval()
    device = next(model.parameters()).device
    for batch in retried(rows, budget):
        check()
        inputs = {name: tensor.to(device) for name, tensor in collate(batch.rows, pad_id).items()}
        with batch, torch.inference_mode(), precision():
            values = logprobs_of(model, inputs).view(-1, len(batch.rows)).T.tolist()
            sums |= {id(row): value for row, value in zip(batch.rows, values, strict=True)}
    return [sums[id(row)] for row in rows]


class Retried:
    """A micro-batch; leaving it for want of memory has it done again, in smaller ones."""

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows
        self.has_failed = False

    def __enter__(self) -> "Retried":
        return self

    def __exit__(self, kind: Any, error: BaseException | None, frames: Any) -> bool:
        self.has_failed = error is not None and is_out_of_memory(error)
        return self.has_failed


def retried(rows: Sequence[Row], budget: TokenBudget) -> Iterator[Retried]:
    """The rows in micro-batches; where one does not fit, the budget is halved for it and the rest."""
    waiting = budget.split(rows)
    while waiting:
        batch = Retried(waiting.pop(0))
        yield batch
        if batch.has_failed:
            release_memory()
            budget.halve(batch.rows)
            waiting = budget.split(batch.rows) + [part for rest in waiting for part in budget.split(rest)]


def answer_greedily(
    model: Any,
    tokenizer: PreTrainedTokenizerBase,
    prompts: Sequence[Row],
    *,
    tokens_max: int,
    end_ids: list[int],
    budget: TokenBudget,
    check: Callable[[], None],
) -> list[str]:
    """The likeliest continuation of each prompt token by token, at most so many, without a trace of reasoning."""
    model.eval()
    device = next(model.parameters()).device
    pad_id = tokenizer.pad_token_id
    answers: dict[int, str] = {}
    for batch in retried(prompts, budget):
        check()
        width = max(row.longest for row in batch.rows)
        # Prompts end together, so that every answer begins at the same place.
        padding = [width - row.longest for row in batch.rows]
        ids = [[pad_id] * pad + row.texts[0].ids for pad, row in zip(padding, batch.rows, strict=True)]
        mask = [[0] * pad + [1] * (width - pad) for pad in padding]
        with batch, torch.inference_mode(), precision():
            outputs = model.generate(
                input_ids=torch.tensor(ids, device=device),
                attention_mask=torch.tensor(mask, device=device),
                max_new_tokens=tokens_max,
                do_sample=False,
                temperature=None,
                top_p=None,
                top_k=None,
                repetition_penalty=1.0,
                use_cache=True,
                eos_token_id=end_ids,
                pad_token_id=pad_id,
            )[:, width:].tolist()
            for row, tokens in zip(batch.rows, outputs, strict=True):
                answers[id(row)] = answer_text(tokenizer, row.texts[0].ids, tokens, end_ids)
    return [answers[id(prompt)] for prompt in prompts]


def answer_text(tokenizer: PreTrainedTokenizerBase, prompt: list[int], tokens: list[int], end_ids: list[int]) -> str:
    """The answer in what was generated: up to its end, and after the reasoning. Empty if that did not end."""
    end = next((place for place, token in enumerate(tokens) if token in end_ids), len(tokens))
    text = tokenizer.decode(tokens[:end], skip_special_tokens=True)
    if "</think>" in text:
        return text.rpartition("</think>")[2].strip()
    # Some templates open the trace at the end of the prompt.
    is_open = tokenizer.decode(prompt[-TRACE_OPENING_TOKENS:]).rstrip().endswith("<think>")
    return "" if is_open or text.lstrip().startswith("<think>") else text
