"""The hub's own client against the stand-in: publishes a model and reads it back; then downloads what the service published."""

import json
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ["HF_HUB_DISABLE_XET"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

from huggingface_hub import HfApi, ModelCard

api = HfApi()

# What the client publishes, the stand-in gives back; of the files it takes the weights alone by Git LFS.
name = api.create_repo("model-by-the-client", private=True).repo_id
files = {"adapter_config.json": b"{}", "adapter_model.safetensors": os.urandom(2000), "README.md": b"# Ours\n"}
with TemporaryDirectory() as folder:
    for path, content in files.items():
        Path(folder, path).write_bytes(content)
    assert api.upload_folder(folder_path=folder, repo_id=name).oid
assert api.repo_info(name).private is True
assert {path.name: path.read_bytes() for path in Path(api.snapshot_download(name)).iterdir()} == files
assert [entry.path for entry in api.list_repo_tree(name) if entry.lfs] == ["adapter_model.safetensors"]

# Rows of the same name are another repository.
assert api.create_repo("model-by-the-client", repo_type="dataset").repo_id == name
assert api.list_repo_files(name, repo_type="dataset") == []

# What the service has published.
published = sys.argv[1]
card = ModelCard.load(published)
snapshot = Path(api.snapshot_download(published))
print(
    json.dumps(
        {
            "card": card.data.to_dict(),
            "text": card.text,
            "files": {path.name: path.read_bytes().hex() for path in snapshot.iterdir()},
        }
    )
)
