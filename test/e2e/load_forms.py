"""Loads downloads in the forms of trainers by those who read them: load_forms.py FOLDER.

`datasets` reads each file as a split; TRL says whether its rows are conversations and parts prompts from answers; LLaMA-Factory's
parser reads `dataset_info.json`, and its converter turns each row into turns. The modules of both that need PyTorch are not
imported: their packages are installed without what they depend on. Prints what came of it as one JSON object.
"""

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

from datasets import load_dataset

folder = Path(sys.argv[1])


def stand_in(name: str, **members: object) -> ModuleType:
    """A module with these members alone, in place of one that imports PyTorch."""
    module = ModuleType(name)
    module.__dict__.update(members)
    sys.modules[name] = module
    return module


def split(name: str):
    return load_dataset("json", data_files=str(folder / name), split="train", cache_dir=str(folder / "cache" / name))


stand_in("transformers", PreTrainedTokenizerBase=object, ProcessorMixin=object)
trl = importlib.import_module("trl.data_utils")

llamafactory = importlib.util.find_spec("llamafactory")
[source] = llamafactory.submodule_search_locations
stand_in("llamafactory.data", __path__=[f"{source}/data"])
stand_in("llamafactory.extras", __path__=[f"{source}/extras"])
stand_in("llamafactory.extras.constants", DATA_CONFIG="dataset_info.json", RUNNING_LOG="running_log.txt")
stand_in("llamafactory.extras.misc", use_modelscope=lambda: False, use_openmind=lambda: False)
parser = importlib.import_module("llamafactory.data.parser")
converters = importlib.import_module("llamafactory.data.converter")


def loads_in_llamafactory(info: str) -> list:
    """The rows of a file as LLaMA-Factory aligns them: prompt, response, system, tools."""
    entries = json.loads((folder / info).read_text())
    [name] = entries
    [attributes] = parser.get_dataset_list([name], entries)
    rows = split(entries[name]["file_name"])
    arguments = SimpleNamespace(media_dir="")
    converter = converters.get_dataset_converter(attributes.formatting, attributes, arguments)
    return [converter(row) for row in rows]


chats, pairs = split("chats.trl.jsonl"), split("pairs.trl.jsonl")
print(
    json.dumps(
        {
            "openai": [row["messages"] for row in split("chats.openai.jsonl")],
            "alpaca": list(split("chats.alpaca.jsonl")),
            "sharegpt": loads_in_llamafactory("chats.dataset_info.json"),
            "sharegpt_pairs": loads_in_llamafactory("pairs.dataset_info.json"),
            "openai_pairs": list(split("pairs.openai.jsonl")),
            "trl_is_conversational": [trl.is_conversational(row) for row in [*chats, *pairs]],
            "trl_unpaired": list(trl.unpair_preference_dataset(pairs)),
        }
    )
)
