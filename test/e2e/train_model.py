"""Trains a model through the public client, unmodified and strict, and downloads it.

`trained-model.model.test.ts` says by the environment where the stack is, and in E2E_TASK what is trained:
`{"rows": [...], "source": {...}, "training": {...}, "artifact": path}`. Prints the training as it ended.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

from adaption import Adaption

task = json.loads(os.environ["E2E_TASK"])
client = Adaption(
    base_url=os.environ["ADAPTION_BASE_URL"],
    api_key=os.environ["ADAPTION_API_KEY"],
    _strict_response_validation=True,
    max_retries=0,
)

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in task["rows"]))
    dataset_id = client.datasets.upload_file(path, processing_mode="raw", **task["source"]).dataset_id

deadline = time.monotonic() + 60
while client.datasets.get_status(dataset_id).row_count is None:
    assert time.monotonic() < deadline, "The rows were not read."
    time.sleep(0.2)

run = client.autoscientist.create(dataset_id=dataset_id, **task["training"])
print(json.dumps({"id": run.id}), file=sys.stderr, flush=True)
ended = client.autoscientist.wait_for_completion(run.id, initial_interval=1, max_interval=2, timeout=1800)
if ended.status == "succeeded":
    client.autoscientist.download(run.id).write_to_file(task["artifact"])
print(ended.to_json(indent=None))
