"""Every recipe and brand control of /adapt and /run, as callers of the public client see it."""

import csv
import io
import json
import re
import warnings

import httpx
import pytest
from adaption import BadRequestError

from conftest import MAPPING, finish, pairs, upload, wait_until_read

CATEGORIES = ["violence", "self_harm", "harassment", "hate", "sexual"]
WORDS = {"minimal": (3, 25), "concise": (26, 70), "detailed": (71, 180), "extensive": (181, 450)}
INSULT = "Tim, you are a pathetic, ugly loser"
SAFETY = "question,answer,note\n" + "".join(
    f"{question},{answer},{note}\n"
    for question, answer, note in (
        ("how do i kill a process row-0", "use kill -9", "calm"),
        ("write a message to tim row-1", f'"{INSULT}"', "rude"),
        ("what of immigrants row-2", "immigrants are vermin", "hateful"),
    )
)


def table(client, dataset_id: str) -> list[dict[str, str]]:
    text = client.datasets.download(dataset_id, file_format="csv").read().decode()
    return list(csv.DictReader(io.StringIO(text)))


def report(client, dataset_id: str) -> dict:
    """The report has no method in the public client."""
    answer = client.get(f"/api/v1/datasets/{dataset_id}/report", cast_to=httpx.Response)
    return answer.json()


def launch(client, tmp_path, operation: str = "adapt", text: str | None = None, **asked):
    dataset_id = upload(client, tmp_path, pairs(3) if text is None else text)
    wait_until_read(client, dataset_id)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        getattr(client.datasets, operation)(dataset_id, column_mapping=MAPPING, **asked)
    assert finish(client, dataset_id).status == "succeeded"
    return dataset_id


def words(text: str) -> int:
    return len(re.findall(r"[^\W_][\w'’]*", text))


def recipes(**chosen: bool) -> dict:
    return {"recipe_specification": {"recipes": chosen}}


@pytest.mark.parametrize("length", WORDS)
def test_a_length_is_followed(client, tmp_path, length) -> None:
    dataset_id = launch(client, tmp_path, brand_controls={"length": length})
    low, high = WORDS[length]
    for row in table(client, dataset_id):
        assert low <= words(row["enhanced_completion"]) <= high, row["enhanced_completion"]


def test_a_blueprint_is_taken_and_the_row_answered(client, tmp_path) -> None:
    dataset_id = launch(client, tmp_path, brand_controls={"blueprint": "Speak like a pirate."})
    assert all(row["enhanced_completion"] != row["answer"] for row in table(client, dataset_id))


def test_a_blueprint_has_a_largest_size(client, adapted) -> None:
    with pytest.raises(BadRequestError):
        client.datasets.adapt(
            adapted, column_mapping=MAPPING, brand_controls={"blueprint": "x" * 20_001}
        )


def test_an_unknown_safety_category_is_refused_by_name(client, adapted) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.datasets.adapt(
            adapted, column_mapping=MAPPING, brand_controls={"safety_categories": ["hate", "spam"]}
        )
    assert refused.value.body["details"][0]["path"] == "brand_controls.safety_categories[1]"


def test_adapt_scores_every_row_in_all_categories_and_changes_nothing_for_it(client, tmp_path) -> None:
    dataset_id = launch(client, tmp_path, text=SAFETY, brand_controls={"safety_categories": ["violence"]})
    rows = table(client, dataset_id)
    for row in rows:
        for column in ("prompt_safety_issues", "response_safety_issues"):
            scores = json.loads(row[column])
            assert list(scores) == CATEGORIES
            assert all(0 <= score <= 1 for score in scores.values())
    assert max(json.loads(rows[0]["response_safety_issues"]).values()) < 0.5
    assert json.loads(rows[1]["response_safety_issues"])["harassment"] >= 0.5
    assert json.loads(rows[2]["response_safety_issues"])["hate"] >= 0.5
    assert INSULT in rows[1]["enhanced_completion"]
    assert report(client, dataset_id)["safety_scorers"] == {"scripted (safety.v1)": 3}


def test_run_filters_what_violates_the_categories_that_were_asked_for(client, tmp_path) -> None:
    dataset_id = launch(
        client, tmp_path, "run", text=SAFETY, brand_controls={"safety_categories": ["harassment"]}
    )
    assert [row["note"] for row in table(client, dataset_id)] == ["calm", "hateful"]
    assert INSULT not in client.datasets.download(dataset_id).read().decode()
    filtered = [row for row in report(client, dataset_id)["reported_rows"] if row["code"] == "completion_unsafe"]
    assert [(row["row"], row["outcome"]) for row in filtered] == [(1, "dropped")]
    assert "harassment" in filtered[0]["message"]


def test_nothing_is_scored_unless_it_is_asked_for(client, adapted) -> None:
    for row in table(client, adapted):
        assert row["prompt_safety_issues"] == row["response_safety_issues"] == ""


@pytest.mark.parametrize("operation", ["adapt", "run"])
def test_answers_rest_on_sources_that_the_report_names(client, tmp_path, operation) -> None:
    dataset_id = launch(
        client, tmp_path, operation, brand_controls={"hallucination_mitigation": True}
    )
    rows = table(client, dataset_id)
    assert all("See https://example.org/about" in row["enhanced_completion"] for row in rows)
    grounded = [row for row in report(client, dataset_id)["reported_rows"] if row["code"] == "grounded"]
    assert [row["row"] for row in grounded] == [0, 1, 2]
    assert grounded[0]["sources"][0]["url"] == "https://example.org/about"


@pytest.mark.parametrize("operation", ["adapt", "run"])
def test_a_reasoning_trace_has_a_column_of_its_own(client, tmp_path, operation) -> None:
    dataset_id = launch(client, tmp_path, operation, **recipes(reasoning_traces=True))
    rows = table(client, dataset_id)
    assert list(rows[0])[:5] == ["question", "answer", "enhanced_prompt", "enhanced_completion", "reasoning_trace"]
    for row in rows:
        assert row["reasoning_trace"].startswith("1. ")
        assert row["reasoning_trace"] not in row["enhanced_completion"]


def test_without_the_recipe_there_is_no_trace(client, adapted) -> None:
    assert "reasoning_trace" not in table(client, adapted)[0]


@pytest.mark.parametrize("operation", ["adapt", "run"])
def test_prompts_are_rephrased_unless_the_caller_says_no(client, tmp_path, operation) -> None:
    for asked, is_same in ((recipes(prompt_rephrase=False), True), (recipes(prompt_rephrase=True), False)):
        rows = table(client, launch(client, tmp_path, operation, **asked))
        assert [row["enhanced_prompt"] == row["question"] for row in rows] == [is_same] * 3


def test_run_alone_injects_metadata_into_prompts(client, adapted, tmp_path) -> None:
    mapping = {**MAPPING, "context": ["note"]}
    asked = recipes(prompt_metadata_injection=True)
    dataset_id = upload(client, tmp_path, pairs(2))
    wait_until_read(client, dataset_id)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        client.datasets.run(
            dataset_id, column_mapping=mapping, brand_controls={"length": "concise"}, **asked
        )
    assert finish(client, dataset_id).status == "succeeded"
    for n, row in enumerate(table(client, dataset_id)):
        first, note, *_ = row["enhanced_prompt"].splitlines()
        assert (first, note) == ("[metadata]", f'note: keep "{n}", please')
        assert "length: concise (26 to 70 words)" in row["enhanced_prompt"]
    with pytest.raises(BadRequestError) as refused:
        client.datasets.adapt(adapted, column_mapping=MAPPING, **asked)
    assert "prompt_metadata_injection" in refused.value.body["details"][0]["path"]
