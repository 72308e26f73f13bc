"""What a launch checks and does beside modes, controls, pairs and languages (spec §4.7 and §4.8)."""

import csv
import io
import json
import urllib.request
import warnings

import pytest
from adaption import BadRequestError, UnprocessableEntityError

from conftest import MAPPING, MODEL_URL, finish, pairs, upload, wait_until_read

BOTH = pytest.mark.parametrize("operation", ["adapt", "run"])
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def call(client, operation: str, dataset_id: str, **asked):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return getattr(client.datasets, operation)(dataset_id, **asked)


def table(client, dataset_id: str) -> list[dict[str, str]]:
    text = client.datasets.download(dataset_id, file_format="csv").read().decode()
    return list(csv.DictReader(io.StringIO(text)))


def model_stats() -> dict:
    return json.loads(urllib.request.urlopen(f"{MODEL_URL}/_scripted/stats").read())


@pytest.fixture(scope="module")
def read(client, tmp_path_factory) -> str:
    dataset_id = upload(client, tmp_path_factory.mktemp("launches"), pairs(3))
    wait_until_read(client, dataset_id)
    return dataset_id


@BOTH
def test_a_quote_needs_no_mapping_and_a_run_does(client, read, operation) -> None:
    quote = call(client, operation, read, estimate=True)
    assert (quote.run_id, quote.estimate) == (None, True)
    assert quote.estimated_minutes >= 0 and quote.estimated_credits_consumed == 1
    with pytest.raises(BadRequestError) as refused:
        call(client, operation, read)
    assert refused.value.body["code"] == "column_mapping_required"
    assert client.datasets.get_status(read).status == "awaiting_input"


@BOTH
@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ({"job_specification": {"max_rows": 0}}, "job_specification.max_rows"),
        ({"job_specification": {"max_rows": 1.5}}, "job_specification.max_rows"),
        ({"training_type": "poems"}, "training_type"),
        ({"brand_controls": {"length": "endless"}}, "brand_controls.length"),
        ({"brand_controls": {"hallucination_mitigation": "yes"}}, "brand_controls.hallucination_mitigation"),
        ({"recipe_specification": {"recipes": {"deduplication": "yes"}}}, "recipe_specification.recipes.deduplication"),
        ({"recipe_specification": {"recipes": {"magic": True}}}, "recipe_specification.recipes.magic"),
        ({"estimate": "yes"}, "estimate"),
        ({"language_expansion": {"type": "sing", "languages": ["es"], "sample_rate": 1}}, "language_expansion.type"),
        ({"language_expansion": {"type": "translate", "languages": ["es"]}}, "language_expansion.sample_rate"),
        (
            {
                "language_expansion": {
                    "type": "localize",
                    "pairs": [{"country": "XX", "language": "es"}],
                    "sample_rate": 1,
                }
            },
            "language_expansion.pairs[0].country",
        ),
    ],
)
def test_400_names_the_field_of_what_cannot_be(client, read, operation, asked, path) -> None:
    with pytest.raises(BadRequestError) as refused:
        call(client, operation, read, **{"column_mapping": MAPPING, **asked})
    assert path in [detail["path"] for detail in refused.value.body["details"]]
    assert client.datasets.get_status(read).status == "awaiting_input"


@BOTH
def test_the_version_of_a_recipe_is_taken_and_changes_nothing(client, tmp_path, operation) -> None:
    dataset_id = upload(client, tmp_path, pairs(1))
    wait_until_read(client, dataset_id)
    call(
        client,
        operation,
        dataset_id,
        column_mapping=MAPPING,
        recipe_specification={"version": "2031-01", "recipes": {"prompt_rephrase": False}},
    )
    assert finish(client, dataset_id).status == "succeeded"
    (row,) = table(client, dataset_id)
    assert row["enhanced_prompt"] == row["question"]


def test_run_takes_the_most_rows_and_one_run_for_one_key(client, tmp_path) -> None:
    dataset_id = upload(client, tmp_path, pairs(3))
    wait_until_read(client, dataset_id)
    job = {"idempotency_key": "once", "max_rows": 2}
    first = call(client, "run", dataset_id, column_mapping=MAPPING, job_specification=job)
    again = call(client, "run", dataset_id, column_mapping=MAPPING, job_specification=job)
    assert first.run_id == again.run_id
    assert first.estimated_credits_consumed == again.estimated_credits_consumed
    with pytest.raises(UnprocessableEntityError) as other:
        call(client, "run", dataset_id, column_mapping=MAPPING, job_specification={**job, "max_rows": 3})
    assert other.value.body["code"] == "idempotency_mismatch"
    assert finish(client, dataset_id).status == "succeeded"
    rows = table(client, dataset_id)
    assert (len(rows), sum(row["enhanced_completion"] != row["answer"] for row in rows)) == (3, 2)


def test_run_makes_preference_pairs_by_its_recipe_and_adapt_by_its_training_type(client, read, tmp_path) -> None:
    asked = {"recipe_specification": {"recipes": {"preference_pairs": True}}}
    dataset_id = upload(client, tmp_path, pairs(3))
    wait_until_read(client, dataset_id)
    call(client, "run", dataset_id, column_mapping=MAPPING, **asked)
    assert finish(client, dataset_id).status == "succeeded"
    for row in table(client, dataset_id):
        assert row["chosen"] == row["enhanced_completion"] != row["rejected"] != ""
    with pytest.raises(BadRequestError) as refused:
        client.datasets.adapt(read, column_mapping=MAPPING, **asked)
    assert "recipe_specification.recipes.preference_pairs" in [d["path"] for d in refused.value.body["details"]]


def test_run_takes_chat_and_context_and_follows_a_length(client, tmp_path) -> None:
    turns = [{"role": "user", "content": "how do i do thing row-0"}, {"role": "assistant", "content": "try"}]
    dataset_id = upload(client, tmp_path, json.dumps({"turns": turns, "subject": "things"}), name="chat.jsonl")
    wait_until_read(client, dataset_id)
    call(client, "run", dataset_id, column_mapping={"chat": "turns"}, brand_controls={"length": "minimal"})
    assert finish(client, dataset_id).status == "succeeded"
    (row,) = table(client, dataset_id)
    assert 3 <= len(row["enhanced_completion"].split()) <= 25

    dataset_id = upload(client, tmp_path, pairs(1))
    wait_until_read(client, dataset_id)
    call(client, "run", dataset_id, column_mapping={**MAPPING, "context": ["note"]})
    assert finish(client, dataset_id).status == "succeeded"
    assert client.datasets.get(dataset_id).configured_column_mapping.context == ["note"]


@BOTH
def test_a_blueprint_stands_in_the_request_for_every_completion(client, tmp_path, script, operation) -> None:
    text = f"Speak like a pirate of the {operation}."
    dataset_id = upload(client, tmp_path, pairs(3))
    wait_until_read(client, dataset_id)
    # A stall of no length: nothing but a count of the requests that hold the text.
    script({"judge": "fair", "faults": [{"kind": "stall", "stallSeconds": 0, "contains": text}]})
    call(client, operation, dataset_id, column_mapping=MAPPING, brand_controls={"blueprint": text})
    assert finish(client, dataset_id).status == "succeeded"
    assert model_stats()["faults"].get("stall", 0) >= 3


@BOTH
def test_images_cost_ten_credits_for_each_hundred_rows_begun(client, tmp_path, operation) -> None:
    mapping = {"prompt": "question", "image": "picture"}
    for rows, credits in ((100, 10), (101, 20)):
        lines = "\n".join(json.dumps({"question": f"what is row-{n}", "picture": {"bytes": PNG}}) for n in range(rows))
        dataset_id = upload(client, tmp_path, lines, name="pictures.jsonl")
        wait_until_read(client, dataset_id)
        quote = call(client, operation, dataset_id, column_mapping=mapping, estimate=True)
        assert (quote.estimated_credits_consumed, quote.credit_multiplier) == (credits, 10)
        assert quote.multimodal_pricing_applied is True
    text_alone = call(client, operation, dataset_id, column_mapping={"prompt": "question"}, estimate=True)
    assert (text_alone.estimated_credits_consumed, text_alone.credit_multiplier) == (2, None)
    assert text_alone.multimodal_pricing_applied is False


@BOTH
def test_rows_in_several_languages_come_out_as_many_as_were_asked(client, tmp_path, operation) -> None:
    dataset_id = upload(client, tmp_path, pairs(10))
    wait_until_read(client, dataset_id)
    expansion = {"type": "translate", "languages": ["ES", "zh", "ZH-hant"], "sample_rate": 0.3}
    call(client, operation, dataset_id, column_mapping=MAPPING, language_expansion=expansion)
    assert finish(client, dataset_id).status == "succeeded"
    languages = [row["expansion_language"] for row in table(client, dataset_id)]
    assert sorted(languages) == [""] * 10 + ["es"] * 3 + ["zh-Hans"] * 3 + ["zh-Hant"] * 3


def test_codes_of_three_letters_are_known(client, read) -> None:
    expansion = {"type": "translate", "languages": ["haw", "CEB"], "sample_rate": 1}
    assert client.datasets.adapt(read, estimate=True, language_expansion=expansion).estimated_credits_consumed == 1
