"""Makes a Hugging Face checkpoint of a GGUF file, dequantised to fp32, for tests.

usage: python convert_gguf.py MODEL.gguf DIRECTORY

The tests train the model that the project has at hand anyway; GPU machines take checkpoints from the hub.
"""

import os
import sys
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig


def convert(source: Path, directory: Path) -> None:
    """Writes model and tokenizer of the GGUF file into the directory."""
    tokenizer = AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name)
    model = AutoModelForCausalLM.from_pretrained(
        source.parent,
        gguf_file=source.name,
        dtype=torch.float32,
        quantization_config=GgufConfig(dequantize=True),
    )
    # The dense model still carries the quantizer that read it, which refuses to be saved.
    for holder, name in (
        (model, "hf_quantizer"),
        (model, "quantization_method"),
        (model.config, "quantization_config"),
    ):
        if hasattr(holder, name):
            delattr(holder, name)
    model.is_quantized = False
    model.save_pretrained(directory)
    tokenizer.save_pretrained(directory)


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
