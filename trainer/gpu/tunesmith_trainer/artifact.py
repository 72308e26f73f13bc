"""The artifact of a run: the adapter or checkpoint with everything needed to use it."""

import json
import tarfile
from pathlib import Path
from typing import Any

from peft import PeftModel
from transformers import PreTrainedTokenizerBase

from .job import TrainingJob

LICENSE = """# Licence of the base model

This model was trained from {model}, which comes under {name}: <{url}>.
Its terms hold for what is made of it too.
"""


def save_model(model: Any, tokenizer: PreTrainedTokenizerBase, model_id: str, folder: Path) -> None:
    """Writes the PEFT adapter, or the whole checkpoint, and the tokenizer with its chat template into the folder."""
    if isinstance(model, PeftModel):
        # The path of the base on this machine must not be published.
        for config in model.peft_config.values():
            config.base_model_name_or_path = model_id
        # Not "auto", which looks the base up by that name.
        model.save_pretrained(folder, save_embedding_layers=False)
    else:
        model.save_pretrained(folder)
    (folder / "README.md").unlink(missing_ok=True)
    tokenizer.save_pretrained(folder, save_jinja_files=False)
    special = folder / "special_tokens_map.json"
    if not special.exists():
        special.write_text(json.dumps(tokenizer.special_tokens_map, indent=2) + "\n")


def pack(folder: Path, job: TrainingJob, report: dict[str, Any], archive: Path) -> None:
    """Adds report and licence to the folder, and writes its files into a `.tar.gz`."""
    (folder / "training_report.json").write_text(json.dumps(report, indent=2, allow_nan=False) + "\n")
    license_ = job.model.license
    (folder / "LICENSE.md").write_text(LICENSE.format(model=job.model.id, name=license_.name, url=license_.url))
    # Weights hardly become smaller by more effort.
    with tarfile.open(archive, "w:gz", compresslevel=1) as tar:
        for path in sorted(folder.iterdir()):
            tar.add(path, arcname=path.name)
