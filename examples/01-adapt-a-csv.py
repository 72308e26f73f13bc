"""Adapts a CSV file with the public Python client: upload, quote, run, grades, download.

    pip install adaption==0.16.0
    source .local/env                  # npm run local wrote it
    python examples/01-adapt-a-csv.py
"""

import csv
import io
import time
from pathlib import Path

from adaption import Adaption

SOURCE = Path(__file__).parent / "data" / "careless-answers.csv"
MAPPING = {"prompt": "question", "completion": "answer", "context": ["topic"]}

# Address and key come from ADAPTION_BASE_URL and ADAPTION_API_KEY.
client = Adaption()

dataset_id = client.datasets.upload_file(SOURCE, name="careless answers").dataset_id
while (status := client.datasets.get_status(dataset_id)).row_count is None:
    assert status.status != "failed", status.error_data
    time.sleep(0.5)
print(f"{status.row_count} rows were read.")

quote = client.datasets.adapt(dataset_id, column_mapping=MAPPING, estimate=True)
print(f"It will cost {quote.estimated_credits_consumed:g} credits.")

client.datasets.adapt(
    dataset_id,
    column_mapping=MAPPING,
    brand_controls={"length": "concise"},
    job_specification={"idempotency_key": "careless-answers-1"},
)
done = client.datasets.wait_for_completion(dataset_id)
assert done.status == "succeeded", done.error_data

evaluation = client.datasets.wait_for_evaluation(dataset_id)
if evaluation.quality is not None:
    print(f"Grade {evaluation.quality.grade_before} before, {evaluation.quality.grade_after} after.")

before = list(csv.DictReader(io.StringIO(SOURCE.read_text())))
content = client.datasets.download(dataset_id, file_format="csv").read().decode()
after = list(csv.DictReader(io.StringIO(content)))
print(f"{after[0]['question']}\n  was  {after[0]['answer']}\n  is   {after[0]['enhanced_completion']}")

# Every row is there, in its place, with the columns that were not adapted as they were.
assert [row["question"] for row in after] == [row["question"] for row in before]
assert [row["topic"] for row in after] == [row["topic"] for row in before]
assert all(row["enhanced_completion"] for row in after)
client.datasets.delete(dataset_id)
