"""Loads published models from a hub by their names, as their users do, and asks them.

Standard input: `[{"repository": ..., "models": folder of the base models, "examples": [{"messages", "reference"}],
"tokens_max": ...}]`. Prints for each what its card says to the hub, and for each example the greedy answer and the
mean log-likelihood of a token of the reference.
"""

import json
import sys
from pathlib import Path
from typing import Any

import torch
from huggingface_hub import ModelCard, file_exists
from peft import PeftConfig, PeftModel
from transformers import AutoModelForCausalLM, AutoTokenizer


def load(repository: str, models: Path) -> Any:
    """The adapter on its base, which it names, or the checkpoint."""
    if not file_exists(repository, "adapter_config.json"):
        return AutoModelForCausalLM.from_pretrained(repository, dtype=torch.float32)
    base = models / PeftConfig.from_pretrained(repository).base_model_name_or_path
    return PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32), repository)


@torch.no_grad()
def mean_logprob(model: Any, tokenizer: Any, messages: list[dict[str, str]], reference: str) -> float:
    """Mean log-likelihood of a token of the reference and of the token that ends it."""
    prompt = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    asked = tokenizer(prompt, add_special_tokens=False).input_ids
    answer = [*tokenizer(reference, add_special_tokens=False).input_ids, tokenizer.eos_token_id]
    logits = model(torch.tensor([asked + answer])).logits[0, len(asked) - 1 : -1].float()
    return torch.log_softmax(logits, -1).gather(-1, torch.tensor(answer)[:, None]).mean().item()


def answer(model: Any, tokenizer: Any, messages: list[dict[str, str]], tokens_max: int) -> str:
    """The greedy answer."""
    inputs = tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_tensors="pt", return_dict=True)
    tokens = model.generate(**inputs, max_new_tokens=tokens_max, do_sample=False)
    return tokenizer.decode(tokens[0, inputs["input_ids"].shape[1] :], skip_special_tokens=True)


def ask(task: dict[str, Any]) -> dict[str, Any]:
    """Loads the model of a task and asks it."""
    model = load(task["repository"], Path(task["models"])).eval()
    tokenizer = AutoTokenizer.from_pretrained(task["repository"])
    return {
        "card": ModelCard.load(task["repository"]).data.to_dict(),
        "answers": [
            {
                "answer": answer(model, tokenizer, example["messages"], task["tokens_max"]),
                "reference_logprob": mean_logprob(model, tokenizer, example["messages"], example["reference"]),
            }
            for example in task["examples"]
        ],
    }


if __name__ == "__main__":
    torch.set_num_threads(2)
    print(json.dumps([ask(task) for task in json.load(sys.stdin)]))
