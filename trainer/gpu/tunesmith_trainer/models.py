"""The base model of a job, and the adapter that is trained on it."""

import os
import platform
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import peft
import torch
import transformers
import trl
from huggingface_hub.errors import EntryNotFoundError, HFValidationError, RepositoryNotFoundError
from peft import LoraConfig, PeftModel, get_peft_model, set_peft_model_state_dict
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase
from trl.trainer.utils import add_fused_lm_head

from .errors import RefusedError
from .job import StageHyperparams

ADAPTER = "default"

transformers.utils.logging.disable_progress_bar()
transformers.utils.logging.set_verbosity_error()


def has_gpu() -> bool:
    """Whether a CUDA device is there; its first one is used."""
    return torch.cuda.is_available()


def device_name() -> str:
    """What the model is trained on, for the report."""
    return torch.cuda.get_device_name(0) if has_gpu() else f"CPU ({platform.machine()})"


def versions() -> dict[str, str]:
    """What trains, for the report."""
    return {
        "python": platform.python_version(),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "peft": peft.__version__,
        "trl": trl.__version__,
    }


def precision() -> AbstractContextManager[Any]:
    """bf16 on GPUs, fp32 on the CPU."""
    return torch.autocast("cuda", dtype=torch.bfloat16) if has_gpu() else nullcontext()


def source_of(model_id: str) -> str:
    """Where a base lies: in the folder of its id below TUNESMITH_MODEL_DIR, else on the Hugging Face hub."""
    root = os.environ.get("TUNESMITH_MODEL_DIR")
    if root:
        folder = Path(root, model_id).resolve()
        if folder.is_relative_to(Path(root).resolve()) and folder.is_dir():
            return str(folder)
    return model_id


def load_tokenizer(model_id: str) -> PreTrainedTokenizerBase:
    """The tokenizer of a base. Raises RefusedError where there is no such model."""
    tokenizer = _load(AutoTokenizer, model_id)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def require_gpus() -> None:
    """Raises RefusedError on an instance of SageMaker whose GPUs PyTorch cannot use.

    Else its CPU would train for days, at the price of GPUs.
    """
    gpus = os.environ.get("SM_NUM_GPUS", "0")
    if gpus not in ("", "0") and not has_gpu():
        raise RefusedError(
            f"The instance has {gpus} GPUs, and PyTorch {torch.__version__} cannot use them: "
            "its CUDA and the instance's driver do not fit. "
            "Deploy with another SAGEMAKER_INSTANCE_TYPE, or another image."
        )


def load_model(model_id: str, *, is_trained_whole: bool) -> PreTrainedModel:
    """A base, on the device. Weights that are trained stay in fp32, since bf16 would round small updates away.

    Raises RefusedError where there is no such model, or a GPU that cannot be used.
    """
    require_gpus()
    dtype = torch.bfloat16 if has_gpu() and not is_trained_whole else torch.float32
    model = _load(AutoModelForCausalLM, model_id, dtype=dtype)
    add_fused_lm_head(model)
    return model.to("cuda" if has_gpu() else "cpu")


def _load(kind: Any, model_id: str, **options: Any) -> Any:
    try:
        return kind.from_pretrained(source_of(model_id), trust_remote_code=False, **options)
    except (OSError, ValueError) as error:
        causes = (error, error.__cause__, error.__context__)
        # Without a network nothing of the hub can be told apart from what is not there: another attempt may do.
        if any(isinstance(cause, RepositoryNotFoundError | EntryNotFoundError | HFValidationError) for cause in causes):
            raise RefusedError(
                f"The trainer finds no base model {model_id}, neither in its own folder nor on the Hugging Face hub."
            ) from error
        if isinstance(error, ValueError):
            raise RefusedError(
                f"The trainer cannot load the base model {model_id}: its architecture needs code that is not in "
                "transformers, or is not a causal language model."
            ) from error
        raise


def add_adapter(model: PreTrainedModel, hyperparams: StageHyperparams) -> PeftModel:
    """The base with a fresh LoRA adapter (A random, B zero, scale alpha / r), by torch's random numbers.

    Raises RefusedError for a module that the base does not have.
    """
    names = [name.strip() for name in hyperparams.lora_trainable_modules.split(",") if name.strip()]
    linear = linear_modules(model)
    # By name, as servers of adapters know modules; PEFT's own "all-linear" lists the path of each.
    if names == ["all-linear"]:
        names = linear
    missing = sorted(set(names) - set(linear))
    if missing or not names:
        raise RefusedError(
            f"lora_trainable_modules names {', '.join(missing) or 'nothing'}; the base model has {', '.join(linear)}."
        )
    config = LoraConfig(
        r=hyperparams.lora_r,
        lora_alpha=hyperparams.lora_alpha,
        lora_dropout=hyperparams.lora_dropout,
        target_modules=names,
        bias="none",
        task_type="CAUSAL_LM",
    )
    return get_peft_model(model, config, adapter_name=ADAPTER)


def linear_modules(model: PreTrainedModel) -> list[str]:
    """The names of the linear layers of a model, but for that of its head."""
    head = model.get_output_embeddings()
    return sorted(
        {
            name.rpartition(".")[2]
            for name, module in model.named_modules()
            if isinstance(module, torch.nn.Linear) and module is not head
        }
    )


def load_adapter_weights(model: PeftModel, path: Path) -> None:
    """Sets the adapter to the weights of an `adapter_model.safetensors`. Raises RefusedError where they do not fit."""
    try:
        result = set_peft_model_state_dict(model, load_file(path), adapter_name=ADAPTER)
    except RuntimeError as error:
        raise RefusedError("The initial adapter is of another rank or shape than the job's.") from error
    missing = [name for name in result.missing_keys if ".lora_" in name]
    if missing or result.unexpected_keys:
        raise RefusedError("The initial adapter is not one of the modules that the job trains.")


def set_dropout(model: PeftModel, share: float) -> None:
    """Sets the dropout of the adapter, which may differ from stage to stage."""
    model.peft_config[ADAPTER].lora_dropout = share
    for module in model.modules():
        if hasattr(module, "lora_dropout"):
            module.lora_dropout[ADAPTER] = torch.nn.Dropout(share) if share > 0 else torch.nn.Identity()
