"""Compares two adaptations on a sample, then runs the better one: pilot, recommendation, adaptation.

    pip install adaption==0.16.0
    source .local/env                  # npm run local wrote it
    python examples/05-pilot-first.py
"""

import csv
import io
import time
from pathlib import Path

from adaption import Adaption

SOURCE = Path(__file__).parent / "data" / "careless-answers.csv"

# Address and key come from ADAPTION_BASE_URL and ADAPTION_API_KEY.
client = Adaption()

dataset_id = client.datasets.upload_file(SOURCE, name="careless answers").dataset_id
while (status := client.datasets.get_status(dataset_id)).row_count is None:
    assert status.status != "failed", status.error_data
    time.sleep(0.5)

# The client has no method for pilots, so the route is called by its path.
pilots = f"/api/v1/datasets/{dataset_id}/pilots"
request = {
    "column_mapping": {"prompt": "question", "completion": "answer", "context": ["topic"]},
    "arms": [
        {"name": "As they are"},
        {"name": "Concise", "brand_controls": {"length": "concise"}},
    ],
}
launch = client.post(pilots, body=request, cast_to=object)
print(f"{launch['sample_rows']} rows by {len(launch['arms'])} arms cost {launch['estimated_credits']} credits.")

while (pilot := client.get(f"{pilots}/{launch['pilot_id']}", cast_to=object))["status"] == "running":
    time.sleep(1)
assert pilot["status"] == "succeeded", pilot["error"]
for arm in pilot["arms"]:
    fared = arm["against_original"]
    print(f"{arm['name']}: {fared['better']} better, {fared['worse']} worse, {fared['undecided']} undecided")
print(pilot["recommendation"]["reason"])

# Without a recommendation, the first arm is run all the same: it is an example.
choice = {"pilot_id": pilot["pilot_id"]}
if pilot["recommendation"]["arm"] is None:
    choice["pilot_arm"] = 1
adapt = f"/api/v1/datasets/{dataset_id}/adapt"
quote = client.post(adapt, body={**choice, "estimate": True}, cast_to=object)
print(f"The rest of the dataset costs {quote['estimatedCreditsConsumed']} credits.")
client.post(adapt, body=choice, cast_to=object)
done = client.datasets.wait_for_completion(dataset_id)
assert done.status == "succeeded", done.error_data

content = client.datasets.download(dataset_id, file_format="csv").read().decode()
rows = list(csv.DictReader(io.StringIO(content)))
assert len(rows) == 12 and all(row["enhanced_completion"] for row in rows)
client.datasets.delete(dataset_id)
