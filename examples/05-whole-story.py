"""The whole story: a pilot, the adaptation by its winner, new rows, and whether the adaptation makes a better model.

    pip install adaption==0.16.0
    source .local/env                  # npm run local wrote it
    python examples/05-whole-story.py

Writes the three win rates as a chart to `whole-story.svg` in the current folder.
"""

import json
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from adaption import Adaption

POOL = Path(__file__).parent / "data" / "starter-pool.jsonl"
TOPICS = ["cooking", "gardening", "home repair", "personal finance", "health"]
MAPPING = {"prompt": "question", "completion": "answer", "context": ["topic"]}
ARMS = [
    {"name": "As they are"},
    {"name": "Concise", "brand_controls": {"length": "concise"}},
]
CHART = Path("whole-story.svg")

# Address and key come from ADAPTION_BASE_URL and ADAPTION_API_KEY.
# A response that does not fit the client's types is an error.
client = Adaption(_strict_response_validation=True)


# Pilots, versions and comparisons have no method of the client, so their routes are called by their paths.
def get(path: str) -> dict:
    return client.get(path, cast_to=object)


def post(path: str, body: dict) -> dict:
    return client.post(path, body=body, cast_to=object)


def wait_while(active: tuple[str, ...], path: str) -> dict:
    while (state := get(path))["status"] in active:
        time.sleep(1)
    return state


def adapt(request: dict) -> dict:
    """Adapts all rows; answers the report of the run."""
    post(f"{dataset}/adapt", request)
    done = client.datasets.wait_for_completion(dataset_id, initial_interval=1, max_interval=2)
    assert done.status == "succeeded", done.error_data
    return get(f"{dataset}/report")


def delivered(report: dict) -> int:
    return report["rows"]["changed"] + report["rows"]["kept"]


# 1. Rows: good questions, each answered in a hurry with the beginning of its good answer.
def careless(answer: str) -> str:
    return " ".join(answer.lower().replace(",", "").replace(".", "").split()[:7])


with POOL.open(encoding="utf-8") as file:
    pool = [row for row in map(json.loads, file) if row["topic"] in TOPICS]
rows = [
    {"topic": row["topic"], "question": row["prompt"], "answer": careless(row["completion"])} for row in pool
]
first, later = rows[:44], rows[44:]
with TemporaryDirectory() as folder:
    source = Path(folder, "hurried-answers.jsonl")
    source.write_text("".join(f"{json.dumps(row)}\n" for row in first))
    dataset_id = client.datasets.upload_file(source, name="hurried answers").dataset_id
dataset = f"/api/v1/datasets/{dataset_id}"
while (status := client.datasets.get_status(dataset_id)).row_count is None:
    assert status.status != "failed", status.error_data
    time.sleep(0.5)
assert status.row_count == len(first)

# 2. A pilot tries two ways to adapt them on a sample.
launch = post(f"{dataset}/pilots", {"column_mapping": MAPPING, "arms": ARMS, "sample_rows": 8})
print(f"{launch['sample_rows']} rows by {len(launch['arms'])} arms cost {launch['estimated_credits']} credits.")
pilot = wait_while(("running",), f"{dataset}/pilots/{launch['pilot_id']}")
assert pilot["status"] == "succeeded", pilot["error"]
for arm in pilot["arms"]:
    fared = arm["against_original"]
    print(f"  {arm['name']}: {fared['better']} better, {fared['worse']} worse, {fared['undecided']} undecided")
print(pilot["recommendation"]["reason"])

# 3. The winner adapts all rows. Those of the sample are taken over.
choice = {"pilot_id": pilot["pilot_id"]}
winner = pilot["recommendation"]["arm"]
if winner is None:
    winner = choice["pilot_arm"] = 1
    print(f"No arm is shown to be better than doing nothing. The story goes on with arm {winner}.")
quote = post(f"{dataset}/adapt", {**choice, "estimate": True})
print(f"The rest of the dataset costs {quote['estimatedCreditsConsumed']} credits.")
before = adapt(choice)

# 4. Rows that come later become the next version, and the same settings bill them alone.
append = post(f"{dataset}/rows", {"rows": later})
append = wait_while(("pending",), f"{dataset}/appends/{append['append_id']}")
assert append["status"] == "succeeded", append["error_data"]
settings = {key: value for key, value in ARMS[winner - 1].items() if key != "name"}
after = adapt({"column_mapping": MAPPING, **settings})
new = delivered(after) - after["reused_rows"]
bill = after["credits"]["settled"]
print(f"{after['reused_rows']} rows are unchanged and cost nothing, {new} new ones cost {bill} credits.")
assert after["reused_rows"] == delivered(before)
assert 0 < new <= len(later) and bill == 1
versions = get(f"{dataset}/versions")["versions"]
assert [version["made_by"] for version in versions] == ["adapt", "append", "adapt", "ingest"]

# 5. Does it make a better model? The same base learns the originals and the adapted rows.
comparisons = "/api/v1/autoscientist/comparisons"
request = {
    "dataset_id": dataset_id,
    # A minute for each training on two cores.
    "hyperparams": {"n_epochs": 2, "batch_size": 4, "learning_rate": 0.003, "lora_r": 8, "lora_alpha": 16},
}
launch = post(comparisons, request)
print(f"{launch['trainings']} trainings of {launch['model']} on {launch['rows']} rows …")
comparison = wait_while(("pending", "running"), f"{comparisons}/{launch['comparison_id']}")
assert comparison["status"] == "succeeded", comparison["error"]
for training in comparison["trainings"]:
    print(f"  {training['side']} rows: held-out loss {training['held_out_loss']}")
rates = {name.replace("_", " "): rate for name, rate in comparison["win_rates"].items()}


def words(rate: dict) -> str:
    low, high = rate["interval95"]
    undecided = sum(seed["undecided"] for seed in rate["by_seed"])
    share = f"{rate['value']:.0%} ({low:.0%} to {high:.0%})"
    return f"{share} by {rate['measure']}, {undecided} of {rate['rows']} undecided"


# 6. The chart: a dot for each win rate, its 95 % interval as a line, and a dashed line at one half.
def svg(rates: dict[str, dict]) -> str:
    left, width, height = 20, 560, 50 * len(rates) + 40

    def at(share: float) -> str:
        return f"{left + share * width:.1f}"

    def line(x1: str, y1: float, x2: str, y2: float, look: str) -> str:
        return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {look}/>'

    parts = ['<rect width="100%" height="100%" fill="white"/>']
    for index, (name, rate) in enumerate(rates.items()):
        y, (low, high) = 50 * index + 25, rate["interval95"]
        parts.append(f'<text x="{left}" y="{y}">{name}: {words(rate)}</text>')
        parts.append(line(at(0.5), y + 6, at(0.5), y + 22, 'stroke="gray" stroke-dasharray="4 3"'))
        parts.append(line(at(low), y + 14, at(high), y + 14, 'stroke="navy" stroke-width="2"'))
        parts.append(f'<circle cx="{at(rate["value"])}" cy="{y + 14}" r="5" fill="navy"/>')
    for share, anchor in ((0, "start"), (0.5, "middle"), (1, "end")):
        parts.append(f'<text x="{at(share)}" y="{height - 8}" text-anchor="{anchor}">{share:.0%}</text>')
    size = f'width="{width + 2 * left}" height="{height}"'
    style = 'font-family="sans-serif" font-size="13"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>', *parts, "</svg>\n"])


assert len(rates) == 3
for name, rate in rates.items():
    low, high = rate["interval95"]
    assert 0 <= low <= rate["value"] <= high <= 1, rate
    print(f"{name}: {words(rate)}")
CHART.write_text(svg(rates), encoding="utf-8")
low, high = rates["adapted against original"]["interval95"]
if low > 0.5:
    print("The adaptation made a better model: the whole interval is above 50 %.")
elif high < 0.5:
    print("The adaptation made a worse model: the whole interval is below 50 %.")
else:
    print("No difference is shown: the interval holds 50 %. Compare with more rows and seeds.")
print(f"The chart is in {CHART}.")
client.datasets.delete(dataset_id)
