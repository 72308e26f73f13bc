"""The hub's own client against the stand-in: publishes a folder and reads it back; then loads what the service published."""

import io
import json
import os
import sys

os.environ["HF_HUB_DISABLE_XET"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
os.environ["HF_DATASETS_CACHE"] = os.path.join(os.environ["HF_HOME"], "datasets")

import pyarrow
import pyarrow.parquet
from datasets import load_dataset
from huggingface_hub import DatasetCard, HfApi

api = HfApi()
assert api.whoami()["name"] == "acme"

# What the client publishes, the stand-in gives back.
table = pyarrow.table({"question": ["why", "how"], "answer": ["because", "so"]})
parquet = io.BytesIO()
pyarrow.parquet.write_table(table, parquet)
name = api.create_repo("by-the-client", repo_type="dataset", private=True).repo_id
assert name == "acme/by-the-client", name
commit = api.upload_file(
    path_or_fileobj=parquet.getvalue(),
    path_in_repo="data/train-00000-of-00001.parquet",
    repo_id=name,
    repo_type="dataset",
)
assert commit.oid
with open(api.hf_hub_download(name, "data/train-00000-of-00001.parquet", repo_type="dataset"), "rb") as file:
    assert file.read() == parquet.getvalue()
assert api.repo_info(name, repo_type="dataset").private is True
assert api.create_repo(name, repo_type="dataset", exist_ok=True).repo_id == name
assert load_dataset(name, split="train").to_list() == table.to_pylist()

# What the service has published.
published = sys.argv[1]
card = DatasetCard.load(published)
rows = load_dataset(published, split="train")
print(
    json.dumps(
        {
            "rows": rows.to_list(),
            "columns": rows.column_names,
            "card": card.data.to_dict(),
            "text": card.text,
            "files": sorted(api.list_repo_files(published, repo_type="dataset")),
        }
    )
)
