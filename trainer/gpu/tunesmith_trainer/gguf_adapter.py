"""Converts PEFT LoRA adapters to llama.cpp's format."""

import re
from pathlib import Path

import gguf
import numpy as np
from safetensors.torch import load_file
from transformers import PreTrainedConfig

ARCHITECTURE = "llama"
#: llama.cpp's name of each module of a layer.
NAMES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
TENSOR = re.compile(r"base_model\.model\.model\.layers\.(\d+)\.(.+)\.lora_([AB])\.weight")


def write_gguf_adapter(adapter: Path, config: PreTrainedConfig, alpha: float, path: Path) -> bool:
    """Writes the adapter of a folder as GGUF; returns whether it did: only the llama architecture is supported.

    llama.cpp turns the halves of each head in pairs, transformers as two blocks, so the rows of what q and k put out
    change places, as they do where llama.cpp converts a base.
    """
    if config.model_type != ARCHITECTURE:
        return False
    tensors: dict[str, np.ndarray] = {}
    for name, tensor in load_file(adapter / "adapter_model.safetensors").items():
        match = TENSOR.fullmatch(name)
        if match is None or match[2] not in NAMES:
            return False
        layer, module, part = match.groups()
        values = tensor.float().numpy()
        if part == "B" and module == "self_attn.q_proj":
            values = interleave(values, config.num_attention_heads)
        if part == "B" and module == "self_attn.k_proj":
            values = interleave(values, config.num_key_value_heads)
        tensors[f"blk.{layer}.{NAMES[module]}.weight.lora_{part.lower()}"] = np.ascontiguousarray(values)

    writer = gguf.GGUFWriter(path, ARCHITECTURE)
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    for name, values in tensors.items():
        writer.add_tensor(name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return True


def interleave(rows: np.ndarray, heads: int) -> np.ndarray:
    """Rows of each head, those of its first half in turn with those of its second."""
    half = rows.shape[0] // heads // 2
    return rows.reshape(heads, 2, half, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)
