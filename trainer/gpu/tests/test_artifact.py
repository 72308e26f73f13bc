"""What a run hands out can be used by the libraries that its users have."""

import json
from pathlib import Path

import gguf
import jsonschema
import numpy as np
import pytest
import torch
from conftest import SMALL, TINY, World, pair
from peft import PeftModel
from safetensors.torch import load_file
from test_job import SCHEMAS
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.modeling_gguf_pytorch_utils import LlamaTensorProcessor

from tunesmith_trainer.gguf_adapter import interleave

MODULES = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


def conforms(world: World, job: dict) -> None:
    """Report and answers are of the control plane's schema."""
    schemas = {name: json.loads((SCHEMAS / f"{name}.json").read_text()) for name in ("TrainerReport", "HeldOutAnswer")}
    jsonschema.validate(world.report(job), schemas["TrainerReport"])
    for line in world.read_lines(f"{job['output_prefix']}answers.jsonl"):
        jsonschema.validate(line, schemas["HeldOutAnswer"])


def test_report_and_answers_are_of_the_schema_of_the_control_plane(world: World):
    pairs = world.job("sft", "dpo")
    completions = world.job("sft", rows=[{**pair(row), "completion": "Arr!"} for row in range(4)])
    diverging = world.job(("sft", {"learning_rate": 1e30, "max_grad_norm": 0, "warmup_ratio": 0}))
    for job in (pairs, completions):
        assert world.run(job)
        conforms(world, job)
    assert world.run(diverging)
    schema = json.loads((SCHEMAS / "TrainerReport.json").read_text())
    jsonschema.validate(world.report(diverging), schema)


def test_an_adapter_is_one_of_peft_with_tokenizer_report_and_licence(world: World, tmp_path, models):
    job = world.job("sft", ("dpo", {"lora_dropout": 0.1}))
    assert world.run(job)

    folder = world.artifact(job, tmp_path)

    assert {path.name for path in folder.iterdir()} == {
        "adapter_config.json",
        "adapter_model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
        "special_tokens_map.json",
        "training_report.json",
        "LICENSE.md",
    }
    config = json.loads((folder / "adapter_config.json").read_text())
    assert config["base_model_name_or_path"] == TINY
    assert (config["r"], config["lora_alpha"], config["lora_dropout"]) == (4, 8, 0.1)
    assert sorted(config["target_modules"]) == sorted(MODULES)
    assert "https://example.org/license" in (folder / "LICENSE.md").read_text()
    assert json.loads((folder / "training_report.json").read_text())["stages"] == world.report(job)["stages"]
    assert AutoTokenizer.from_pretrained(folder).chat_template
    assert no_path_of_this_machine(folder, models)


def test_a_whole_model_is_a_checkpoint_of_transformers(world: World, tmp_path, models):
    job = world.job(("sft", {"training_type": "full"}))
    assert world.run(job)

    folder = world.artifact(job, tmp_path)

    assert world.report(job)["gguf_key"] is None
    model = AutoModelForCausalLM.from_pretrained(folder)
    base = AutoModelForCausalLM.from_pretrained(models / TINY)
    assert not torch.equal(model.model.embed_tokens.weight, base.model.embed_tokens.weight)
    assert AutoTokenizer.from_pretrained(folder).chat_template
    assert no_path_of_this_machine(folder, models)


def no_path_of_this_machine(folder: Path, models: Path) -> bool:
    """Whether no text of the artifact says where the base lay."""
    return not any(str(models) in path.read_text() for path in folder.glob("*.json"))


def test_the_adapter_for_llama_cpp_has_each_tensor_under_its_name_and_q_and_k_in_its_order(world: World, tmp_path):
    job = world.job("sft")
    assert world.run(job)
    folder = world.artifact(job, tmp_path)
    path = tmp_path / "adapter.gguf"
    world.aws.s3.download_file(world.bucket, f"{job['output_prefix']}adapter.gguf", str(path))

    reader = gguf.GGUFReader(path)

    fields = {
        name: reader.get_field(name).contents() for name in ("general.type", "adapter.type", "general.architecture")
    }
    assert fields == {"general.type": "adapter", "adapter.type": "lora", "general.architecture": "llama"}
    assert reader.get_field("adapter.lora.alpha").contents() == 8
    tensors = {tensor.name: tensor.data for tensor in reader.tensors}
    trained = load_file(folder / "adapter_model.safetensors")
    assert len(tensors) == len(trained) == 2 * 2 * len(MODULES)
    prefix = "base_model.model.model.layers.1"
    down = trained[f"{prefix}.mlp.down_proj.lora_B.weight"].numpy()
    np.testing.assert_array_equal(tensors["blk.1.ffn_down.weight.lora_b"], down)
    np.testing.assert_array_equal(
        tensors["blk.1.attn_q.weight.lora_a"], trained[f"{prefix}.self_attn.q_proj.lora_A.weight"].numpy()
    )
    q = trained[f"{prefix}.self_attn.q_proj.lora_B.weight"].numpy()
    assert not np.array_equal(tensors["blk.1.attn_q.weight.lora_b"], q)


@pytest.mark.parametrize("heads", [1, 3])
def test_rows_of_q_and_k_are_where_transformers_finds_them_when_it_reads_gguf(heads):
    rows = np.arange(heads * 8 * 2, dtype=np.float32).reshape(heads * 8, 2)
    reader = LlamaTensorProcessor(config={})

    assert np.array_equal(reader._reverse_permute_weights(interleave(rows, heads), heads, heads), rows)


def with_own_system(row: dict) -> dict:
    """The row with a short system message in place of the template's, which makes it a third shorter."""
    return row | {"messages": [{"role": "system", "content": "Answer."}, *row["messages"]]}


def test_a_small_model_of_language_learns_a_style_by_sft_and_dpo_and_says_so(world: World, tmp_path, models):
    stages = [
        ("sft", {"learning_rate": 2e-3, "lora_r": 8, "lora_alpha": 16, "batch_size": 3}),
        ("dpo", {"learning_rate": 5e-4, "lora_r": 8, "lora_alpha": 16, "batch_size": 3}),
    ]
    job = world.job(
        *stages,
        model={"id": SMALL, "license": {"name": "Apache-2.0", "url": "https://example.org/license"}},
        rows=[with_own_system(pair(row)) for row in range(12)],
        held_out=[with_own_system(pair(100 + row)) for row in range(3)],
        answer_tokens_max=12,
        checkpoint_steps=100,
    )

    assert world.run(job)

    conforms(world, job)
    lines = world.read_lines(f"{job['output_prefix']}answers.jsonl")
    assert all(line["tuned"]["answer"].startswith("Arr!") for line in lines)
    assert not any(line["base"]["answer"].startswith("Arr!") for line in lines)
    assert all(line["tuned"]["reference_logprob"] > line["base"]["reference_logprob"] + 1 for line in lines)
    folder = world.artifact(job, tmp_path)
    model = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(models / SMALL, dtype=torch.float32), folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    inputs = tokenizer.apply_chat_template(
        lines[0]["messages"], add_generation_prompt=True, return_tensors="pt", return_dict=True
    )
    tokens = model.generate(**inputs, max_new_tokens=12, do_sample=False)
    answer = tokenizer.decode(tokens[0, inputs["input_ids"].shape[1] :], skip_special_tokens=True)
    assert answer == lines[0]["tuned"]["answer"]
