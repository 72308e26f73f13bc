"""Uploads preference pairs that need no adaptation: they are ready to train on as they are, and cost nothing.

    source .local/env                  # npm run local wrote it
    python examples/03-raw-preference-pairs.py
"""

import json
import tempfile
from pathlib import Path

from adaption import Adaption, BadRequestError

PAIRS = [
    {"question": "How long do eggs boil?", "better": "Soft after six minutes, hard after ten.", "worse": "a while"},
    {"question": "What is a prime?", "better": "A number with just two divisors.", "worse": "an odd number"},
]

client = Adaption()

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "pairs.jsonl"
    path.write_text("".join(json.dumps(pair) + "\n" for pair in PAIRS))

    # A column that is not there is refused with those that are.
    try:
        client.datasets.upload_file(
            path, processing_mode="raw", column_mapping={"prompt": "prompt", "chosen": "better", "rejected": "worse"}
        )
        raise AssertionError("the unknown column was taken")
    except BadRequestError as refused:
        print(refused.body["message"])
        assert all(column in refused.body["message"] for column in PAIRS[0])

    dataset_id = client.datasets.upload_file(
        path, processing_mode="raw", column_mapping={"prompt": "question", "chosen": "better", "rejected": "worse"}
    ).dataset_id

done = client.datasets.wait_for_completion(dataset_id)
assert (done.status, done.row_count) == ("succeeded", len(PAIRS)), done.error_data

content = client.datasets.download(dataset_id, file_format="jsonl").read().decode()
assert [json.loads(line) for line in content.split("\n") if line] == PAIRS
print(f"{done.row_count} pairs are ready.")
client.datasets.delete(dataset_id)
