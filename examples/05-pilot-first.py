"""Compares two adaptations on a sample, runs the better one, and adapts rows that come later: only those are billed.

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

# Rows that come later become the next version of the dataset.
later = [
    {"topic": "shipping", "question": "can i send a parcel to two adresses", "answer": "no, make two"},
    {"topic": "billing", "question": "where do i see my last invoice", "answer": "billing page"},
]
append = client.post(f"/api/v1/datasets/{dataset_id}/rows", body={"rows": later}, cast_to=object)
appended = f"/api/v1/datasets/{dataset_id}/appends/{append['append_id']}"
while (append := client.get(appended, cast_to=object))["status"] == "pending":
    time.sleep(0.5)
assert append["status"] == "succeeded", append["error_data"]

# The same settings again: rows that are unchanged cost nothing.
arm = (pilot["recommendation"]["arm"] or 1) - 1
settings = {key: value for key, value in request["arms"][arm].items() if key != "name"}
again = {"column_mapping": request["column_mapping"], **settings}
quote = client.post(adapt, body={**again, "estimate": True}, cast_to=object)
print(f"{quote['reused_rows']} of {len(rows) + len(later)} rows are unchanged and cost nothing again.")
assert quote["reused_rows"] == len(rows)
client.post(adapt, body=again, cast_to=object)
done = client.datasets.wait_for_completion(dataset_id)
assert done.status == "succeeded", done.error_data

versions = client.get(f"/api/v1/datasets/{dataset_id}/versions", cast_to=object)["versions"]
for version in versions:
    print(f"Version {version['version']}: {version['row_count']} rows by {version['made_by']}, {version['status']}")
assert [version["made_by"] for version in versions] == ["adapt", "append", "adapt", "ingest"]
client.datasets.delete(dataset_id)
