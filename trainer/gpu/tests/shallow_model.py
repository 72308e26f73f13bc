"""A model of both trainers with fewer layers: the first ones of SmolLM2, with its table of tokens and its tokenizer."""

import os
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import gguf
from conftest import SMALL
from gguf.scripts.gguf_new_metadata import MetadataDetails, copy_with_new_metadata
from transformers import AutoModelForCausalLM

#: Of 30. The last one has a number of two digits, by which names do not sort.
LAYERS = 11


def write_shallow_model(models: Path, folder: Path) -> tuple[Path, Path]:
    """Writes the model as each trainer reads it, under its own names.

    Returns the folder for TUNESMITH_MODEL_DIR and that for TUNESMITH_MODELS_DIR.
    """
    checkpoints, files = folder / "checkpoints", folder / "files"
    AutoModelForCausalLM.from_pretrained(models / SMALL, num_hidden_layers=LAYERS).save_pretrained(checkpoints / SMALL)
    for path in (models / SMALL).iterdir():
        if "token" in path.name or path.name == "chat_template.jinja":
            shutil.copy(path, checkpoints / SMALL)
    files.mkdir()
    [source] = Path(os.environ["TUNESMITH_MODELS_DIR"]).glob("smollm2-*.gguf")
    cut_layers(source, files / source.name)
    return checkpoints, files


def cut_layers(source: Path, target: Path) -> None:
    """Copies a GGUF file without the later layers; the quantised weights stay as they are."""
    reader = gguf.GGUFReader(source)
    architecture = reader.get_field("general.architecture").contents()
    kept = SimpleNamespace(
        fields=reader.fields,
        endianess=reader.endianess,
        tensors=[tensor for tensor in reader.tensors if layer_of(tensor.name) < LAYERS],
    )
    count = {f"{architecture}.block_count": MetadataDetails(gguf.GGUFValueType.UINT32, LAYERS)}
    copy_with_new_metadata(kept, gguf.GGUFWriter(target, architecture, endianess=reader.endianess), count, [])


def layer_of(tensor: str) -> int:
    """The number of a tensor's layer; -1 where it is in none."""
    found = re.match(r"blk\.(\d+)\.", tensor)
    return -1 if found is None else int(found[1])
