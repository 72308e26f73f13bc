"""Asks the service's models with the public openai client: streamed, then about the rows of a dataset, over two turns.

    pip install adaption==0.16.0 openai==3.54.0
    source .local/env                  # npm run local wrote it
    python examples/04-ask-about-rows.py
"""

import csv
import os
import time
from pathlib import Path

from adaption import Adaption
from openai import OpenAI

SOURCE = Path(__file__).parent / "data" / "careless-answers.csv"

datasets = Adaption().datasets
client = OpenAI(
    base_url=f"{os.environ['ADAPTION_BASE_URL']}/api/v1",
    api_key=os.environ["ADAPTION_API_KEY"],
    # An index that is still being built is a 503 with Retry-After, which the client heeds.
    max_retries=20,
)
model = client.models.list(extra_query={"type": "hosted"}).data[0].id

print(f"{model}: ", end="")
with client.responses.stream(model=model, input="Greet me in one sentence.", max_output_tokens=60) as stream:
    for event in stream:
        if event.type == "response.output_text.delta":
            print(event.delta, end="", flush=True)
    print()
    assert stream.get_final_response().output_text

dataset_id = datasets.upload_file(SOURCE, name="careless answers to ask about").dataset_id
while (status := datasets.get_status(dataset_id)).row_count is None:
    assert status.status != "failed", status.error_data
    time.sleep(0.5)
datasets.adapt(
    dataset_id,
    column_mapping={"prompt": "question", "completion": "answer"},
    recipe_specification={"recipes": {"prompt_rephrase": False}},
)
done = datasets.wait_for_completion(dataset_id)
assert done.status == "succeeded", done.error_data

# The demanded search makes the answer rest on rows: one that found none would fail.
answer = client.responses.create(
    model=model,
    input="How do I remove a coffee stain from a shirt?",
    tools=[{"type": "file_search", "dataset_ids": [dataset_id], "max_num_results": 3}],
    tool_choice={"type": "function", "name": "file_search"},
    include=["file_search_call.results"],
    max_output_tokens=200,
    store=True,
)
assert answer.status in ("completed", "incomplete"), answer.error
print(answer.output_text)
[search] = [item for item in answer.output if item.type == "file_search_call"]
for result in search.results:
    print(f"  row {result.attributes['row']:g}, score {result.score:.2f}: {result.text.splitlines()[0]}")
assert {result.attributes["dataset_id"] for result in search.results} == {dataset_id}
# The model words the query, so which rows are found is up to it.
with SOURCE.open() as file:
    questions = [row["question"] for row in csv.DictReader(file)]
for result in search.results:
    assert result.text.startswith(questions[int(result.attributes["row"])])

# A stored answer is where the next turn goes on from.
shorter = client.responses.create(
    model=model,
    input="Say that in fewer words.",
    previous_response_id=answer.id,
    max_output_tokens=100,
)
print(shorter.output_text)
assert shorter.output_text and shorter.previous_response_id == answer.id

client.responses.delete(answer.id)
datasets.delete(dataset_id)
